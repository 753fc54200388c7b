// Package numeric is what methods that mask numeric variables have in common:
// the records of the variables, by strata, and the columns that come of masked values.
//
// A record with a missing value in one of the variables is left as it is, belongs
// to no group and counts in no mean: only the others are in a Table. A Treatment can
// have those that lack the same values masked by themselves, by the values they have.
//
//	table, err := numeric.New(ctx, in, numeric.Request{Param: "variables", Variables: []string{"income", "savings"}})
//	defer table.Free()
//	masked := table.Copy()
//	// change masked[j][i]
//	data, changed, err := table.Masked(ctx, in, masked, nil)
package numeric

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Block is the number of records between two looks at a context.
const Block = 1 << 14

// Table is the records of some numeric variables that a method masks: those that are
// complete, and where that is asked for those that lack the same values as enough others.
type Table struct {
	Columns []*microdata.Column
	Values  [][]float64 // by variable and record: finite; NaN where one is missing
	Rows    []uint32    // of the records in the dataset
	Strata  []Stratum   // at least one; together all records
	Partial int         // records that lack a value and are masked

	picked bool            // the values are copies, without those of records that are left
	left   method.Unmasked // for a value they lack
	places []places        // of the variables in the source; nil: numbers are not rounded
}

// Stratum is the records of one stratum that have values of the same variables.
type Stratum struct {
	Label   string // its categories, joined by ", ", and what it lacks; "" for the whole file
	Records []uint32
	// Variables are those that the records have values of, and Beside those beside
	// them, by their places; nil: all.
	Variables, Beside []int
}

// Request says what is masked.
type Request struct {
	Param     string // that names the variables, in errors
	Variables []string
	Strata    []string // whose combinations of categories part the records
	Treatment Treatment
	// Enough returns how many records must lack the same to be masked by themselves, by
	// the number of variables that they have, and of those beside them; nil: LeastOfPattern.
	Enough func(variables, beside int) int
	// Beside report whether a row lacks a value of other variables that complete records have a value of as well.
	Beside []func(row int) bool
}

// New returns the records of the variables that are masked, parted by the strata
// variables if there are any. An error wraps method.ErrParam where a variable is
// not there, named twice, no numeric variable or identifies households, and
// method.ErrInput where it has infinite values or ones too large to be squared, or
// a record lacks a value where that is refused.
func New(ctx context.Context, in method.Input, r Request) (*Table, error) {
	columns, err := in.Columns(r.Param, r.Variables)
	if err != nil {
		return nil, err
	}
	t := &Table{Columns: columns}
	if err := t.numbersOf(in, r); err != nil {
		return nil, err
	}
	if err := t.read(ctx, in, r); err != nil {
		return nil, err
	}
	err = parallel.Each(ctx, len(columns), func(j int) error {
		if r.Treatment.Decimals == AsSource {
			t.places[j] = placesOf(columns[j])
		}
		return finite(columns[j].Name(), t.Values[j])
	})
	if err != nil {
		t.Free()
		return nil, err
	}
	return t, nil
}

// numbersOf reports variables that are no numbers, or identify households.
func (t *Table) numbersOf(in method.Input, r Request) error {
	for _, column := range t.Columns {
		switch {
		case column.Name() == in.Scenario.Household:
			return method.ParamError("%q: %q contains household IDs; replace it with random IDs instead", r.Param, column.Name())
		case !column.Numeric():
			return method.ParamError("%q: %q is not a numeric variable", r.Param, column.Name())
		case !column.Amounts():
			return method.ParamError("%q: the values of %q are codes without an order; if they are amounts, convert the variable to ordered first",
				r.Param, column.Name())
		}
	}
	return nil
}

// mostSquared is the largest number whose square a million records can add up.
const mostSquared = 1e150

