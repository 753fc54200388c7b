package microdata

import (
	"math"
	"strconv"
)

// AppendDecimal appends a number with the given number of decimals: the same
// text as strconv.AppendFloat with format 'f', several times as fast where the
// text has at most 15 digits.
func AppendDecimal(dst []byte, value float64, decimals int) []byte {
	power := tens[min(decimals, len(tens)-1)]
	scaled := math.Round(math.Abs(value) * power)
	// Written so that NaN fails. With at most 15 digits only one decimal fraction
	// has this float64, so that equality proves the digits right.
	if decimals >= len(tens) || !(scaled < 1e15) || scaled/power != math.Abs(value) {
		return strconv.AppendFloat(dst, value, 'f', decimals, 64)
	}
	if math.Signbit(value) {
		dst = append(dst, '-')
	}
	var text [20]byte
	digits, at := uint64(scaled), len(text)
	for left := decimals; left >= 0 || digits > 0; left-- {
		if left == 0 && decimals > 0 {
			at--
			text[at] = '.'
		}
		at--
		text[at], digits = '0'+byte(digits%10), digits/10
	}
	return append(dst, text[at:]...)
}

var tens = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}
