package tabular

import (
	"math"
	"strconv"
)

// Rounded returns a sum without the digits that adding up decimals makes: 0.3 for 0.1 + 0.2. Integers stay as they are.
func Rounded(sum float64) float64 {
	const digits = 13
	if sum == math.Trunc(sum) {
		return sum
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(sum, 'g', digits, 64), 64)
	if err != nil {
		return sum
	}
	return short
}
