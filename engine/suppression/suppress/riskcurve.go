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

// RiskCurve tells how many records have an individual risk above any threshold,
// and how many cells AboveRisk then takes: one pass over the distinct keys, and
// over the records where households lose cells together; then O(log n) per
// question, for a threshold that moves. It is immutable.
type RiskCurve struct {
	risks   []float64 // distinct when rounded as AboveRisk does, ascending; of equal ones the highest
	records []int     // records with at least this risk
	cells   []int     // cells that go where all risks from this on do
	people  []float64 // population that these stand for; without weights the records
	shared  bool
}

// NewRiskCurve returns the curve of an assessment of the input's data under its
// scenario; cells are counted of the key variable of that number, from 0. Where
// it is the same for households they go for all members as soon as one who has a
// value has such a risk. A scenario whose household variable the file lacks is an
// error that wraps method.ErrInput.
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

// addKeys counts the cells of each key at the place of its risk.
func (c *RiskCurve) addKeys(t *keys.Table, variable int, places []uint32) {
	counts := t.Counts()
	for key, code := range t.Codes(variable) {
		if code != 0 {
			c.cells[places[key]] += int(counts[key])
		}
	}
}

// addHouseholds counts the cells of each household at the place of the highest
// risk of its members who have a value.
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

// Shared reports whether cells of other members of households are counted, whose
// own risk may lie below the threshold.
func (c *RiskCurve) Shared() bool { return c.shared }

// Above returns the records with a risk above the threshold, and how many cells
// of the variable AboveRisk takes there; those of linked variables are left out.
func (c *RiskCurve) Above(threshold float64) (records, cells int) {
	place := c.place(threshold)
	if place == len(c.risks) {
		return 0, 0
	}
	return c.records[place], c.cells[place]
}

// Population returns what the records with a risk above the threshold stand for by
// their weights, without weights their number.
func (c *RiskCurve) Population(threshold float64) float64 {
	if place := c.place(threshold); place < len(c.people) {
		return c.people[place]
	}
	return 0
}

// place returns the first risk above the threshold.
func (c *RiskCurve) place(threshold float64) int {
	return sort.Search(len(c.risks), func(i int) bool { return above(c.risks[i], threshold) })
}

// Thresholds returns the distinct risks of the file, ascending: between two of
// them nothing changes. Not to be modified.
func (c *RiskCurve) Thresholds() []float64 { return c.risks }
