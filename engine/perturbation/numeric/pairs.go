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

// Pairs has the original and current values of some numeric variables by record. It omits records with a value,
// original or current, that is missing, infinite or too large to be squared.
type Pairs struct {
	Names             []string
	Original, Current [][]float64 // by variable and record
	Rows              []uint32    // row in the dataset of each record
	Incomplete        int         // number of omitted records
}

// NewPairs returns the pairs of the variables. Both datasets must have the same records in the same order, and
// Unpaired must return "" for the variables.
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

// Chosen returns the numeric variables of a measure: the named ones, or else the numeric key variables.
func Chosen(in measure.Input, named []string) []string {
	return measure.Chosen(named, in.Current.Scenario.Numeric)
}

// ChosenParam returns the parameter that names them.
func ChosenParam(field *[]string, help string) method.Param {
	return method.Variables(field, "variables", help).Empty("the numeric key variables").Among(method.NumericVariables)
}

// PairsIn is NewPairs for the versions that a measure compares.
func PairsIn(ctx context.Context, in measure.Input, names []string) (*Pairs, error) {
	return NewPairs(ctx, in.Original.Data(), in.Current.Data(), names)
}

// UnpairedIn is Unpaired for the versions that a measure compares.
func UnpairedIn(in measure.Input, names []string) string {
	return Unpaired(in.Original.Data(), in.Current.Data(), names)
}

// Unpaired returns why there are no pairs of the variables, in plain words, or "".
func Unpaired(original, current *microdata.Dataset, names []string) string {
	if len(names) == 0 {
		return `there are no numeric key variables; set the parameter "variables"`
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

// Notes lists the variables and the number of records compared.
func (p *Pairs) Notes() []string {
	lines := []string{"variables: " + wording.Listed(p.Names), "records compared: " + wording.Number(len(p.Rows))}
	if p.Incomplete > 0 {
		lines = append(lines,
			wording.Does(p.Incomplete, "record", "are")+" excluded because of a missing or infinite value")
	}
	return lines
}

// OfRecord returns figures of the pairs as a function of the record in the dataset, which is NaN for omitted
// records.
func (p *Pairs) OfRecord(figures []float64) func(record int) float64 {
	return func(record int) float64 {
		if i, ok := slices.BinarySearch(p.Rows, uint32(record)); ok {
			return figures[i]
		}
		return math.NaN()
	}
}
