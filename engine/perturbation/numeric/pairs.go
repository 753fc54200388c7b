package numeric

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Pairs is the records of some numeric variables as they were read, each beside
// itself as it is now. A record is left out where one of its values, then or now,
// is missing, infinite or too large to be squared.
type Pairs struct {
	Names             []string
	Original, Current [][]float64 // by variable and record
	Rows              []uint32    // of the records in the dataset
	Incomplete        int         // records left out
}

// NewPairs returns the pairs of the variables. Both datasets have the same records
// in the same order, and Unpaired has no reason against the variables.
func NewPairs(ctx context.Context, original, current *microdata.Dataset, names []string) (*Pairs, error) {
	p := &Pairs{Names: names}
	n := current.Len()
	for _, data := range []*microdata.Dataset{original, current} {
		values := make([][]float64, len(names))
		for j, name := range names {
			column, ok := data.Column(name)
			if !ok {
				return nil, fmt.Errorf("%w: the file has no variable %q", microdata.ErrScenario, name)
			}
			values[j] = column.Floats()
		}
		p.Original, p.Current = p.Current, values
	}
	p.Rows = make([]uint32, 0, n)
	for row := range n {
		if parallel.Stopped(ctx, row) {
			return nil, ctx.Err()
		}
		complete := true
		for j := range names {
			complete = complete && math.Abs(p.Original[j][row]) <= mostSquared && math.Abs(p.Current[j][row]) <= mostSquared
		}
		if complete {
			p.Rows = append(p.Rows, uint32(row))
		}
	}
	p.Incomplete = n - len(p.Rows)
	p.Original, p.Current = Picked(p.Original, p.Rows), Picked(p.Current, p.Rows)
	return p, ctx.Err()
}

// Chosen returns the numeric variables that a measure looks at: those that are named, else the numeric key variables.
func Chosen(in measure.Input, named []string) []string {
	return measure.Chosen(named, in.Current.Scenario.Numeric)
}

// ChosenParam is the parameter that names them.
func ChosenParam(field *[]string, help string) method.Param {
	return method.Variables(field, "variables", help).Empty("the numeric key variables").Among(method.NumericVariables)
}

// PairsIn is NewPairs of the versions that a measure compares.
func PairsIn(ctx context.Context, in measure.Input, names []string) (*Pairs, error) {
	return NewPairs(ctx, in.Original.Data(), in.Current.Data(), names)
}

// UnpairedIn is Unpaired of the versions that a measure compares.
func UnpairedIn(in measure.Input, names []string) string {
	return Unpaired(in.Original.Data(), in.Current.Data(), names)
}

// Unpaired says in plain words why there are no pairs of the variables; "" where
// there are.
func Unpaired(original, current *microdata.Dataset, names []string) string {
	if len(names) == 0 {
		return "no numeric key variables: name variables"
	}
	for i, name := range names {
		was, ok := original.Column(name)
		now, still := current.Column(name)
		switch {
		case !ok || !still:
			return "the file has no variable " + name
		case !was.Numeric():
			return name + " is not a numeric variable"
		case !now.Numeric():
			return name + " is no longer a numeric variable"
		case slices.Contains(names[:i], name):
			return name + " is named twice"
		}
	}
	return ""
}

// Notes says which variables and how many records are compared.
func (p *Pairs) Notes() []string {
	lines := []string{"variables: " + wording.Listed(p.Names), "records compared: " + wording.Number(len(p.Rows))}
	if p.Incomplete > 0 {
		lines = append(lines,
			wording.Does(p.Incomplete, "record", "are")+" excluded because of a missing or infinite value")
	}
	return lines
}

// OfRecord returns figures of the pairs as a function of the record of the dataset;
// NaN of records left out.
func (p *Pairs) OfRecord(figures []float64) func(record int) float64 {
	return func(record int) float64 {
		if i, ok := slices.BinarySearch(p.Rows, uint32(record)); ok {
			return figures[i]
		}
		return math.NaN()
	}
}
