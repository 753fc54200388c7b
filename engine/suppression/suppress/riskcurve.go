package suppress

import (
	"cmp"
	"slices"
	"sort"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// RiskCurve answers how many records have an individual risk above a threshold, and how many cells AboveRisk then
// suppresses. Building it takes one pass over the key patterns, and over the records if households lose cells
// together; a query takes O(log n), so the threshold can be changed interactively. It is immutable.
type RiskCurve struct {
	risks   []float64 // distinct after the rounding of AboveRisk, ascending; the highest of equal ones
	records []int     // records with at least this risk
	cells   []int     // cells suppressed for all risks from this one on
	people  []float64 // population that these records represent; without weights their number
	shared  bool
}

// NewRiskCurve returns the curve of an assessment of the input's data under its scenario. It counts the cells of
// the key variable with the given index, from 0. If this variable is the same for all members of a household, all
// members lose the cell as soon as one with a value has such a risk. A household variable that the file lacks is
// an error that wraps method.ErrInput.
func NewRiskCurve(a *risk.Assessment, in method.Input, variable int) (*RiskCurve, error) {
	t, risks := a.Table(), a.KeyRisks()
	order := stat.InOrder(t.Keys())
	slices.SortFunc(order, func(x, y uint32) int { return cmp.Compare(risks[x], risks[y]) })
	c, places := &RiskCurve{}, make([]uint32, len(order))
	counts := t.Counts()
	for _, key := range order {
		last := len(c.risks) - 1
		if last < 0 || above(risks[key], c.risks[last]) {
			c.risks, c.records = append(c.risks, 0), append(c.records, 0)
			last++
		}
		c.risks[last] = risks[key]
		c.records[last] += int(counts[key])
		places[key] = uint32(last)
	}
	c.people = make([]float64, len(c.risks))
	for key, weight := range t.Weights() {
		c.people[places[key]] += weight
	}
	for i := len(c.people) - 2; i >= 0; i-- {
		c.people[i] += c.people[i+1]
	}
	c.cells = make([]int, len(c.risks))
	name := in.Scenario.Keys[variable]
	h, err := householdsOf(in)
	if err != nil {
		return nil, err
	}
	if c.shared = h.share(name); c.shared {
		c.addHouseholds(h, t, variable, places)
	} else {
		c.addKeys(t, variable, places)
	}
	for i := len(c.risks) - 2; i >= 0; i-- {
		c.records[i] += c.records[i+1]
		c.cells[i] += c.cells[i+1]
	}
	return c, nil
}

// addKeys adds the cells of each key to the count of its risk.
func (c *RiskCurve) addKeys(t *keys.Table, variable int, places []uint32) {
	counts := t.Counts()
	for key, code := range t.Codes(variable) {
		if code != 0 {
			c.cells[places[key]] += int(counts[key])
		}
	}
}

// addHouseholds adds the cells of each household to the count of the highest risk of its members with a value.
func (c *RiskCurve) addHouseholds(h *households, t *keys.Table, variable int, places []uint32) {
	codes, recordKeys := t.Codes(variable), t.RowKeys()
	for household := range h.Len() {
		cells, highest := 0, uint32(0)
		for i := range h.Members(household) {
			if key := recordKeys[h.Member(household, i)]; codes[key] != 0 {
				cells++
				highest = max(highest, places[key])
			}
		}
		if cells > 0 {
			c.cells[highest] += cells
		}
	}
}

// Shared reports whether cells of other household members are counted, whose own risk may be below the threshold.
func (c *RiskCurve) Shared() bool { return c.shared }

// Above returns the number of records with a risk above the threshold, and the number of cells of the variable
// that AboveRisk suppresses there, without those of linked variables.
func (c *RiskCurve) Above(threshold float64) (records, cells int) {
	place := c.place(threshold)
	if place == len(c.risks) {
		return 0, 0
	}
	return c.records[place], c.cells[place]
}

// Population returns the sum of weights of the records with a risk above the threshold, or their number if there
// are no weights.
func (c *RiskCurve) Population(threshold float64) float64 {
	if place := c.place(threshold); place < len(c.people) {
		return c.people[place]
	}
	return 0
}

// place returns the index of the first risk above the threshold.
func (c *RiskCurve) place(threshold float64) int {
	return sort.Search(len(c.risks), func(i int) bool { return above(c.risks[i], threshold) })
}

// Thresholds returns the distinct risks of the file, ascending. Counts change only at these values. The slice must
// not be modified.
func (c *RiskCurve) Thresholds() []float64 { return c.risks }
