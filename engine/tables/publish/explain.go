package publish

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Explanation says why a cell is published, suppressed or changed.
type Explanation struct {
	Codes  []string
	Cell   tabular.Cell
	Rules  []string // what each rule finds, with its figures
	Change string   // why the published value is what it is, if the protection changes values
	// Revealing are equations from which the cell follows, if it is hidden and can be recalculated: none can be left out.
	Revealing []Equation
}

// Equation says that the first cell of a table is the sum of the others.
type Equation struct {
	*Table
	Cells []int // of the table
	named bool  // the equation is one of another table than the cell that it helps to reveal
}

// Explain explains a cell.
func (t *Table) Explain(cell int) Explanation {
	e := Explanation{Codes: t.Codes(cell), Cell: t.Cells[cell], Revealing: t.Revealing(cell)}
	for _, rule := range t.Rules {
		e.Rules = append(e.Rules, rule.Explain(&t.Cells[cell]))
	}
	if t.published != nil {
		e.Change = t.perturbation.explain(t, cell)
	}
	return e
}

// Revealing returns equations, of this table and others that share cells with it, from which a hidden cell follows. It
// returns nil if the cell does not follow.
func (t *Table) Revealing(cell int) (equations []Equation) {
	l, at := t.all, t.place(cell)
	reveal := func(these []int) bool {
		var e tabular.Equations
		for _, i := range these {
			e.Append(l.equations.At(i)...)
		}
		return audit.Solve(&e, l.hides, l.least()).Exact(at)
	}
	if !l.hides(int32(at)) || !l.known().Exact(at) {
		return nil
	}
	these, found := l.around(at, reveal)
	if !found {
		return nil
	}
	for _, i := range fewest(these, reveal) {
		equations = append(equations, l.equation(i, t))
	}
	return equations
}

// hides reports whether no table publishes the true value of a cell.
func (l *linked) hides(cell int32) bool { return l.hidden.Has(int(cell)) }

// equation returns one of the equations of all tables; asked is the table that it explains.
func (l *linked) equation(i int, asked *Table) Equation {
	number := slices.IndexFunc(l.ends, func(end int) bool { return i < end })
	e := Equation{Table: l.tables[number], named: number != asked.number}
	own := e.own()
	for _, at := range l.equations.At(i) {
		e.Cells = append(e.Cells, own(int(at)))
	}
	return e
}

// around returns equations near a suppressed cell that satisfy a condition; found is false if all of them do not.
func (l *linked) around(cell int, satisfy func(these []int) bool) (these []int, found bool) {
	of := map[int32][]int{}
	for i := range l.equations.Len() {
		for _, c := range l.equations.At(i) {
			if l.hides(c) {
				of[c] = append(of[c], i)
			}
		}
	}
	taken, next := map[int]bool{}, []int32{int32(cell)}
	seen := map[int32]bool{int32(cell): true}
	for len(next) > 0 {
		var further []int32
		for _, c := range next {
			for _, i := range of[c] {
				if taken[i] {
					continue
				}
				taken[i], these = true, append(these, i)
				for _, other := range l.equations.At(i) {
					if l.hides(other) && !seen[other] {
						seen[other], further = true, append(further, other)
					}
				}
			}
		}
		if satisfy(these) {
			return these, true
		}
		next = further
	}
	return nil, false
}

// fewest leaves out what is not needed to satisfy a condition: of what is left, nothing can be left out.
func fewest(these []int, satisfy func(these []int) bool) []int {
	for size := (len(these) + 1) / 2; size > 0; size /= 2 {
		for from := 0; from < len(these); {
			without := slices.Delete(slices.Clone(these), from, min(from+size, len(these)))
			if satisfy(without) {
				these = without
			} else {
				from += size
			}
		}
	}
	return these
}

// WhyOpen says why a sensitive cell is open: that it is published, or the equations that reveal it.
func (t *Table) WhyOpen(cell int) string {
	hidden := "suppressed"
	switch shown := !t.Hidden(cell); {
	case shown && t.published != nil:
		return fmt.Sprintf("Cell %v is sensitive, and its true value is published, or nearly so.", t.Codes(cell))
	case shown:
		return fmt.Sprintf("Cell %v is sensitive, and published.", t.Codes(cell))
	case t.published != nil:
		hidden = "perturbed"
	}
	var sums []string
	for _, e := range t.Revealing(cell) {
		sums = append(sums, e.String())
	}
	return fmt.Sprintf("Cell %v follows from %s (* %s): %s.", t.Codes(cell), wording.Counted(len(sums), "sum"), hidden, strings.Join(sums, "; "))
}

// String writes the equation without values: "[Total A] = [R1 A] + [R2 A]*", where * marks hidden cells. It begins with
// the name of the table if that is another one than the table of the cell that it helps to reveal.
func (e Equation) String() string {
	var text strings.Builder
	if e.named {
		text.WriteString(e.Definition.Title() + ": ")
	}
	for i, cell := range e.Cells {
		switch i {
		case 0:
		case 1:
			text.WriteString(" = ")
		default:
			text.WriteString(" + ")
		}
		text.WriteString("[" + strings.Join(e.Codes(cell), " ") + "]")
		if e.Hidden(cell) {
			text.WriteString("*")
		}
	}
	return text.String()
}
