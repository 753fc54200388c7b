package tui

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

var errNumber = errors.New("is no number")

// finite reads a typed number. What stands for no number of a file, such as
// "inf" or "nan", is an error like any other word.
func finite(text string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, errNumber
	}
	return x, nil
}

// number spells a number as short as it can be read back.
func number(x float64) string {
	if math.Abs(x) >= 1e15 {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
