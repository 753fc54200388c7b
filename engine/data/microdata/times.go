package microdata

import "slices"

// Times returns a numeric column multiplied by a factor, as sampling does with weights; missing cells stay
// missing.
func (c *Column) Times(factor float64) *Column {
	numbers := &Numbers{Values: make([]float64, c.Len()), Decimals: Shortest}
	for row := range numbers.Values {
		numbers.Values[row] = c.Float(row) * factor
	}
	out := c.WithNumbers(Number, numbers)
	out.factors = append(slices.Clip(c.factors), factor)
	return out.finish()
}

// Factors returns the factors of Times since the column was read, in order.
func (c *Column) Factors() []float64 { return c.factors }
