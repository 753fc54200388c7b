package diversity

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

const citeCloseness = "Li, Li and Venkatasubramanian 2007, ICDE"

// TCloseness is the measure of t-closeness.
type TCloseness struct {
	sensitiveMeasure
	T       float64  // distance above which key patterns fail
	Ordered []string // sensitive variables whose values are ordered; nil: as declared or known
}

var _ measure.Measure = (*TCloseness)(nil)

// Distances is the result of TCloseness for each sensitive variable.
type Distances struct {
	Names   []string
	Of      []*Closeness
	Failing []Violation // key patterns above T for a variable, sorted
	T       float64
}

// TClosenessSpec describes tcloseness for the catalog.
func TClosenessSpec() measure.Spec {
	return measure.Spec{
		Name:   "tcloseness",
		Groups: true,
		Title:  "t-closeness",
		Help: "Compares the distribution of a sensitive variable within each key pattern with its distribution in the " +
			"whole file, from 0 (equal) to 1. The distance shows how much an intruder who knows the key pattern of a " +
			"person learns.\n" +
			"- ordered and numeric variables: the earth mover's distance with equal steps between values, without " +
			"missing values. Dates are ordered by time.\n" +
			"- other variables: half the sum of the absolute differences of all shares, with missing as a value.\n" +
			"- codes: integers with labels, or at most 20 distinct integers from 0 to 99. They have no order unless " +
			"the file or the parameter \"ordered\" gives them one.",
		Cite: citeCloseness,
		Page: measure.Page{Headline: []string{"max_distance", "records_above_t"}, Meaning: measure.Telling("%s records are in key patterns whose distribution of the sensitive variable differs from that of the file "+
			"by more than t, so the key pattern reveals information.", "records_above_t")},
		New: func() measure.Measure { return &TCloseness{T: 0.2} },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *TCloseness) Params() []method.Param {
	return append(m.params(), method.Number(&m.T, "t", "key patterns with a greater distance fail").Between(0, 1).By(0.05),
		method.Variables(&m.Ordered, "ordered", "sensitive variables with ordered values").
			Empty("numeric variables and ordered categories"))
}

// Compute computes the distances of the version of the data.
func (m *TCloseness) Compute(ctx context.Context, in measure.Input, _ *progress.Meter) (out measure.Values, _ error) {
	spreads, err := m.spreads(ctx, in.Current)
	if err != nil {
		return out, err
	}
	found := &Distances{Names: m.variables(in.Current), T: m.T}
	summary := measure.Table{Name: "summary", Title: "t-closeness of the records",
		Columns: append(append([]string{"variable", "kind"}, distributionHeads...), "key patterns above t", "records above t")}
	values := measure.Values{Result: found,
		Explain: func(e *measure.Explanation, what *measure.FigureKey) { m.explain(found, e, what) }}
	table := spreads[0].Table
	highest, failingKeys, kept := 0.0, map[int]int{}, violations{}
	for i, spread := range spreads {
		c, err := Close(ctx, m.asOrdered(spread, found.Names[i]))
		if err != nil {
			return out, err
		}
		found.Of = append(found.Of, c)
		name := found.Names[i]
		above, records := 0, 0
		for key, count := range table.Counts() {
			distance := c.Distance[key]
			if distance > highest {
				highest = distance
			}
			if distance > m.T+dust {
				above++
				records += int(count)
				failingKeys[key] = int(count)
				kept.add(Violation{key, int(count), i, distance})
			}
		}
		figure := func(key int) float64 { return c.Distance[key] }
		spread := distributionOf(table, figure)
		kind := map[bool]string{true: "ordered", false: "nominal"}[c.Spread.Ordered]
		summary.Rows = append(summary.Rows, append(append([]any{name, kind}, spread.cells()...), above, records))
		values.Columns = append(values.Columns, measure.Column{Name: name + "_tcloseness", Title: "t-closeness of " + name,
			Unit: measure.Probability})
		values.Records = append(values.Records, risk.OfRecords(table, figure))
	}
	found.Failing = kept
	records := 0
	for _, count := range failingKeys {
		records += count
	}
	t := method.FormatNumber(m.T)
	values.Numbers = []measure.Value{
		{Name: "max_distance", Title: "largest distance t", Number: highest, Better: measure.Lower},
		{Name: "keys_above_t", Title: "key patterns (t > " + t + ")", Number: float64(len(failingKeys)), Unit: measure.Count,
			Better: measure.Lower, Of: table.Keys()},
		{Name: "records_above_t", Title: "records (t > " + t + ")", Number: float64(records), Unit: measure.Count,
			Better: measure.Lower, Of: table.Records()},
	}
	values.Tables = []measure.Table{summary,
		failingTable(found.Failing, m.OnKeys.Of(in.Current), table, found.Names, found.figures())}
	return values, ctx.Err()
}

// figures returns the formats for failing key patterns.
func (f *Distances) figures() violationFigures {
	return violationFigures{heads: []string{"distance"},
		of:     func(one Violation, _ int) any { return f.Of[one.Variable].Distance[one.Key] },
		spread: func(one Violation) *Spread { return f.Of[one.Variable].Spread },
		joined: func(j *MergedCategories) string { return "distance " + wording.ShortProbability(j.Distance) },
		better: func(a, b *MergedCategories) bool { return a.Distance < b.Distance }}
}

// asOrdered returns the spread of a variable, ordered or not as the parameters specify.
func (m *TCloseness) asOrdered(spread *Spread, name string) *Spread {
	if m.Ordered == nil {
		return spread
	}
	other := *spread
	other.Ordered = slices.Contains(m.Ordered, name)
	return &other
}

// explain explains a figure with the parameters, or with the values of the key pattern of a record.
func (m *TCloseness) explain(d *Distances, e *measure.Explanation, what *measure.FigureKey) {
	if what.Column == "" {
		e.Formula = "largest distance of a key pattern"
		if what.Value.Name != "max_distance" {
			e.Formula = "number with a distance above t"
		}
		e.Values = []string{fmt.Sprintf("t = %v", m.T), "sensitive variables " + wording.Listed(d.Names)}
		return
	}
	c := d.Of[what.Place]
	key := int(c.Spread.Table.Key(what.Record))
	e.Name += " of " + recordName(what.Record)
	if c.explain(e, key); math.IsNaN(c.Distance[key]) {
		e.Value, e.Values = "–", append(e.Values[:1], "the value is missing in every record of the key pattern")
	}
}
