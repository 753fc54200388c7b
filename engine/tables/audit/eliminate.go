package audit

import (
	"github.com/sdcdesk/sdcdesk/engine/internal/modular"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// term is a coefficient of an unknown.
type term struct {
	unknown int32
	factor  uint64
}

// system are the equations that hold between suppressed cells, homogeneous: published cells are known. Eliminating
// leaves each equation with one unknown that no later equation has.
type system struct {
	suppressed func(cell int32) bool
	least      func(cell int) bool // see Solve; nil: nothing is known
	cells      []int32             // of each unknown
	unknowns   map[int32]int32

	rows   [][]term
	origin []int32          // of each row: the equation
	of     [][]int32        // per unknown: rows that have it, or had it
	count  []int32          // per unknown: rows that have it and are not done
	solved []solvedEquation // in the order of elimination
	free   []int32          // unknowns that no equation fixes

	place []int32 // work: per unknown, 1 + its place in a row
}

// solvedEquation is an equation that gives an unknown from those that are eliminated later, or free.
type solvedEquation struct {
	unknown int32
	row     int32
}

// newSystem takes the equations in which a suppressed cell occurs.
func newSystem(e *tabular.Equations, suppressed func(cell int32) bool) *system {
	s := &system{suppressed: suppressed, unknowns: map[int32]int32{}}
	for i := range e.Len() {
		var row []term
		for k, cell := range e.At(i) {
			if !suppressed(cell) {
				continue
			}
			unknown, known := s.unknowns[cell]
			if !known {
				unknown = int32(len(s.cells))
				s.unknowns[cell] = unknown
				s.cells, s.of = append(s.cells, cell), append(s.of, nil)
			}
			factor := uint64(modular.Minus)
			if k == 0 {
				factor = 1
			}
			row = append(row, term{unknown, factor})
		}
		if row == nil {
			continue
		}
		for _, t := range row {
			s.of[t.unknown] = append(s.of[t.unknown], int32(len(s.rows)))
		}
		s.rows, s.origin = append(s.rows, row), append(s.origin, int32(i))
	}
	s.count, s.place = make([]int32, len(s.cells)), make([]int32, len(s.cells))
	for unknown, rows := range s.of {
		s.count[unknown] = int32(len(rows))
	}
	return s
}

// eliminate solves the equations, those with the fewest unknowns first, each for the unknown that the fewest others have.
func (s *system) eliminate() {
	queue := newQueue(s.rows)
	fixed := make([]bool, len(s.cells))
	for {
		at, ok := queue.next(s.rows)
		if !ok {
			break
		}
		row := s.rows[at]
		if len(row) == 0 {
			continue
		}
		pivot := row[0]
		for _, t := range row {
			if s.before(t.unknown, pivot.unknown) {
				pivot = t
			}
			s.count[t.unknown]--
		}
		scale := modular.Negative(modular.Inverse(pivot.factor))
		for k := range row { // the equation as: 0 = -unknown + factor·others
			row[k].factor = modular.Product(row[k].factor, scale)
		}
		s.solved, fixed[pivot.unknown] = append(s.solved, solvedEquation{pivot.unknown, int32(at)}), true
		for _, other := range s.of[pivot.unknown] {
			if !queue.done[other] {
				s.substitute(int(other), row, pivot.unknown)
				queue.put(int(other), len(s.rows[other]))
			}
		}
	}
	for unknown, is := range fixed {
		if !is {
			s.free = append(s.free, int32(unknown))
		}
	}
}

// before reports whether an unknown is a better pivot than another one: those with their least values are left to equations
// that have no others, which can be tight.
func (s *system) before(a, b int32) bool {
	if s.least != nil {
		if x, y := s.least(int(s.cells[a])), s.least(int(s.cells[b])); x != y {
			return y
		}
	}
	return s.count[a] < s.count[b]
}

// substitute replaces an unknown of a row with the solution of another one.
func (s *system) substitute(at int, solution []term, unknown int32) {
	row := s.rows[at]
	for k, t := range row {
		s.place[t.unknown] = int32(k) + 1
	}
	times := uint64(0)
	if k := s.place[unknown]; k > 0 {
		times = row[k-1].factor
	}
	for _, t := range solution {
		if times == 0 {
			break
		}
		add := modular.Product(times, t.factor)
		if k := s.place[t.unknown]; k > 0 {
			row[k-1].factor = modular.Sum(row[k-1].factor, add)
			continue
		}
		row = append(row, term{t.unknown, add})
		s.place[t.unknown] = int32(len(row))
		s.of[t.unknown] = append(s.of[t.unknown], int32(at))
		s.count[t.unknown]++
	}
	kept := row[:0]
	for _, t := range row {
		s.place[t.unknown] = 0
		if t.factor == 0 {
			s.count[t.unknown]--
			continue
		}
		kept = append(kept, t)
	}
	s.rows[at] = kept
}

// queue gives the rows that are not done, the shortest first; of equal ones the first.
type queue struct {
	byLength [][]int32
	done     []bool
	length   []int
	shortest int
}

func newQueue(rows [][]term) *queue {
	q := &queue{done: make([]bool, len(rows)), length: make([]int, len(rows))}
	for i, row := range rows {
		q.put(i, len(row))
	}
	return q
}

// put says how long a row is now.
func (q *queue) put(row, length int) {
	for len(q.byLength) <= length {
		q.byLength = append(q.byLength, nil)
	}
	q.length[row] = length
	q.byLength[length] = append(q.byLength[length], int32(row))
	q.shortest = min(q.shortest, length)
}

// next returns the next row, and marks it done.
func (q *queue) next(rows [][]term) (row int, ok bool) {
	for q.shortest < len(q.byLength) {
		list := q.byLength[q.shortest]
		if len(list) == 0 {
			q.shortest++
			continue
		}
		row := int(list[0])
		q.byLength[q.shortest] = list[1:]
		if !q.done[row] && q.length[row] == q.shortest {
			q.done[row] = true
			return row, true
		}
	}
	return 0, false
}
