package diversity

import (
	"context"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

const citeDiversity = "Machanavajjhala et al. 2007, ACM TKDD 1; SDC Practice Guide, Measuring risk"

// LDiversity is the measure of l-diversity.
type LDiversity struct {
	sensitiveMeasure
	C float64 // for recursive (c, l)-diversity
	L float64 // records below it are counted
}

var _ measure.Measure = (*LDiversity)(nil)

// Diversities is the result of LDiversity for each sensitive variable.
type Diversities struct {
	Names   []string
	Of      []*Diversity
	Failing []Violation // key patterns below L for a variable, of any kind, sorted
	Keys    int         // number of key patterns below L for any variable
	L       float64
}

// LDiversitySpec describes ldiversity for the catalog.
func LDiversitySpec() measure.Spec {
	return measure.Spec{
		Name:   "ldiversity",
		Groups: true,
		Title:  "l-diversity",
		Help: "Counts the distinct values of a sensitive variable within each key pattern. If there is only one, an " +
			"intruder who knows the key pattern of a person learns the value. Key patterns in which every value is " +
			"missing are not counted.\n" +
			"- distinct: the number of values; missing counts as one more value if other values occur.\n" +
			"- entropy: exp of the entropy of the shares of the values.\n" +
			"- recursive (c, l): the largest l for which the frequency of the most frequent value is less than c times " +
			"the total frequency of the l-th most frequent and all rarer values.",
		Cite: citeDiversity,
		Page: measure.Page{Meaning: measure.Telling("%s records are in key patterns with too few distinct values of the sensitive variable: an intruder who "+
			"knows the key pattern learns the value, or can narrow it to a few.", "distinct_below_l")},
		New: func() measure.Measure { return &LDiversity{C: 2, L: 2} },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *LDiversity) Params() []method.Param {
	return append(m.params(),
		method.Number(&m.C, "c",
			"recursive: maximum ratio of the most frequent value to all values from the l-th on together").AtLeast(0).By(0.5),
		method.Number(&m.L, "l", "records below this l are counted").AtLeast(1).By(0.5))
}

// kinds are the three kinds of l-diversity in order.
var kinds = []string{"distinct", "entropy", "recursive"}

// entropyKind is the index of the kind that is not an integer.
const entropyKind = 1

// Figure returns the l-diversity of a key pattern. kind is an index of kinds.
func (d *Diversity) Figure(kind, key int) float64 {
	switch kind {
	case 0:
		return float64(d.Distinct[key])
	case 1:
		return d.Entropy[key]
	default:
		return float64(d.Recursive[key])
	}
}

// dust is the rounding error of an entropy l-diversity.
const dust = 1e-9

// Compute computes the l-diversity of the version of the data.
func (m *LDiversity) Compute(ctx context.Context, in measure.Input, _ *progress.Meter) (out measure.Values, _ error) {
	spreads, err := m.spreads(ctx, in.Current)
	if err != nil {
		return out, err
	}
	v := m.OnKeys.Of(in.Current)
	found := &Diversities{Names: m.variables(in.Current), L: m.L}
	values := measure.Values{Result: found,
		Explain: func(e *measure.Explanation, what *measure.FigureKey) { m.explain(found, e, what) }}
	summary := measure.Table{Name: "summary", Title: "l-diversity of the records",
		Columns: append(append([]string{"variable", "kind"}, distributionHeads...), "records below l")}
	for _, spread := range spreads {
		d, err := Of(ctx, spread, m.C)
		if err != nil {
			return out, err
		}
		found.Of = append(found.Of, d)
	}
	table := spreads[0].Table
	below := found.below()
	for i, d := range found.Of {
		name := found.Names[i]
		for k, kind := range kinds {
			figure := func(key int) float64 { return d.Figure(k, key) }
			spread := distributionOf(table, func(key int) float64 {
				if d.Distinct[key] == 0 {
					return math.NaN()
				}
				return figure(key)
			})
			unit := measure.Count
			if k == entropyKind {
				unit = measure.Amount
			}
			summary.Rows = append(summary.Rows, append(append([]any{name, kind}, spread.cells()...), below[k][i]))
			values.Columns = append(values.Columns, measure.Column{Name: name + "_" + kind + "_ldiversity",
				Title: kind + " l-diversity of " + name, Unit: unit})
			values.Records = append(values.Records, risk.OfRecords(table, figure))
		}
	}
	for k, kind := range kinds {
		values.Numbers = append(values.Numbers, measure.Value{Name: kind + "_below_l",
			Title:  fmt.Sprintf("records with %s l-diversity below %s", kind, method.FormatNumber(m.L)),
			Labels: measure.Labels{Row: "records (" + kind + " l < " + method.FormatNumber(m.L) + ")"},
			Number: float64(below[k][len(found.Of)]), Unit: measure.Count, Better: measure.Lower, Of: table.Records()})
	}
	values.Numbers = append(values.Numbers, measure.Value{Name: "keys_below_l", Title: "key patterns (l < " +
		method.FormatNumber(m.L) + ")", Number: float64(found.Keys), Unit: measure.Count, Better: measure.Lower, Of: table.Keys()})
	failing := failingTable(found.Failing, v, table, found.Names, found.figures(m.C))
	values.Tables = []measure.Table{summary, failing}
	return values, ctx.Err()
}

// figures returns the formats for failing key patterns.
func (f *Diversities) figures(c float64) violationFigures {
	return violationFigures{heads: kinds, c: c,
		of: func(one Violation, kind int) any {
			figure := f.Of[one.Variable].Figure(kind, one.Key)
			if kind == entropyKind {
				return figure
			}
			return int(figure)
		},
		spread: func(one Violation) *Spread { return f.Of[one.Variable].Spread },
		joined: func(j *MergedCategories) string {
			return fmt.Sprintf("distinct %d, entropy %.2f, recursive %d", j.Distinct, j.Entropy, j.Recursive)
		},
		better: func(a, b *MergedCategories) bool { return a.Entropy > b.Entropy }}
}

// below counts the records below L by kind, for each variable and finally for any variable. It ignores key
// patterns without a value, and collects the failing key patterns.
func (f *Diversities) below() (counts [][]int) {
	for range kinds {
		counts = append(counts, make([]int, len(f.Of)+1))
	}
	kept := violations{}
	l := f.L - dust
	for key, records := range f.Of[0].Spread.Table.Counts() {
		var any [3]bool
		for i, d := range f.Of {
			if d.Distinct[key] == 0 {
				continue // no record has a value that could be disclosed
			}
			below := [3]bool{float64(d.Distinct[key]) < l, d.Entropy[key] < l, float64(d.Recursive[key]) < l}
			for k, is := range below {
				if is {
					counts[k][i] += int(records)
					any[k] = true
				}
			}
			if below != [3]bool{} {
				kept.add(Violation{Key: key, Records: int(records), Variable: i, Danger: -float64(d.Distinct[key])})
			}
		}
		for k, is := range any {
			if is {
				counts[k][len(f.Of)] += int(records)
			}
		}
		if any != [3]bool{} {
			f.Keys++
		}
	}
	f.Failing = kept
	return counts
}

// explain explains a figure with the parameters, or with the values of the key pattern of a record.
func (m *LDiversity) explain(f *Diversities, e *measure.Explanation, what *measure.FigureKey) {
	if what.Column != "" {
		d := f.Of[what.Place/len(kinds)]
		e.Name = wording.Capital(e.Name) + " of " + recordName(what.Record)
		d.explain(e, kinds[what.Place%len(kinds)], int(d.Spread.Table.Key(what.Record)))
		return
	}
	e.Formula = "number of records below l"
	if what.Value.Name == "keys_below_l" {
		e.Formula = "number of key patterns below l by any definition"
	}
	e.Values = []string{fmt.Sprintf("l = %v, c = %v", m.L, m.C), "sensitive variables " + wording.Listed(f.Names)}
}
