package numeric

import (
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// MostDummies is the maximum number of variables into which predictors are expanded.
const MostDummies = 500

// Predictors are the variables used to predict others.
type Predictors []predictor

// predictor is a numeric or categorical variable.
type predictor struct {
	column  *microdata.Column
	numbers []float64 // nil: categorical
}

// Missing returns a function for each predictor that reports whether it is missing in a row.
func (all Predictors) Missing() (missing []func(row int) bool) {
	for _, p := range all {
		missing = append(missing, p.column.Missing)
	}
	return missing
}

// Width returns the maximum number of variables into which the predictors are expanded.
func (all Predictors) Width() (variables int) {
	for _, p := range all {
		if variables++; p.numbers == nil {
			variables += max(0, len(p.column.Categories().Levels)-2)
		}
	}
	return variables
}

// NewPredictors returns the predictors named by a parameter. An error wraps method.ErrParam if one does not exist,
// and method.ErrInput if it has numbers that are infinite or too large to be squared.
func NewPredictors(in method.Input, param string, names []string) (Predictors, error) {
	columns, err := in.Columns(param, names)
	if err != nil {
		return nil, err
	}
	out := make(Predictors, len(columns))
	for i, column := range columns {
		out[i].column = column
		if !column.Amounts() {
			continue
		}
		out[i].numbers = column.Floats()
		for _, x := range out[i].numbers {
			if math.IsInf(x, 0) || math.Abs(x) > mostSquared {
				return nil, fmt.Errorf("%w: %q has infinite numbers, or ones too large to be squared", method.ErrInput,
					column.Name())
			}
		}
	}
	return out, nil
}

// Expansions has the variables into which predictors are expanded, by variable and record.
type Expansions struct {
	all [][]float64
	of  []int // index of the predictor of each
}

// In returns the variables for the records of a stratum, for the predictors that these records have.
func (e *Expansions) In(s Stratum) [][]float64 {
	some := e.all
	if s.Additional != nil {
		some = nil
		for i, values := range e.all {
			if slices.Contains(s.Additional, e.of[i]) {
				some = append(some, values)
			}
		}
	}
	return Picked(some, s.Records)
}

// Explaining expands the predictors for the records of a table. An error wraps method.ErrInput if there are too
// many variables.
func (t *Table) Explaining(predictors Predictors) (*Expansions, error) {
	e := &Expansions{}
	for i, p := range predictors {
		for _, values := range p.values(t.Rows) {
			e.all, e.of = append(e.all, values), append(e.of, i)
		}
	}
	if all := e.all; len(all) > MostDummies {
		return nil,
			fmt.Errorf("%w: the predictors have %s besides the first of each; the maximum is %d: merge categories first",
				method.ErrInput,
				wording.CountedAs(len(all), "number or category", "numbers and categories"), MostDummies)
	}
	return e, nil
}

// values expands a predictor for the rows: the numbers, or a dummy variable for each category that occurs except
// the first.
func (p predictor) values(rows []uint32) [][]float64 {
	if p.numbers != nil {
		return stat.Picked([][]float64{p.numbers}, rows)
	}
	categories := p.column.Categories()
	place := make([]int, len(categories.Levels)+1) // index from 1
	for _, row := range rows {
		place[categories.Codes.At(int(row))] = 1
	}
	count := 0
	place[0] = 0 // a record without a value is in a stratum without this predictor
	for code := range place {
		if place[code] > 0 {
			count++
			place[code] = count
		}
	}
	if count > MostDummies+1 {
		return make([][]float64, count-1) // too many; only their number matters
	}
	out := make([][]float64, max(0, count-1))
	for k := range out {
		out[k] = make([]float64, len(rows))
	}
	for i, row := range rows {
		if k := place[categories.Codes.At(int(row))]; k > 1 {
			out[k-2][i] = 1
		}
	}
	return out
}
