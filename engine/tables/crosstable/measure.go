package crosstable

import (
	"context"
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// RiskiestMeasure is the measure of the combinations of key variables with most sample uniques.
type RiskiestMeasure struct {
	risk.OnKeys
	MaxSize int
	K       int
	Most    int
}

var _ measure.Measure = (*RiskiestMeasure)(nil)

// RiskiestSpec describes the measure for the catalog.
func RiskiestSpec() measure.Spec {
	return measure.Spec{
		Name:   "combinations",
		Groups: true,
		Title:  "riskiest combinations",
		Help: "Counts the records that an intruder who knows up to three key variables can isolate. It cross-tabulates all " +
			"combinations and counts the records in cells with one record, and with fewer than k. Records with a missing " +
			"value are not in any cell.",
		Cite:    measure.SourceGuide + "; mu-ARGUS 5.1 manual",
		Section: "Riskiest combinations",
		Shown:   measure.Report,
		Page: measure.Page{Meaning: measure.Telling("Recode the few variables that make many records unique first. The table lists them by " +
			"the number of sample uniques.")},
		New: func() measure.Measure { return &RiskiestMeasure{MaxSize: 3, K: 3, Most: 5} },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *RiskiestMeasure) Params() []method.Param {
	return []method.Param{
		m.OnKeys.Param(),
		method.Number(&m.MaxSize, "max_size", "maximum number of variables in a combination").Between(1, 3),
		method.Number(&m.K, "k", "also count the cells with fewer records than this").AtLeast(2),
		method.Number(&m.Most, "most", "combinations to list for each number of variables").AtLeast(1),
	}
}

// Compute examines the cross tables.
func (m *RiskiestMeasure) Compute(ctx context.Context, in measure.Input, _ *progress.Meter) (measure.Values, error) {
	v := m.OnKeys.Of(in.Current)
	table, err := v.Table(ctx)
	if err != nil {
		return measure.Values{}, err
	}
	names := v.Scenario.Keys
	out := measure.Values{Tables: []measure.Table{{Name: "combinations",
		Title: "Combinations with the most sample uniques",
		Columns: []string{"variables", "key patterns", "sample uniques", "percent of records",
			fmt.Sprintf("f < %d", m.K)}}}}
	for size := 1; size <= min(m.MaxSize, len(names)); size++ {
		sets, ok := Choices(len(names), size)
		if !ok {
			break // too many combinations
		}
		found, err := Rare(ctx, table.Groups(), sets, m.K)
		if err != nil {
			return out, err
		}
		RarestFirst(found)
		t := &out.Tables[0]
		for _, r := range found[:min(m.Most, len(found))] {
			t.Rows = append(t.Rows, []any{Named(r.Set, names), r.Cells, r.Alone, measure.PercentOf(r.Alone, table.Records()),
				r.Below})
		}
		out.Numbers = append(out.Numbers, measure.Value{Name: fmt.Sprintf("alone_%d", size), Number: float64(found[0].Alone),
			Unit:   measure.Count,
			Labels: measure.Labels{ShortRow: "unique on " + wording.CountedAs(size, "variable", "variables")},
			Title:  "records unique on the riskiest " + riskiest(size), Better: measure.Lower,
			Of: table.Records()})
	}
	out.Explain = func(e *measure.Explanation, what *measure.FigureKey) { explain(&out.Tables[0], e, what) }
	return out, nil
}

// riskiest describes a combination of variables: "variable", "combination of 2 variables".
func riskiest(size int) string {
	if size == 1 {
		return "variable"
	}
	return fmt.Sprintf("combination of %d variables", size)
}

// Named formats a set of variables: "region × sex".
func Named(set uint64, names []string) string {
	return wording.Joined(Variables(set), " × ", func(v int) string { return names[v] })
}

// explain names the combination behind a figure.
func explain(combinations *measure.Table, e *measure.Explanation, what *measure.FigureKey) {
	e.Name, e.Formula = wording.Capital(e.Name), "number of cells of the cross table that hold 1 record"
	size := what.Value.Name[len(what.Value.Name)-1] - '0'
	for _, row := range combinations.Rows {
		if name := row[0].(string); strings.Count(name, " × ") == int(size)-1 {
			e.Values = []string{fmt.Sprintf("%s: %s of %s cells that occur, %s of %s records", name, e.Value,
				wording.Number(row[1].(int)), e.Value, wording.Number(what.Value.Of))}
			break
		}
	}
}
