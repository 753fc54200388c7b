package tui

import (
	"math"
	"strconv"
)

// number spells a number as short as it can be read back.
func number(x float64) string {
	if math.Abs(x) >= 1e15 {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
