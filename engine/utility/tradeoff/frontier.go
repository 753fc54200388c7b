package tradeoff

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Worth is what masked numbers come to in three figures, all of them shares or counts of
// the same records.
type Worth struct {
	Linkage    float64 `json:"linkage"`  // as Figures.Linkage
	Interval   float64 `json:"interval"` // as Figures.Interval
	Loss       float64 `json:"loss"`     // as Figures.Loss
	Records    int     `json:"records"`  // that are compared
	Incomplete int     `json:"incomplete"`
}

// Worth returns the three figures.
func (f *Figures) Worth() Worth {
	return Worth{f.Linkage(), f.Interval(), f.Loss(), f.Records, f.Incomplete}
}

// Unknown is the worth of a step that has none.
func Unknown() Worth { return Worth{Linkage: math.NaN(), Interval: math.NaN(), Loss: math.NaN()} }

// Known reports whether all three are numbers, as of constant variables they are not.
func (w Worth) Known() bool {
	return !math.IsNaN(w.Linkage) && !math.IsNaN(w.Interval) && !math.IsNaN(w.Loss) && !math.IsInf(w.Loss, 0)
}

// The risks that plans are chosen by.
const (
	ByLinkage  = "linkage"
	ByInterval = "interval"
)

// Risk returns one of the risks; by is ByLinkage or ByInterval.
func (w Worth) Risk(by string) float64 {
	if by == ByInterval {
		return w.Interval
	}
	return w.Linkage
}

// LowLinkage is a share of linked records that passes for few.
const LowLinkage = 0.05

// StillClose warns where at most a limit of the records, a share, are linked and yet more
// than half keep all values close to the original: a step that stretches or shifts numbers
// hides them from the linkage, which compares standard deviations, and from nobody who
// knows them. "" where that is not so.
func (w Worth) StillClose(limit float64) string {
	if !(w.Linkage <= limit && w.Interval > 0.5) {
		return ""
	}
	return fmt.Sprintf("Few records are linked, but %s keep all values close to the original.", wording.Percent(w.Interval))
}

// Frontier returns the places of those that no other dominates, in order of loss: none
// loses no more at no more risk. Of equal ones the first stays; those that are not known
// have no place.
func Frontier(all []Worth, by string) []int {
	var order, out []int
	for i, w := range all {
		if w.Known() {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(all[a].Loss, all[b].Loss), cmp.Compare(all[a].Risk(by), all[b].Risk(by)))
	})
	for _, i := range order {
		if n := len(out); n == 0 || all[i].Risk(by) < all[out[n-1]].Risk(by) {
			out = append(out, i)
		}
	}
	return out
}

// Within returns the place in a frontier of the one that loses least with a risk of at most
// limit, a share; -1: there is none.
func Within(all []Worth, frontier []int, by string, limit float64) int {
	return slices.IndexFunc(frontier, func(i int) bool { return all[i].Risk(by) <= limit })
}
