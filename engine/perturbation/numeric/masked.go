package numeric

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Masked returns the data with the masked values, given by variable and complete record, and the number of changed
// cells by variable. A variable of integers remains one if all its masked values are integers. If the treatment
// requires it, masked values are first rounded to the decimals of the source, and formatted with these if all
// numbers of the source are; otherwise each cell has as many decimals as its value needs. Columns with changed
// cells are marked as perturbed and by mark, which may be nil.
func (t *Table) Masked(ctx context.Context, in method.Input, masked [][]float64,
	mark Mark) (*microdata.Dataset, method.Counts, error) {
	changed, columns := make(method.Counts, len(t.Columns)), make([]*microdata.Column, len(t.Columns))
	err := parallel.Each(ctx, len(columns), func(j int) error {
		column := t.Columns[j]
		t.round(j, masked[j])
		numbers, count := t.numbers(column, j, masked[j])
		changed[j] = method.Count{Name: column.Name(), Count: count}
		columns[j] = column
		if count == 0 {
			numbers.Free(column.Store())
		} else {
			columns[j] = marked(column.WithNumbers(kindOf(column, masked[j]), numbers), in, mark)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return in.Data.With(columns...), changed, nil
}

// Output returns the data with Masked applied, and the report of a step that masks nothing else.
func (t *Table) Output(ctx context.Context, in method.Input, title string, masked [][]float64,
	mark Mark) (method.Output, error) {
	data, changed, err := t.Masked(ctx, in, masked, mark)
	if err != nil {
		return method.Output{}, err
	}
	return method.Output{Data: data, Report: t.Report(in, title, masked, changed)}, ctx.Err()
}

// Report returns the report of a step that masks nothing else.
func (t *Table) Report(in method.Input, title string, masked [][]float64, changed method.Counts) method.Report {
	return method.Report{Title: title, Changed: changed.Sum(), Effect: t.Effect(changed), Unmasked: t.Left(),
		Warnings: t.Warnings(in, masked, changed)}
}

// numbers returns the masked values of a variable, in its store, and the number of changed cells.
func (t *Table) numbers(column *microdata.Column, j int, masked []float64) (*microdata.Numbers, int) {
	out := blank(column, t.spelling(j))
	count := 0
	for i, row := range t.Rows {
		if before := t.Values[j][i]; before == before && masked[i] != before {
			out.Values[row] = masked[i] + 0 // never "-0"
			count++
		}
	}
	return out, count
}

// blank returns a copy of a column's numbers, in its store.
func blank(column *microdata.Column, decimals uint8) *microdata.Numbers {
	out := &microdata.Numbers{Values: store.Make[float64](column.Store(), column.Len()), Decimals: decimals}
	copy(out.Values, column.Floats())
	return out
}

// kindOf returns the kind of a masked variable: integer if all values were and are integers.
func kindOf(column *microdata.Column, masked []float64) microdata.Kind {
	if column.Kind() == microdata.Whole && isWhole(masked) {
		return microdata.Whole
	}
	return microdata.Number
}

func isWhole(values []float64) bool {
	for _, x := range values {
		if x != math.Trunc(x) && !math.IsNaN(x) {
			return false
		}
	}
	return true
}

// Effect reports how many cells of the variables a step changed, out of all complete ones.
func (t *Table) Effect(changed method.Counts) string {
	cells := 0
	for j := range t.Columns {
		values, _ := t.Compared(j, t.Values[j])
		cells += len(values)
	}
	return wording.Number(changed.Sum()) + " of " + wording.Counted(cells, "cell") + " changed"
}

// Left returns the records that the step leaves unchanged, or nil if all records are complete and masked.
func (t *Table) Left() *method.Unmasked {
	if t.Partial == 0 && t.left.Records == 0 {
		return nil
	}
	left := t.left
	return &left
}

// Warnings reports what the step did not mask, masked values that the file declares missing, and figures that do
// not apply afterwards.
func (t *Table) Warnings(in method.Input, masked [][]float64, changed method.Counts) []string {
	var warnings []string
	if t.Partial > 0 || t.left.Records > 0 {
		warnings = append(warnings, t.left.String())
	}
	if names := t.Constant(); len(names) > 0 && changed.Sum() > 0 {
		warnings = append(warnings, strings.Join(names, ", ")+" "+wording.Verb(len(names), "have")+" one value only")
	}
	if changed.Sum() == 0 {
		return append(warnings, method.WarnNothing)
	}
	warnings = append(warnings, t.declaredMissing(masked)...)
	return append(warnings, method.WarnKeys(in.Scenario, changed.Names())...)
}

// names returns the names of the variables.
func (t *Table) names() (names []string) {
	for _, column := range t.Columns {
		names = append(names, column.Name())
	}
	return names
}

// declaredMissing lists variables with masked values that the file declares missing, by a code or a range, so that
// readers of the file would take them for missing.
func (t *Table) declaredMissing(masked [][]float64) (warnings []string) {
	for j, column := range t.Columns {
		missing, count := column.Description().MissingNumbers(), 0
		if missing.None() {
			continue
		}
		for i, x := range masked[j] {
			if x != t.Values[j][i] && missing.Has(x) {
				count++
			}
		}
		if count > 0 {
			warnings = append(warnings,
				fmt.Sprintf("%s of %s now %s in the range that the file declares missing, and would count as missing",
					wording.Counted(count, "value"), column.Name(), wording.Verb(count, "lie")))
		}
	}
	return warnings
}
