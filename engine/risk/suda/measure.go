package suda

import (
	"context"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// cite names the sources of the scores.
const cite = "Elliot, Manning and Ford 2002; Manning, Haglin and Keane 2008; Elliot 2000 (DIS); SDC Practice Guide, Measuring risk"

// Measure is the SUDA2 measure.
type Measure struct {
	risk.OnKeys
	Score    string
	MaxSize  *int // nil: see LargestSize
	Fraction float64
}

var _ measure.Measure = (*Measure)(nil)

// Spec describes suda for the catalog.
func Spec() measure.Spec {
	return measure.Spec{
		Name:   "suda",
		Groups: true,
		Title:  "SUDA2",
		Help: "Finds the minimal sample uniques (MSU) of each record: sets of key variables whose values are unique, while " +
			"every smaller subset is shared with another record. Sets with a missing value are excluded.\n" +
			"- score: the more MSUs a record has and the fewer variables they contain, the higher its score.\n" +
			"- DIS: the probability that a unique match is correct, estimated from the unique records and the pairs.\n" +
			"- DIS-SUDA score: this probability for each record.",
		Cite: cite,
		Columns: []measure.Column{{Name: "suda_score", Title: "SUDA score"},
			{Name: "suda_dis_score", Title: "DIS-SUDA", Unit: measure.Probability},
			{Name: "suda_msus", Title: "minimal sample uniques", Unit: measure.Count}},
		Page: measure.Page{Headline: []string{"scored", "dis", "highest_score"},
			Meaning: measure.Telling("%s records have a unique combination of values of a subset of the key variables. A unique match with a "+
				"person in the population is correct with probability %s (DIS).", "scored", "dis"),
			Bars:  measure.BarsOfTable("contribution_percent", "contribution"),
			Drawn: "contribution of each key variable to the scores, in percent", Worst: "suda_dis_score"},
		New: func() measure.Measure { return &Measure{Score: Elliot, Fraction: 0.01} },
		Definitions: measure.Definitions{
			"scored": {"Number of records with at least one minimal sample unique (MSU): a set of key variables whose values are " +
				"unique, while every smaller subset is shared with another record. Sets with a missing value are excluded.",
				"number of records"},
			"uniques": {"Number of records with a key pattern of their own; missing is a separate value.", "number of records"},
			"pairs":   {"Number of records whose key pattern occurs exactly twice.", "number of records"},
			"max_size": {"Maximum number of key variables in the minimal sample uniques searched. Larger ones are not found.",
				"number of variables"},
			"dis": {"DIS (data intrusion simulation): the probability that an intruder who finds exactly one record with the " +
				"values of a person has found that person. It is estimated from the number of unique records and of records " +
				"in pairs, on all key variables.",
				"DIS = U d / (U d + P (1 - d)), U records that are unique, P records in pairs, d the sampling fraction"},
			"expected_dis": {"The sum of the DIS-SUDA scores: the number of correct matches that an intruder can expect, according to " +
				"SUDA. Its mean over the records is comparable to the global risk.",
				"sum of the DIS-SUDA scores of all records"},
			"highest_score": {"The highest SUDA score of a record: many minimal sample uniques with few variables."},
			"suda_score": {"Sum over the minimal sample uniques of the record: sets of key variables on which it is unique, but not on " +
				"any smaller subset. Sets with few variables count most."},
			"suda_dis_score": {"The rate of correct unique matches, DIS, distributed over the records by their SUDA scores: the probability " +
				"that a match with this record is correct.",
				"1 / (1 + (U/DIS - U) / (s^Q A)), Q = 1 + (8 - q)/20, A the sum of s^-Q over the records with a score s", "DIS-SUDA score"},
			"suda_msus": {"Number of minimal sample uniques (MSU) of the record.", "number of sets of variables", "Minimal sample uniques"},
		},
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Measure) Params() []method.Param {
	return []method.Param{
		m.OnKeys.Param(),
		method.Choice(&m.Score, "score",
			"weight of an MSU in the score: the number of orders in which the other variables can be added "+
				"(Elliot), or the number of larger sets that contain it, divided by the number of sets of its size (SDC guide)", Elliot, IHSN).
			Called("Elliot (number of orders)", "SDC guide (number of larger sets)"),
		method.Number(&m.MaxSize, "max_size",
			"maximum number of variables in an MSU").AtLeast(1).Empty("no limit for up to 14 key variables, a lower one for more"),
		method.Number(&m.Fraction, "fraction", "sampling fraction, sample / population").Between(1e-9,
			1-1e-9).By(0.01),
	}
}

// Of returns the result for a version of the data. It is computed once for equal parameters.
func (m *Measure) Of(ctx context.Context, v *measure.Version, meter *progress.Meter) (*Result, error) {
	v = m.OnKeys.Of(v)
	o := Options{Score: m.Score, Fraction: m.Fraction}
	if m.MaxSize != nil {
		o.MaxSize = *m.MaxSize
	}
	return measure.Once(ctx, v, fmt.Sprintf("suda %+v", o), v.Scenario.Keys, func() (*Result, error) {
		table, err := v.Table(ctx)
		if err != nil {
			return nil, err
		}
		return Find(ctx, table, o, meter)
	})
}

// Compute searches the version of the data.
func (m *Measure) Compute(ctx context.Context, in measure.Input, meter *progress.Meter) (measure.Values, error) {
	r, err := m.Of(ctx, in.Current, meter)
	if err != nil {
		return measure.Values{}, err
	}
	records := r.table.Records()
	count := func(name, title string, number int, better measure.Direction) measure.Value {
		return measure.Value{Name: name, Title: title, Number: float64(number), Unit: measure.Count, Better: better,
			Of: records}
	}
	sum := 0.0
	for key, count := range r.table.Counts() {
		sum += float64(r.dis[key] * float64(count))
	}
	v := m.OnKeys.Of(in.Current)
	scored := count("scored", "records with a minimal sample unique", r.Scored, measure.Lower)
	uniques := count("uniques", "records unique on all key variables, own category", r.U, measure.Lower)
	scored.Labels.ShortRow, uniques.Labels.ShortRow = "with an MSU", "unique, own category"
	values := measure.Values{
		Numbers: []measure.Value{
			scored, uniques,
			count("pairs", "records in pairs", r.P, measure.Either),
			{Name: "dis", Title: "DIS, the rate of correct unique matches", Labels: measure.Labels{ShortRow: "DIS, correct unique matches"}, Number: r.Rate, Unit: measure.Probability,
				Better: measure.Lower},
			{Name: "highest_score", Title: "highest score", Number: r.Highest, Better: measure.Lower},
			{Name: "expected_dis", Title: "sum of the DIS-SUDA scores", Number: sum, Better: measure.Lower},
			{Name: "max_size", Title: "maximum number of variables searched", Labels: measure.Labels{ShortRow: "maximum variables searched"}, Number: float64(r.Options.MaxSize),
				Unit: measure.Count},
		},
		Tables:  []measure.Table{r.contributions(v.Scenario.Keys), r.Intervals(), r.sizes(), r.categories(v)},
		Explain: r.explain, Result: r,
	}
	number := func(key int) float64 { return float64(len(r.uniques.of(key))) }
	for _, figure := range []func(key int) float64{r.Score, r.DIS, number} {
		values.Records = append(values.Records, risk.OfRecords(r.table, figure))
	}
	return values, nil
}

// contributions returns the table of the variables' contributions to all scores.
func (r *Result) contributions(names []string) measure.Table {
	t := measure.Table{Name: "contribution_percent", Drawn: true, Title: "Contribution of the key variables to the SUDA scores",
		Columns: []string{"variable", "contribution"}}
	for v, name := range names {
		t.Rows = append(t.Rows, []any{name, measure.Percent(100 * r.Variable[v])})
	}
	return t
}

// intervals is the number of intervals of DIS-SUDA scores in the table, excluding 0.
const intervals = 8

// Intervals returns the table of records by DIS-SUDA score: 0, then tenths up to 0.7, and above.
func (r *Result) Intervals() measure.Table {
	counts := make([]int, intervals+1)
	for key, count := range r.table.Counts() {
		counts[min(intervals, int(math.Ceil(10*r.dis[key])))] += int(count) // each interval includes its upper end
	}
	t := measure.Table{Name: "dis_intervals", Drawn: true, Title: "Records by DIS-SUDA score",
		Columns: []string{"interval", "records"}}
	for i, count := range counts {
		name := "0"
		switch {
		case i == intervals:
			name = "above 0.7"
		case i > 0:
			name = fmt.Sprintf("(%.1f, %.1f]", float64(i-1)/10, float64(i)/10)
		}
		t.Rows = append(t.Rows, []any{name, count})
	}
	return t
}

// sizes returns the table of MSUs by number of variables.
func (r *Result) sizes() measure.Table {
	t := measure.Table{Name: "msus_by_size", Drawn: true, Title: "Minimal sample uniques by their number of variables",
		Columns: []string{"variables", "minimal sample uniques"}}
	for size := 1; size <= r.Options.MaxSize; size++ {
		t.Rows = append(t.Rows, []any{size, r.BySize[size]})
	}
	return t
}

// categories returns the table of the categories that contribute to scores.
func (r *Result) categories(v *measure.Version) measure.Table {
	t := measure.Table{Name: "category_percent", Drawn: true, Title: "Contribution of the categories to the SUDA scores",
		Columns: []string{"variable", "category", "contribution"}}
	for variable, name := range v.Scenario.Keys {
		for code, level := range v.Levels(name) {
			if share := r.Category[variable][code+1]; share > 0 {
				t.Rows = append(t.Rows, []any{name, microdata.Combination{{Variable: name, Label: level.Label}},
					measure.Percent(100 * share)})
			}
		}
	}
	return t
}

// Names returns the variables of a set of key variables.
func Names(set uint64, names []string) (of []string) {
	for v, name := range names {
		if set>>v&1 == 1 {
			of = append(of, name)
		}
	}
	return of
}
