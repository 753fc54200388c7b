package microdata

import (
	"errors"
	"fmt"
	"math"
)

// ErrWeights is the error of a weight variable that cannot be used.
var ErrWeights = errors.New("the weight variable cannot be used")

// Weights returns the sampling weights of the records, nil where the scenario
// has no weight variable. A weight must be a positive number: a missing cell,
// text, zero or a negative number is an error that wraps ErrWeights and names
// the variable, the first such record and their count.
func (s *Scenario) Weights(d *Dataset) ([]float64, error) {
	if s.Weight == "" {
		return nil, nil
	}
	column, ok := d.Column(s.Weight)
	if !ok {
		return nil, fmt.Errorf("%w: the file has no variable %s", ErrWeights, s.Weight)
	}
	if !column.Numeric() {
		return nil, fmt.Errorf("%w: %s is text; weights are positive numbers", ErrWeights, s.Weight)
	}
	weights := numbersOf(column)
	first, count := -1, 0
	for record, weight := range weights {
		if !(weight > 0) || math.IsInf(weight, 0) {
			if count == 0 {
				first = record
			}
			count++
		}
	}
	if count > 0 {
		return nil, fmt.Errorf("%w: %s has %d of %d records without a positive number; the first is record %d",
			ErrWeights, s.Weight, count, len(weights), first+1)
	}
	return weights, nil
}

// numbersOf returns the cells of a column as numbers, NaN for missing; the
// column's own storage where it is one of numbers.
func numbersOf(c *Column) []float64 {
	if c.numbers != nil {
		return c.numbers.Values
	}
	values := make([]float64, c.Len())
	for record := range values {
		values[record] = c.Float(record)
	}
	return values
}
