package microdata

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ErrWeights is wrapped by errors of a weight variable that cannot be used.
var ErrWeights = errors.New("the weight variable cannot be used")

// Weights returns the sampling weights of the rows, or nil if the scenario has no weight variable. The weight of a
// grouped row is the sum over its records. A weight must be a positive number: a missing cell, text, zero or a
// negative number is an error that wraps ErrWeights and names the variable, the first such record and their count.
// A sum that overflows is an error too.
func (s *Scenario) Weights(d *Dataset) ([]float64, error) {
	if s.Weight == "" {
		return nil, nil
	}
	column, ok := d.Column(s.Weight)
	if !ok {
		return nil, fmt.Errorf("%w: the file has no variable %q", ErrWeights, s.Weight)
	}
	if column.Len() > 0 && column.MissingCount() == column.Records() {
		return nil, fmt.Errorf("%w: %q is missing in every record; weights are positive numbers", ErrWeights, s.Weight)
	}
	if !column.Numeric() {
		return nil, fmt.Errorf("%w: %q is text: %s; weights are positive numbers", ErrWeights, s.Weight, noNumbers(column))
	}
	weights := column.Floats()
	first, count, sum := -1, 0, 0.0
	for record, weight := range weights {
		if !(weight > 0) || math.IsInf(weight, 0) {
			if count == 0 {
				first = record
			}
			count++
		}
		sum += weight
	}
	if count > 0 {
		return nil, fmt.Errorf("%w: %q has %d of %d records without a positive number; the first is record %d",
			ErrWeights, s.Weight, count, len(weights), first+1)
	}
	if math.IsInf(sum, 0) {
		return nil, fmt.Errorf("%w: the sum of %q is too large", ErrWeights, s.Weight)
	}
	return weights, nil
}

// noNumbers describes, without quoting a value, the cells that make a variable text instead of numeric.
func noNumbers(c *Column) string {
	categories := c.Categories()
	isText := make([]bool, len(categories.Levels)+1)
	for i, level := range categories.Levels {
		isText[i+1] = !likeNumber(level.Label)
	}
	first, count := -1, 0
	for record := range c.Len() {
		if isText[categories.Codes.At(record)] {
			if count == 0 {
				first = record
			}
			count++
		}
	}
	switch count {
	case 0:
		return "its values look like numbers, but with another decimal mark, a plus sign or leading zeros"
	case 1:
		return fmt.Sprintf("1 of %d records has no number: record %d", c.Len(), first+1)
	default:
		return fmt.Sprintf("%d of %d records have no number; the first is record %d", count, c.Len(), first+1)
	}
}

// likeNumber reports whether a person would read a text as a number, with any decimal mark.
func likeNumber(text string) bool {
	if strings.Trim(text, "+-.,0123456789eE") != "" {
		return false // rules out words such as "inf"
	}
	_, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	return err == nil
}

// Floats returns the cells of a numeric variable, NaN if missing. The slice must not be modified.
func (c *Column) Floats() []float64 {
	if c.numbers != nil {
		return c.numbers.Values
	}
	values := make([]float64, c.Len())
	for record := range values {
		values[record] = c.Float(record)
	}
	return values
}
