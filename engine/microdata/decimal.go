package microdata

import (
	"math"
	"strconv"
)

// AppendDecimal appends a number with the given number of decimals: the same
// text as strconv.AppendFloat with format 'f', several times as fast where the
// text has at most 15 digits.
func AppendDecimal(dst []byte, value float64, decimals int) []byte {
	mantissa, ok := decimalMantissa(value, decimals)
	if !ok {
		return strconv.AppendFloat(dst, value, 'f', decimals, 64)
	}
	if math.Signbit(value) {
		dst = append(dst, '-')
	}
	if decimals == 0 {
		return strconv.AppendUint(dst, mantissa, 10)
	}
	var digits [24]byte
	i := len(digits)
	for place := 0; place <= decimals || mantissa > 0; place++ {
		if place == decimals {
			i--
			digits[i] = '.'
		}
		i--
		digits[i] = byte('0' + mantissa%10)
		mantissa /= 10
	}
	return append(dst, digits[i:]...)
}

// AppendBare appends a number like AppendDecimal, without the zero before the
// point where the number is between -1 and 1.
func AppendBare(dst []byte, value float64, decimals int) []byte {
	start := len(dst)
	dst = AppendDecimal(dst, value, decimals)
	if start < len(dst) && dst[start] == '-' {
		start++
	}
	if start+1 < len(dst) && dst[start] == '0' && dst[start+1] == '.' {
		dst = append(dst[:start], dst[start+1:]...)
	}
	return dst
}

// decimalMantissa returns the whole number m below 10^15 for which m/10^decimals
// is nearest to |value| of all such fractions. ok is false where there is none
// that the value is the float64 of.
func decimalMantissa(value float64, decimals int) (m uint64, ok bool) {
	if decimals >= len(tens) {
		return 0, false
	}
	scaled := math.Round(math.Abs(value) * tens[decimals])
	// Written so that NaN fails. With at most 15 digits only one decimal
	// fraction has this float64, so that equality proves the mantissa right.
	if !(scaled < 1e15) || scaled/tens[decimals] != math.Abs(value) {
		return 0, false
	}
	return uint64(scaled), true
}

var tens = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}
