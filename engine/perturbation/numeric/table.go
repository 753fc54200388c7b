// Package numeric is what methods that mask numeric variables have in common:
// the complete records of the variables, by strata, and the columns that come of
// masked values.
//
// A record with a missing value in one of the variables is left as it is, belongs
// to no group and counts in no mean: only the others are in a Table.
//
//	table, err := numeric.New(ctx, in, []string{"income", "savings"}, nil)
//	masked := table.Copy()
//	// change masked[j][i]
//	data, changed, err := table.Masked(in.Data, masked)
package numeric

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Block is the number of records between two looks at a context.
const Block = 1 << 14

// Table is the complete records of some numeric variables.
type Table struct {
	Columns    []*microdata.Column
	Values     [][]float64 // by variable and complete record: neither missing nor infinite
	Rows       []uint32    // of the complete records in the dataset
	Incomplete int         // records with a missing value in a variable
	Strata     []Stratum   // at least one; together all complete records
}

// Stratum is the complete records of one stratum.
type Stratum struct {
	Label   string // its categories, joined by ", "; "" for the whole file
	Records []uint32
}

// New returns the complete records of the variables, parted by the strata
// variables if there are any. An error wraps method.ErrParam where a variable is
// not there, named twice, no numeric variable or identifies households, and
// method.ErrInput where it has infinite values or ones too large to be squared.
func New(ctx context.Context, in method.Input, variables, strata []string) (*Table, error) {
	return NewBeside[*microdata.Column](ctx, in, "variables", variables, strata, nil)
}

// Beside is a variable that a complete record has a value of as well.
type Beside interface{ Missing(row int) bool }

// NewBeside is New for the variables that another parameter names, where complete
// records have values of others as well.
func NewBeside[B Beside](ctx context.Context, in method.Input, param string, variables, strata []string,
	beside []B) (*Table, error) {
	columns, err := in.Columns(param, variables)
	if err != nil {
		return nil, err
	}
	t := &Table{Columns: columns}
	for _, column := range columns {
		switch {
		case column.Name() == in.Scenario.Household:
			return nil, method.ParamError("%q: %q identifies households; replace it by new identifiers instead",
				param, column.Name())
		case !column.Numeric():
			return nil, method.ParamError("%q: %q is not a numeric variable", param, column.Name())
		}
	}
	missing := func(row int) bool {
		return slices.ContainsFunc(beside, func(b B) bool { return b.Missing(row) })
	}
	if err := t.read(ctx, in.Data.Len(), missing); err != nil {
		return nil, err
	}
	err = parallel.Each(ctx, len(columns), func(j int) error { return finite(columns[j].Name(), t.Values[j]) })
	if err != nil {
		return nil, err
	}
	return t, t.stratify(ctx, in, strata)
}

// read takes the complete records.
func (t *Table) read(ctx context.Context, n int, missing func(row int) bool) error {
	all := make([][]float64, len(t.Columns))
	for j, column := range t.Columns {
		all[j] = Floats(column)
	}
	blocks := make([][]uint32, (n+Block-1)/Block)
	err := parallel.Each(ctx, len(blocks), func(block int) error {
		rows := make([]uint32, 0, Block)
		for row := block * Block; row < min((block+1)*Block, n); row++ {
			complete := true
			for _, values := range all {
				complete = complete && !math.IsNaN(values[row])
			}
			if complete && !missing(row) {
				rows = append(rows, uint32(row))
			}
		}
		blocks[block] = rows
		return nil
	})
	if err != nil {
		return err
	}
	t.Rows = slices.Concat(blocks...)
	t.Incomplete = n - len(t.Rows)
	if t.Values = all; t.Incomplete == 0 {
		return nil
	}
	return parallel.Each(ctx, len(all), func(j int) error {
		t.Values[j] = stat.Picked(all[j:j+1], t.Rows)[0]
		return nil
	})
}

// Floats returns the cells of a numeric variable, NaN where they are missing.
// The slice must not be modified.
func Floats(column *microdata.Column) []float64 {
	if numbers := column.StoredAsNumbers(); numbers != nil {
		return numbers.Values
	}
	values := make([]float64, column.Len())
	for row := range values {
		values[row] = column.Float(row)
	}
	return values
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

func (t *Table) stratify(ctx context.Context, in method.Input, names []string) error {
	if len(names) == 0 {
		t.Strata = []Stratum{{Records: stat.InOrder(len(t.Rows))}}
		return ctx.Err()
	}
	columns, err := in.Columns("strata", names)
	if err != nil {
		return err
	}
	table, err := keys.New(ctx, columns, nil)
	if err != nil {
		return fmt.Errorf("strata: %w", err)
	}
	records := make([][]uint32, table.Keys())
	of := table.RowKeys()
	for i, row := range t.Rows {
		records[of[row]] = append(records[of[row]], uint32(i))
	}
	for key, some := range records {
		if len(some) > 0 {
			labels, _ := table.Labels(columns, key)
			t.Strata = append(t.Strata, Stratum{labels.String(), some})
		}
	}
	if len(t.Strata) == 0 {
		t.Strata = []Stratum{{}}
	}
	return ctx.Err()
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

// Of returns the values of a stratum, by variable; they must not be modified.
func (t *Table) Of(s Stratum) [][]float64 { return Picked(t.Values, s.Records) }

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

// Constant returns the names of the variables that have one value only.
func (t *Table) Constant() []string {
	var names []string
	for j, values := range t.Values {
		if len(values) > 0 && stat.Constant(values) {
			names = append(names, t.Columns[j].Name())
		}
	}
	return names
}
