// Package numeric has the common parts of methods that mask numeric variables: Table has the records of the
// variables by strata and converts masked values to columns.
//
// A record with a missing value in one of the variables is left unmasked, belongs to no group and is ignored in
// means: it is not in the Table. A Treatment can mask incomplete records separately, grouped by the variables they
// have.
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

// Block is the number of records between two checks of a context.
const Block = 1 << 14

// Table has the values of numeric variables for the records that a method masks: complete records and, if the
// treatment requires it, incomplete records if enough others have the same missing variables.
type Table struct {
	Columns []*microdata.Column
	Values  [][]float64 // by variable and record: finite, or NaN for missing
	Rows    []uint32    // row in the dataset of each record
	Strata  []Stratum   // at least one; they partition the records
	Partial int         // number of incomplete records that are masked

	picked bool            // values are copies for the masked records only
	left   method.Unmasked // records left unmasked because of a missing value
	places []places        // decimals of the variables in the source; nil: do not round
}

// Stratum has the records of one stratum that have values of the same variables.
type Stratum struct {
	Label   string // its categories, joined by ", ", and the variables of its records, or "" for the whole file
	Records []uint32
	// Variables and Additional are the indices of the variables, and of the additional variables, that the records
	// have; nil: all.
	Variables, Additional []int
}

// Request specifies what to mask.
type Request struct {
	Param     string // parameter that names the variables, for errors
	Variables []string
	Strata    []string // variables whose combinations of categories are the strata
	Treatment Treatment
	// Enough returns the minimum number of records with the same missing variables for which they are masked
	// separately, given the numbers of variables and additional variables that they have; nil: LeastOfPattern.
	Enough func(variables, additional int) int
	// Additional has a function for each additional variable that complete records must have; it reports whether a row
	// lacks it.
	Additional []func(row int) bool
}

// New returns the records of the variables to mask, partitioned by strata if there are any. An error wraps
// method.ErrParam if a variable does not exist, is named twice, is not numeric or identifies households. It wraps
// method.ErrInput if a variable has values that are infinite or too large to be squared, or if a value is missing
// and the treatment refuses that.
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

// numbersOf reports variables that are not numeric or identify households.
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

// mostSquared is a number whose square can be summed over a million records without overflow.
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

// Where returns a phrase that names the stratum.
func (s Stratum) Where() string {
	if s.Label == "" {
		return "the file"
	}
	return "the stratum " + s.Label
}

// WithStratum prefixes an error with the name of the stratum.
func (s Stratum) WithStratum(ctx context.Context, err error) error {
	if err == nil || s.Label == "" || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("stratum %s: %w", s.Label, err)
}

// Of returns the values of a stratum for the variables that it has. They must not be modified.
func (t *Table) Of(s Stratum) [][]float64 { return s.Picked(t.Values) }

// Picked returns the part of figures, given for all variables and records, that belongs to the stratum, without
// copying if that is all.
func (s Stratum) Picked(all [][]float64) [][]float64 {
	if s.Variables != nil {
		all = stat.Variables(all, s.Variables)
	}
	return Picked(all, s.Records)
}

// Put copies values of the stratum, by the variables that it has, into those of a table.
func (s Stratum) Put(all, values [][]float64) {
	for j := range values {
		of := all[s.Variable(j)]
		for i, record := range s.Records {
			of[record] = values[j][i]
		}
	}
}

// Each masks the strata one after the other with a function of their values. It does not copy the result if the
// stratum is the whole file.
func (t *Table) Each(ctx context.Context, meter *progress.Meter,
	mask func(s Stratum, values [][]float64) ([][]float64, error)) (masked [][]float64, err error) {
	whole := len(t.Strata) == 1 && t.Strata[0].Variables == nil
	if !whole {
		masked = t.Copy()
	}
	for _, stratum := range t.Strata {
		out, err := mask(stratum, t.Of(stratum))
		if err != nil {
			return nil, stratum.WithStratum(ctx, err)
		}
		if meter.Add(int64(len(stratum.Records))); whole {
			return out, ctx.Err()
		}
		stratum.Put(masked, out)
	}
	return masked, ctx.Err()
}

// Variable returns the index in the table of a variable of the stratum.
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

// Place returns the index in the stratum of a variable of the table, or 0 if the records do not have it.
func (s Stratum) Place(variable int) int {
	if s.Variables == nil {
		return variable
	}
	return max(0, slices.Index(s.Variables, variable))
}

// Picked returns the values of some records, by variable, without copying if these are all records.
func Picked(all [][]float64, records []uint32) [][]float64 {
	if len(all) > 0 && len(records) == len(all[0]) {
		return all
	}
	return stat.Picked(all, records)
}

// Copy returns a copy of the values that can be modified.
func (t *Table) Copy() [][]float64 {
	out := make([][]float64, len(t.Values))
	for j := range out {
		out[j] = append([]float64(nil), t.Values[j]...)
	}
	return out
}

// Compared returns the original and masked values of a variable without missing ones.
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

// Constant returns the names of the variables with only one value.
func (t *Table) Constant() []string {
	var names []string
	for j := range t.Values {
		if values, _ := t.Compared(j, t.Values[j]); len(values) > 0 && stat.Constant(values) {
			names = append(names, t.Columns[j].Name())
		}
	}
	return names
}