func finite(name string, values []float64) error {
	infinite, large := 0, 0
	for _, x := range values {
		if math.IsInf(x, 0) {
			infinite++
		} else if math.Abs(x) > mostSquared {
			large++
		}
	}
	switch {
	case infinite > 0:
		return fmt.Errorf("%w: %q is infinite in %s; set these to missing first", method.ErrInput, name,
			wording.Counted(infinite, "record"))
	case large > 0:
		return fmt.Errorf("%w: %q has numbers too large to be squared in %s", method.ErrInput, name,
			wording.Counted(large, "record"))
	}
	return nil
}

// Where names the stratum in a sentence.
func (s Stratum) Where() string {
	if s.Label == "" {
		return "the file"
	}
	return "the stratum " + s.Label
}

// Told returns an error with the stratum that it is of before it.
func (s Stratum) Told(ctx context.Context, err error) error {
	if err == nil || s.Label == "" || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("stratum %s: %w", s.Label, err)
}

// Of returns the values of a stratum, by those of the variables that it has; they must
// not be modified.
func (t *Table) Of(s Stratum) [][]float64 { return s.Picked(t.Values) }

// Picked returns figures of all variables and records for those of the stratum; as they
// are where these are all.
func (s Stratum) Picked(all [][]float64) [][]float64 {
	if s.Variables != nil {
		all = stat.Variables(all, s.Variables)
	}
	return Picked(all, s.Records)
}

// Put puts the values of the stratum into those of a table, by the variables that it has.
func (s Stratum) Put(all, values [][]float64) {
	for j := range values {
		of := all[s.Variable(j)]
		for i, record := range s.Records {
			of[record] = values[j][i]
		}
	}
}

// Each masks the strata one after the other, by what mask returns of the values of each; values of the whole file that
// mask returns are not copied.
func (t *Table) Each(ctx context.Context, meter *progress.Meter,
	mask func(s Stratum, values [][]float64) ([][]float64, error)) (masked [][]float64, err error) {
	whole := len(t.Strata) == 1 && t.Strata[0].Variables == nil
	if !whole {
		masked = t.Copy()
	}
	for _, stratum := range t.Strata {
		out, err := mask(stratum, t.Of(stratum))
		if err != nil {
			return nil, stratum.Told(ctx, err)
		}
		if meter.Add(int64(len(stratum.Records))); whole {
			return out, ctx.Err()
		}
		stratum.Put(masked, out)
	}
	return masked, ctx.Err()
}

// Variable returns the place in the table of a variable of the stratum.
func (s Stratum) Variable(k int) int {
	if s.Variables == nil {
		return k
	}
	return s.Variables[k]
}

// Has reports whether the records of the stratum have a variable of the table.
func (s Stratum) Has(variable int) bool {
	return s.Variables == nil || slices.Contains(s.Variables, variable)
}

// Place returns the place in the stratum of a variable of the table; the first where the
// records do not have it.
func (s Stratum) Place(variable int) int {
	if s.Variables == nil {
		return variable
	}
	return max(0, slices.Index(s.Variables, variable))
}

// Picked returns the values of some records, by variable; all of them as they are.
func Picked(all [][]float64, records []uint32) [][]float64 {
	if len(all) > 0 && len(records) == len(all[0]) {
		return all
	}
	return stat.Picked(all, records)
}

// Copy returns a copy of the values, to be changed.
func (t *Table) Copy() [][]float64 {
	out := make([][]float64, len(t.Values))
	for j := range out {
		out[j] = append([]float64(nil), t.Values[j]...)
	}
	return out
}

// Compared returns values of a variable, as they were and as masked, without those that
// are missing.
func (t *Table) Compared(j int, masked []float64) (before, after []float64) {
	if t.Partial == 0 {
		return t.Values[j], masked
	}
	for i, x := range t.Values[j] {
		if x == x {
			before, after = append(before, x), append(after, masked[i])
		}
	}
	return before, after
}

// Constant returns the names of the variables that have one value only.
func (t *Table) Constant() []string {
	var names []string
	for j := range t.Values {
		if values, _ := t.Compared(j, t.Values[j]); len(values) > 0 && stat.Constant(values) {
			names = append(names, t.Columns[j].Name())
		}
	}
	return names
}
