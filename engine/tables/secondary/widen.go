package secondary

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Intervals says how wide the intervals of sensitive cells must be.
type Intervals struct {
	Values func(cell int) float64
	Bounds audit.Bounds
	Wanted func(cell int) audit.Interval // of a primary cell: what must be possible
	Single func(cell int) bool           // the cell has one contributor; nil: contributors are not considered
}

// Least reports whether a cell has the smallest value that everybody considers possible.
func (i *Intervals) Least(cell int) bool { return i.Values(cell) <= i.Bounds.Low(cell) }

// widening suppresses cells until intervals are wide enough.
type widening struct {
	attacker
	moves  *audit.Moves
	hidden []bool
	proofs []proof
	used   map[int][]int // cells: proofs that change them, or did
	hard   []int         // cells whose interval no linear program near them widens
}

// proof is a table that an intruder cannot exclude, in which a cell has an end of its wanted interval.
type proof struct {
	cell    int
	known   int // a cell that the intruder contributes to; -1: none
	to      float64
	changed []audit.Change // of other cells
}

// Widen suppresses further cells until an intruder must consider the wanted interval of each primary cell as possible.
// For each end of an interval that is too narrow, a linear program over the cells near it finds cells that change: these
// must be suppressed, and cheap cells are preferred. Then it publishes cells that no interval needs, the most expensive
// first. If many intervals of a small table are too narrow, it chooses all secondary cells again in this way. Cells whose
// intervals stay narrow are returned. Errors are those of the context.
func Widen(ctx context.Context, e *tabular.Equations, cells []Cell, hidden *microdata.Bits, i *Intervals) (wide *microdata.Bits, narrow []int, err error) {
	w := &widening{attacker: attacker{i, e, cells}, used: map[int][]int{}}
	w.hidden = w.hiding(hidden)
	if narrow, err = w.narrow(ctx, w.known(w.hidden, -1)); err != nil || len(narrow) == 0 {
		return hidden, nil, err
	}
	w.moves = audit.NewMoves(e, len(cells), i.Values, i.Bounds, func() bool { return ctx.Err() != nil })
	const few = 0.1 // share of narrow intervals up to which the secondary cells of a small table are kept
	kept := hidden
	if all := w.primary(); len(cells) <= small && float64(len(narrow)) > few*float64(len(all)) {
		narrow, kept = all, microdata.NewBits(len(cells))
	}
	for _, cell := range narrow {
		if err = ctx.Err(); err != nil {
			return nil, nil, err
		}
		w.widen(cell, -1)
	}
	if err = w.trim(ctx, kept); err != nil {
		return nil, nil, err
	}
	for i.Single != nil {
		insiders := insidersOf(w.known(w.hidden, -1), cells, i.Single)
		insiders = slices.DeleteFunc(insiders, func(i audit.Insider) bool { return slices.Contains(w.hard, i.Cell) })
		before := w.published(w.hidden).Count()
		for _, i := range insiders {
			if err = ctx.Err(); err != nil {
				return nil, nil, err
			}
			w.widen(i.Cell, i.Own)
		}
		if w.published(w.hidden).Count() == before {
			break
		}
	}
	if narrow = nil; len(w.hard) > 0 {
		narrow, err = w.narrow(ctx, w.known(w.hidden, -1)) // what no linear program near a cell finds, one over all cells can
	}
	if err == nil {
		err = ctx.Err() // the last searches can have ended early
	}
	return w.published(w.hidden), narrow, err
}

// widen suppresses what a cell needs to have both ends of its wanted interval.
func (w *widening) widen(cell, known int) {
	want := w.Wanted(cell)
	for _, to := range []float64{want.High, max(want.Low, w.Bounds.Low(cell))} {
		p := proof{cell: cell, known: known, to: to}
		if !w.proven(&p) && !w.provable(&p) {
			w.hard = append(w.hard, cell)
			return
		}
		for _, c := range p.changed {
			w.hidden[c.Cell] = true
		}
		w.proofs = append(w.proofs, p)
		w.use(len(w.proofs) - 1)
	}
}

