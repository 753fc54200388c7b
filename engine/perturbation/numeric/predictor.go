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

// MostDummies is the number of variables up to which predictors are taken.
const MostDummies = 500

// Predictors are variables that others are drawn given.
type Predictors []predictor

// predictor is numbers, or categories.
type predictor struct {
	column  *microdata.Column
	numbers []float64 // nil: categories
}

// Missing returns what reports whether a row has no value, of each.
func (all Predictors) Missing() (missing []func(row int) bool) {
	for _, p := range all {
		missing = append(missing, p.column.Missing)
	}
	return missing
}

// Width returns the number of variables that predictors come to at most.
func (all Predictors) Width() (variables int) {
	for _, p := range all {
		if variables++; p.numbers == nil {
			variables += max(0, len(p.column.Categories().Levels)-2)
		}
	}
	return variables
}

// NewPredictors finds the variables that a parameter names. An error wraps
// method.ErrParam where one is not there, and method.ErrInput where its numbers are
// infinite or too large to be squared.
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

// Explained is the variables that predictors come to, by variable and record.
type Explained struct {
	all [][]float64
	of  []int // the predictor of each
}

// In returns those of the records of a stratum, by the predictors that these have.
func (e *Explained) In(s Stratum) [][]float64 {
	some := e.all
	if s.Beside != nil {
		some = nil
		for i, values := range e.all {
			if slices.Contains(s.Beside, e.of[i]) {
				some = append(some, values)
			}
		}
	}
	return Picked(some, s.Records)
}

// Explaining returns the variables of the records of a table that the predictors come to.
// An error wraps method.ErrInput where they are too many.
func (t *Table) Explaining(predictors Predictors) (*Explained, error) {
	e := &Explained{}
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

// values returns the variables of the rows: the numbers, or 0 and 1 for each category
// that occurs but the first one.
func (p predictor) values(rows []uint32) [][]float64 {
	if p.numbers != nil {
		return stat.Picked([][]float64{p.numbers}, rows)
	}
	categories := p.column.Categories()
	place := make([]int, len(categories.Levels)+1) // from 1
	for _, row := range rows {
		place[categories.Codes.At(int(row))] = 1
	}
	count := 0
	place[0] = 0 // of a record that lacks it, in a stratum without this predictor
	for code := range place {
		if place[code] > 0 {
			count++
			place[code] = count
		}
	}
	if count > MostDummies+1 {
		return make([][]float64, count-1) // too many, and only counted
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
