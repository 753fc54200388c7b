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

// Masked returns the data with the variables as masked, by variable and complete
// record, and the number of cells that differ, by variable. A variable of whole
// numbers stays one where all its masked values are whole. Where
// the treatment says so, masked is rounded to the decimals of the source first, and spelled with these if all numbers
// of the source are; else all cells are spelled with as many decimals as their value needs. The
// columns in which a cell differs are marked as perturbed, and by mark in addition; nil: not.
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

// Output returns the data with the variables as Masked gives them, and the report of a step
// that masks nothing else.
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

// numbers returns the masked numbers of a variable, in its store, and how many cells differ.
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

// blank returns the numbers of a column, in its store, to be changed.
func blank(column *microdata.Column, decimals uint8) *microdata.Numbers {
	out := &microdata.Numbers{Values: store.Make[float64](column.Store(), column.Len()), Decimals: decimals}
	copy(out.Values, column.Floats())
	return out
}

// kindOf returns what masked values of a variable are: whole numbers where all were and are.
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

// Effect says how many cells of the variables a step changed, of all complete ones.
func (t *Table) Effect(changed method.Counts) string {
	cells := 0
	for j := range t.Columns {
		values, _ := t.Compared(j, t.Values[j])
		cells += len(values)
	}
	return wording.Number(changed.Sum()) + " of " + wording.Counted(cells, "cell") + " changed"
}

// Left tells which records the step leaves as they were; nil where there are none, and
// none that lack a value.
func (t *Table) Left() *method.Unmasked {
	if t.Partial == 0 && t.left.Records == 0 {
		return nil
	}
	left := t.left
	return &left
}

// Warnings say what of the file the step did not reach, which masked values the file
// declares missing, and which figures mean nothing after it.
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

// names returns those of the variables.
func (t *Table) names() (names []string) {
	for _, column := range t.Columns {
		names = append(names, column.Name())
	}
	return names
}

// declaredMissing names variables that have values now that the file declares missing,
// by a code or a range, and that would be missing for who reads the file.
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
