package suppress

import (
	"cmp"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// RiskCurve tells how many records have an individual risk above any threshold:
// one pass over the distinct keys, then O(log n) per question, for a threshold
// that moves. It is immutable.
type RiskCurve struct {
	risks   []float64 // distinct, ascending
	records []int     // records with at least this risk
	cells   []int     // of these, the ones with a value of the variable
}

// NewRiskCurve returns the curve of an assessment; cells are counted of the key
// variable of that number, from 0. AboveRisk takes these cells, and where the
// variable is the same for households those of the other members as well.
func NewRiskCurve(a *risk.Assessment, variable int) *RiskCurve {
	t, risks := a.Table(), a.KeyRisks()
	order := make([]uint32, t.Keys())
	for key := range order {
		order[key] = uint32(key)
	}
	slices.SortFunc(order, func(x, y uint32) int { return cmp.Compare(risks[x], risks[y]) })
	c := &RiskCurve{}
	counts, codes := t.Counts(), t.Codes(variable)
	for _, key := range order {
		last := len(c.risks) - 1
		if last < 0 || c.risks[last] != risks[key] {
			c.risks, c.records, c.cells = append(c.risks, risks[key]), append(c.records, 0), append(c.cells, 0)
			last++
		}
		c.records[last] += int(counts[key])
		if codes[key] != 0 {
			c.cells[last] += int(counts[key])
		}
	}
	for i := len(c.risks) - 2; i >= 0; i-- {
		c.records[i] += c.records[i+1]
		c.cells[i] += c.cells[i+1]
	}
	return c
}

// Above returns the records with a risk above the threshold, and how many of
// them have a value of the variable.
func (c *RiskCurve) Above(threshold float64) (records, cells int) {
	place, found := slices.BinarySearch(c.risks, threshold)
	if found {
		place++
	}
	if place == len(c.risks) {
		return 0, 0
	}
	return c.records[place], c.cells[place]
}

// Thresholds returns the distinct risks of the file, ascending: between two of
// them nothing changes. Not to be modified.
func (c *RiskCurve) Thresholds() []float64 { return c.risks }
