package combinations

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

const citeCells = "Hundepool et al. 2012, Statistical Disclosure Control; the manual of mu-Argus 5.1"

// RiskyCells counts the cells of cross tables that contain few records.
type RiskyCells struct {
	risk.OnKeys
	MaxDim     int
	Thresholds []int          // by number of variables; the last one also holds for larger numbers; nil: 1
	Levels     map[string]int // identification levels as in mu-Argus, 1 to 5; nil: all combinations
}

var _ measure.Measure = (*RiskyCells)(nil)

// RiskyResult is the result of RiskyCells.
type RiskyResult struct {
	Names  []string // of the key variables
	Tables []crosstable.Table
	Unsafe *crosstable.UnsafeMeasure
	Table  *keys.Table // of the key variables
	In     []uint16    // per key pattern: the number of combinations in which it is in an unsafe cell
}

// RiskyCellsSpec describes riskycells for the catalog.
func RiskyCellsSpec() measure.Spec {
	return measure.Spec{
		Name:   "riskycells",
		Groups: true,
		Title:  "unsafe combinations",
		Help: "Cross-tabulates key variables and counts unsafe combinations: values that occur together, but in no " +
			"more records than the threshold. Combinations with a missing value are not counted.\n" +
			"- by default: all combinations of up to the given number of variables\n" +
			"- by identification levels, as in mu-Argus: combinations of one variable from the first level in use, one " +
			"from the first two, and so on",
		Cite:    citeCells,
		Columns: []measure.Column{{Name: "unsafe_combinations", Title: "unsafe combinations", Unit: measure.Count}},
		Page:    measure.Page{Worst: "unsafe_combinations", Meaning: measure.Telling("The key variables have %s unsafe combinations, with %s records in them.", "unsafe_cells", "records_in_unsafe_cells")},
		New:     func() measure.Measure { return &RiskyCells{MaxDim: 3} },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *RiskyCells) Params() []method.Param {
	return []method.Param{
		m.OnKeys.Param(),
		method.Number(&m.MaxDim, "max_dim", "maximum number of variables in a combination").AtLeast(1),
		method.Numbers(&m.Thresholds, "thresholds",
			"threshold for each number of variables, starting at 1; the last one also applies to more variables; 0: skip").Empty("1"),
		method.Importance(&m.Levels, "levels", "identification level of each key variable: 1 is most identifying, 5 least, 0 not identifying").
			Empty("all combinations"),
	}
}

// tables returns the combinations of the named variables.
func (m *RiskyCells) tables(names []string) ([]crosstable.Table, error) {
	thresholds := m.Thresholds
	if len(thresholds) == 0 {
		thresholds = []int{1}
	}
	if slices.Min(thresholds) < 0 || slices.Max(thresholds) < 1 {
		return nil, method.ParamError("\"thresholds\" must be at least 1, or 0 to skip a number of variables, and not all 0")
	}
	if len(m.Levels) > 0 {
		if len(thresholds) > 1 {
			return nil, method.ParamError("\"thresholds\": identification levels take a single threshold")
		}
		return (&Combinations{Levels: m.Levels, Threshold: thresholds[0]}).tables(names)
	}
	if len(thresholds) > m.MaxDim {
		return nil, method.ParamError("\"thresholds\": %d thresholds for at most %d variables", len(thresholds),
			m.MaxDim)
	}
	for len(thresholds) < min(m.MaxDim, len(names)) {
		thresholds = append(slices.Clone(thresholds), thresholds[len(thresholds)-1])
	}
	return (&Combinations{Thresholds: thresholds}).tables(names)
}

// Compute counts the unsafe cells of the version of the data.
func (m *RiskyCells) Compute(ctx context.Context, in measure.Input, _ *progress.Meter) (out measure.Values, _ error) {
	v := m.OnKeys.Of(in.Current)
	r := &RiskyResult{Names: v.Scenario.Keys}
	var err error
	if r.Tables, err = m.tables(r.Names); err != nil {
		return out, err
	}
	if r.Table, err = v.Table(ctx); err != nil {
		return out, err
	}
	if r.Unsafe, err = crosstable.Count(ctx, r.Table.Groups(), r.Tables); err != nil {
		return out, err
	}
	r.In = make([]uint16, r.Table.Keys())
	for i := range r.Tables {
		r.Unsafe.EachKey(i, func(key int) { r.In[key]++ })
	}
	records := 0
	for key, count := range r.Table.Counts() {
		if r.In[key] > 0 {
			records += int(count)
		}
	}
	values := measure.Values{Result: r, Explain: r.explain, Tables: []measure.Table{r.table(), r.byVariable()},
		Records: []func(int) float64{risk.OfRecords(r.Table, func(key int) float64 { return float64(r.In[key]) })}}
	values.Numbers = []measure.Value{
		{Name: "unsafe_cells", Title: "unsafe combinations", Number: float64(r.Unsafe.Cells), Unit: measure.Count,
			Better: measure.Lower},
		{Name: "records_in_unsafe_cells", Title: "records in unsafe combinations", Number: float64(records), Unit: measure.Count,
			Better: measure.Lower, Of: r.Table.Records()},
		{Name: "combinations", Title: "combinations of variables", Number: float64(len(r.Tables)), Unit: measure.Count},
	}
	return values, ctx.Err()
}

// table lists the combinations with their numbers of unsafe cells.
func (r *RiskyResult) table() measure.Table {
	most := 0
	for _, t := range r.Tables {
		most = max(most, bits.OnesCount64(t.Set))
	}
	out := measure.Table{Name: "table", Title: "Unsafe combinations by variables"}
	for dim := range most {
		out.Columns = append(out.Columns, fmt.Sprintf("dim%d", dim+1))
	}
	out.Columns = append(out.Columns, "threshold", "unsafe_cells")
	for _, i := range crosstable.BySize(r.Tables) {
		row := make([]any, 0, most+2)
		for _, v := range crosstable.Variables(r.Tables[i].Set) {
			row = append(row, r.Names[v])
		}
		for len(row) < most {
			row = append(row, "")
		}
		out.Rows = append(out.Rows, append(row, r.Tables[i].Threshold, r.Unsafe.CellsOf(int(i))))
	}
	return out
}

// byVariable lists the number of unsafe cells of each variable by the size of the combination.
func (r *RiskyResult) byVariable() measure.Table {
	out := measure.Table{Name: "variables", Title: "Unsafe combinations by variable and number of variables",
		Columns: []string{"variable"}}
	for v, name := range r.Names {
		row := []any{name}
		for dim, cells := range r.Unsafe.ByDimension(v) {
			if v == 0 {
				out.Columns = append(out.Columns, fmt.Sprintf("of_%d", dim+1))
			}
			row = append(row, cells)
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// Combinations returns the combinations in which a key pattern is in an unsafe cell, as sets of key variables,
// smallest first.
func (r *RiskyResult) Combinations(key int) (sets []uint64) {
	for _, i := range crosstable.BySize(r.Tables) {
		if r.Unsafe.Has(int(i), key) {
			sets = append(sets, r.Tables[i].Set)
		}
	}
	return sets
}

// explain lists the combinations behind a figure, or those in which a record is in an unsafe cell.
func (r *RiskyResult) explain(e *measure.Explanation, what *measure.FigureKey) {
	if what.Column == "" {
		e.Formula = "number of cells with at least 1 record and at most the threshold, over all combinations"
		e.Values = []string{wording.Counted(len(r.Tables), "combination") + " of " + wording.Listed(r.Names),
			wording.Counted(r.Unsafe.Cells, "unsafe cell")}
		return
	}
	key := int(r.Table.Key(what.Record))
	e.Name = "Unsafe combinations of record " + wording.Number(what.Record+1)
	e.Formula = "number of combinations in which the record is in an unsafe cell"
	const most = 10
	for _, set := range r.Combinations(key) {
		if len(e.Values) == most {
			e.Values = append(e.Values, fmt.Sprintf("and %d more", int(r.In[key])-most))
			break
		}
		var names []string
		for _, v := range crosstable.Variables(set) {
			names = append(names, r.Names[v])
		}
		e.Values = append(e.Values, strings.Join(names, " × "))
	}
	e.Values = append(e.Values, "in all "+e.Value)
}
