package audit

import (
	"math/rand/v2"

	"github.com/sdcdesk/sdcdesk/engine/internal/modular"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Known says which suppressed cells follow from what is published.
type Known struct {
	Tight []Sum // sums of suppressed cells that can be recalculated, and are so small that they reveal each of these cells

	equations  *tabular.Equations
	system     *system
	suppressed func(cell int32) bool // what is published does not reveal the cell as one of a tight sum
	draws      [][2]uint64           // per unknown: its value in two random tables with everything published as 0
}

// Sum is a sum of cells times factors modulo the prime of package modular.
type Sum []Addend

// Addend is a cell of a sum.
type Addend struct {
	Cell   int
	Factor uint64
}

// Solve finds the suppressed cells that can be recalculated. least reports whether a cell has the smallest value that
// everybody considers possible; nil: nothing is known. It solves the equations modulo a prime: an answer is wrong with a
// probability below 1 in 10^13 per cell, and the same at every call. Of the cells that have their least values for sure,
// it finds those that an equation gives, before or after elimination.
func Solve(e *tabular.Equations, suppressed func(cell int32) bool, least func(cell int) bool) *Known {
	s, tight := eliminated(e, suppressed, least)
	k := &Known{Tight: tight, equations: e, system: s, suppressed: s.suppressed, draws: make([][2]uint64, len(s.cells))}
	random := rand.New(rand.NewPCG(1, 2))
	for _, unknown := range s.free {
		k.draws[unknown] = [2]uint64{random.Uint64N(modular.Prime-1) + 1, random.Uint64N(modular.Prime-1) + 1}
	}
	for i := len(s.solved) - 1; i >= 0; i-- {
		one := s.solved[i]
		var sum [2]uint64
		for _, t := range s.rows[one.row] {
			if t.unknown == one.unknown {
				continue
			}
			for d := range sum {
				sum[d] = modular.Sum(sum[d], modular.Product(t.factor, k.draws[t.unknown][d]))
			}
		}
		k.draws[one.unknown] = sum
	}
	return k
}

// Exact reports whether a cell has one possible value: a suppressed cell that can be recalculated, or a published one.
func (k *Known) Exact(cell int) bool {
	unknown, is := k.system.unknowns[int32(cell)]
	if !is {
		return !k.suppressed(int32(cell))
	}
	return k.draws[unknown] == [2]uint64{}
}

// Together returns a number that two suppressed cells share if one of them can be recalculated from the other, as a
// contributor can who is the only one of a cell; 0 of cells that are known.
func (k *Known) Together(cell int) uint64 {
	unknown, is := k.system.unknowns[int32(cell)]
	if !is {
		return 0
	}
	draws := k.draws[unknown]
	if draws[1] == 0 {
		return draws[0] // 0, but for chance
	}
	return modular.Product(draws[0], modular.Inverse(draws[1]))
}

// Times returns the factor by which a suppressed cell changes with another one that it has in common with Together,
// modulo the prime of package modular.
func (k *Known) Times(cell, other int) uint64 {
	a, b := k.draws[k.system.unknowns[int32(cell)]], k.draws[k.system.unknowns[int32(other)]]
	return modular.Product(a[0], modular.Inverse(b[0]))
}

// Insider is a contributor who can recalculate a cell because it is the only one of another cell.
type Insider struct{ Cell, Own int }

// Insiders returns the sensitive cells that a single contributor of another suppressed cell can recalculate, in the
// order of the cells; for each, the first such cell. Cells that are the same, such as a total of one code, reveal
// nothing of each other.
func (k *Known) Insiders(cells int, sensitive, single func(cell int) bool, same func(a, b int) bool) []Insider {
	singles := map[uint64][]int{} // cells of single contributors, by what they can recalculate
	for cell := range cells {
		if k.suppressed(int32(cell)) && single(cell) && !k.Exact(cell) {
			together := k.Together(cell)
			singles[together] = append(singles[together], cell)
		}
	}
	var found []Insider
	for cell := range cells {
		if !k.suppressed(int32(cell)) || !sensitive(cell) || k.Exact(cell) {
			continue
		}
		for _, own := range singles[k.Together(cell)] {
			if !same(cell, own) {
				found = append(found, Insider{cell, own})
				break
			}
		}
	}
	return found
}
