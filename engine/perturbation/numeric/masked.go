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
// numbers stays one where all its masked values are whole. Cells are spelled with as
// many decimals as tell their value, those that got the one they had, too: their
// spelling would tell it. Where
// sources name, for each cell, the complete record that its value stood in, it is
// spelled as there, so that the spelling does not tell what was moved; nil: none. Where
// the treatment says so, masked is rounded to the decimals of the source first. The
// columns in which a cell differs are marked as perturbed, and by mark in addition; nil: not.
func (t *Table) Masked(ctx context.Context, in method.Input, masked [][]float64, sources [][]uint32,
	mark Mark) (*microdata.Dataset, method.Counts, error) {
	changed, columns := make(method.Counts, len(t.Columns)), make([]*microdata.Column, len(t.Columns))
	err := parallel.Each(ctx, len(columns), func(j int) (err error) {
		column := t.Columns[j]
		var from []uint32
		if sources != nil {
			from = sources[j]
		}
		t.round(j, masked[j])
		numbers, count := t.numbers(column, j, masked[j], from)
		changed[j] = method.Count{Name: column.Name(), Count: count}
		columns[j] = column
		if count == 0 {
			numbers.Free(column.Store())
		} else {
			if column, err = column.WithNumbers(kindOf(column, masked[j]), numbers); err != nil {
				return err
			}
			columns[j] = marked(column, in, mark)
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
func (t *Table) Output(ctx context.Context, in method.Input, title string, masked [][]float64, sources [][]uint32,
	mark Mark) (method.Output, error) {
	data, changed, err := t.Masked(ctx, in, masked, sources, mark)
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
func (t *Table) numbers(column *microdata.Column, j int, masked []float64, sources []uint32) (*microdata.Numbers, int) {
	count, spelling := 0, uint8(microdata.OddSpelling)
	if t.places != nil {
		spelling = t.places[j].spelling()
	}
	out, cell, rows, values, i := blank(column), cellsOf(column), t.Rows, t.Values[j], 0
	for row := range out.Values {
		if i == len(rows) || int(rows[i]) != row {
			put(out, row, cell, row)
			continue
		}
		x, before := masked[i]+0, values[i] // + 0: never "-0"
		if x != before && before == before {
			count++
		}
		switch {
		case before != before || x == before && t.leaves:
			put(out, row, cell, row)
		case sources != nil && values[sources[i]] == x:
			put(out, row, cell, int(rows[sources[i]]))
		default:
			out.Values[row], out.Decimals[row] = x, spelling
		}
		i++
	}
	return out, count
}

// blank returns numbers for the records of a column, in its store, to be put.
func blank(column *microdata.Column) *microdata.Numbers {
	s := column.Store()
	return &microdata.Numbers{Values: store.Make[float64](s, column.Len()), Decimals: store.Make[uint8](s, column.Len()),
		Odd: map[uint32]string{}}
}

// put gives a record the number of one of the cells.
func put(out *microdata.Numbers, row int, cell cells, from int) {
	odd := ""
	if out.Values[row], out.Decimals[row], odd = cell(from); odd != "" {
		out.Odd[uint32(row)] = odd
	}
}

// cells returns the number of a record, its decimals, and its spelling where that is odd.
type cells func(row int) (x float64, decimals uint8, odd string)

// cellsOf returns the cells of a column.
func cellsOf(column *microdata.Column) cells {
	if was := column.StoredAsNumbers(); was != nil {
		decimals := was.DecimalsOf()
		return func(row int) (float64, uint8, string) { return was.Values[row], decimals(row), was.Odd[uint32(row)] }
	}
	categories := column.Categories()
	decimals := make([]uint8, len(categories.Levels))
	for i, level := range categories.Levels {
		decimals[i] = decimalsOf(level)
	}
	return func(row int) (float64, uint8, string) {
		code := categories.Codes.At(row)
		if code == 0 {
			return math.NaN(), 0, ""
		}
		level := categories.Levels[code-1]
		if decimals[code-1] == microdata.OddSpelling {
			return level.Value, microdata.OddSpelling, level.Label
		}
		return level.Value, decimals[code-1], ""
	}
}

// decimalsOf returns the number of decimals with which a level is spelled;
// microdata.OddSpelling where it is spelled otherwise.
func decimalsOf(level microdata.Level) uint8 {
	_, fraction, _ := strings.Cut(level.Label, ".")
	if len(fraction) > 100 || string(microdata.AppendDecimal(nil, level.Value, len(fraction))) != level.Label {
		return microdata.OddSpelling
	}
	return uint8(len(fraction))
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
				fmt.Sprintf("%s of %s now %s where the file declares values missing, and would count as missing there",
					wording.Counted(count, "value"), column.Name(), wording.Verb(count, "lie")))
		}
	}
	return warnings
}