// proven reports whether the table of another proof is one of this proof as well, and sets what changes.
func (w *widening) proven(p *proof) bool {
	value := w.Values(p.cell)
	for _, number := range w.used[p.cell] {
		other := &w.proofs[number]
		at := slices.IndexFunc(other.changed, func(c audit.Change) bool {
			return c.Cell == p.cell && math.Abs(c.To-value) >= math.Abs(p.to-value) && (c.To > value) == (p.to > value)
		})
		if at >= 0 && !other.changes(p.known) {
			p.changed = append(slices.Delete(slices.Clone(other.changed), at, at+1), audit.Change{Cell: other.cell, To: other.to})
			return true
		}
	}
	return false
}

// changes reports whether another cell changes.
func (p *proof) changes(cell int) bool {
	return p.cell == cell || slices.ContainsFunc(p.changed, func(c audit.Change) bool { return c.Cell == cell })
}

// small is the number of cells up to which linear programs are over all of them, large that from which they take long.
const small, large = 500, 800

// provable reports whether a cell can have a value if more cells are suppressed, and sets what changes. Changes along the
// sums that a cell belongs to are the cheapest, but need many cells.
func (w *widening) provable(p *proof) bool {
	hidden := audit.Near{Most: 20}
	near := []audit.Near{{Most: 8, Sums: true, Cells: large}, {Most: 8}, {Most: 20}, {Most: 8, Sums: true}}
	if len(w.cells) <= small {
		hidden, near = audit.Near{}, []audit.Near{{}}
	}
	return w.prove(p, false, hidden) || slices.ContainsFunc(near, func(n audit.Near) bool { return w.prove(p, true, n) })
}

// use remembers which cells a proof changes.
func (w *widening) use(number int) {
	for _, c := range w.proofs[number].changed {
		w.used[c.Cell] = append(w.used[c.Cell], number)
	}
}

// prove reports whether a cell can have a value, if more cells are suppressed or without them, and sets what changes.
func (w *widening) prove(p *proof, suppress bool, near audit.Near) bool {
	reached, changed := w.moves.Reach(p.cell, p.to, func(cell int) float64 {
		c := &w.cells[cell]
		switch {
		case cell == p.known:
			return -1
		case w.hidden[cell]:
			return 0
		case !suppress || c.Forced || c.Contributors == 0:
			return -1
		}
		return 1 + math.Cbrt(max(0, c.Cost)) // between the number of cells and their cost
	}, near)
	p.changed = changed
	return math.Abs(reached-p.to) <= tolerance*max(1, math.Abs(p.to))
}

// tolerance is the share of a value by which an interval may be too narrow.
const tolerance = 1e-6

// primary returns the cells that must be suppressed.
func (w *widening) primary() (cells []int) {
	for cell := range w.cells {
		if w.cells[cell].Primary {
			cells = append(cells, cell)
		}
	}
	return cells
}

// trim publishes cells that no interval needs, but not those to keep.
func (w *widening) trim(ctx context.Context, keep *microdata.Bits) error {
	var order []int
	for cell, is := range w.hidden {
		if is && !keep.Has(cell) && !w.cells[cell].Primary && !w.cells[cell].Absent {
			order = append(order, cell)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(w.cells[b].Cost, w.cells[a].Cost) })
	for _, cell := range order {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.hidden[cell] = false
		if !w.without(cell) {
			w.hidden[cell] = true
		}
	}
	return nil
}

// without proves again what needed a cell, and reports whether that is possible without it.
func (w *widening) without(cell int) bool {
	again := map[int]proof{}
	for _, number := range w.used[cell] {
		p := w.proofs[number]
		if !p.changes(cell) {
			continue
		}
		if !w.prove(&p, false, audit.Near{Most: 8, Sums: true, Cells: large}) {
			return false
		}
		again[number] = p
	}
	for _, number := range w.used[cell] {
		if p, is := again[number]; is {
			w.proofs[number] = p
			w.use(number)
			delete(again, number)
		}
	}
	return true
}
