package microdata

import "slices"

// Times returns a numeric column with its numbers times a factor, as sampling does with weights; missing cells stay missing.
func (c *Column) Times(factor float64) (*Column, error) {
	numbers := &Numbers{Values: make([]float64, c.Len()), Uniform: OddSpelling}
	for row := range numbers.Values {
		numbers.Values[row] = c.Float(row) * factor
	}
	out, err := c.WithNumbers(Number, numbers)
	if err != nil {
		return nil, err
	}
	out.factors = append(slices.Clip(c.factors), factor)
	return out.finish(), nil
}

// Factors are what Times multiplied the numbers by since they were read, in turn.
func (c *Column) Factors() []float64 { return c.factors }
