package tradeoff

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// RiskLoss has three figures of risk and information loss of masked data, all for the same records.
type RiskLoss struct {
	Linkage    float64 `json:"linkage"`  // as Figures.Linkage
	Interval   float64 `json:"interval"` // as Figures.Interval
	Loss       float64 `json:"loss"`     // as Figures.Loss
	Records    int     `json:"records"`  // records compared
	Incomplete int     `json:"incomplete"`
}

// Worth returns the three figures.
func (f *Figures) Worth() RiskLoss {
	return RiskLoss{f.Linkage(), f.Interval(), f.Loss(), f.Records, f.Incomplete}
}

// Unknown returns the RiskLoss of a step for which it cannot be computed.
func Unknown() RiskLoss { return RiskLoss{Linkage: math.NaN(), Interval: math.NaN(), Loss: math.NaN()} }

// Known reports whether all three figures are defined. For constant variables they are not.
func (w RiskLoss) Known() bool {
	return !math.IsNaN(w.Linkage) && !math.IsNaN(w.Interval) && !math.IsNaN(w.Loss) && !math.IsInf(w.Loss, 0)
}

// Risks by which plans are selected.
const (
	ByLinkage  = "linkage"
	ByInterval = "interval"
)

// Risk returns one of the risks. by is ByLinkage or ByInterval.
func (w RiskLoss) Risk(by string) float64 {
	if by == ByInterval {
		return w.Interval
	}
	return w.Linkage
}

// LowLinkage is the share of linked records below which linkage is considered low.
const LowLinkage = 0.05

// StillClose returns a warning if at most the share limit of the records is linked although more than half still
// have all values close to the original, or "" otherwise. A step that stretches or shifts numbers can prevent
// linkage, which compares standardised values, without hiding values from an intruder who knows them.
func (w RiskLoss) StillClose(limit float64) string {
	if !(w.Linkage <= limit && w.Interval > 0.5) {
		return ""
	}
	return fmt.Sprintf("Few records are linked, but %s keep all values close to the original.", wording.Percent(w.Interval))
}

// Frontier returns the indices of the elements that no other dominates, sorted by loss: no element has both less
// loss and less risk. Of equal ones only the first is included; unknown ones are excluded.
func Frontier(all []RiskLoss, by string) []int {
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

// Within returns the index in a frontier of the element with the least loss whose risk is at most limit, a share,
// or -1 if there is none.
func Within(all []RiskLoss, frontier []int, by string, limit float64) int {
	return slices.IndexFunc(frontier, func(i int) bool { return all[i].Risk(by) <= limit })
}
