package microdata

import (
	"math"
	"strconv"
	"strings"
)

// AppendDecimal appends a number with the given number of decimals: the same text as strconv.AppendFloat with
// format 'f', but several times as fast if the text has at most 15 digits.
func AppendDecimal(dst []byte, value float64, decimals int) []byte {
	if digits, exact := digitsOf(value, decimals); exact {
		return appendDigits(dst, math.Signbit(value), digits, decimals)
	}
	return strconv.AppendFloat(dst, value, 'f', decimals, 64)
}

// mostTried is the largest number of decimals for which appendShortest is fast.
const mostTried = 4

// appendShortest appends a number with the fewest decimals that distinguish it from all other float64 values.
func appendShortest(dst []byte, value float64) []byte {
	for decimals := range mostTried + 1 {
		if digits, exact := digitsOf(value, decimals); exact {
			return appendDigits(dst, math.Signbit(value), digits, decimals)
		}
	}
	return strconv.AppendFloat(dst, value, 'f', -1, 64)
}

// MostDecimals returns the largest number of decimals that any of the values needs; NaN needs none.
func MostDecimals(values []float64) (most int) {
	for _, value := range values {
		for !math.IsNaN(value) {
			if _, exact := digitsOf(value, most); exact {
				break
			}
			if most++; most > mostTried {
				return mostSpelled(values)
			}
		}
	}
	return most
}

// mostSpelled is MostDecimals for values of which some need many decimals.
func mostSpelled(values []float64) (most int) {
	for _, value := range values {
		text := strconv.FormatFloat(value, 'f', -1, 64)
		if point := strings.IndexByte(text, '.'); point >= 0 {
			most = max(most, len(text)-point-1)
		}
	}
	return most
}

// digitsOf returns the digits of a number without its sign, as an integer; exact is false if there are more
// digits.
func digitsOf(value float64, decimals int) (digits uint64, exact bool) {
	power := tens[min(decimals, len(tens)-1)]
	scaled := math.Round(math.Abs(value) * power)
	// Written so that NaN fails. With at most 15 digits only one decimal fraction has this float64, so equality
	// proves the digits right.
	if decimals >= len(tens) || !(scaled < 1e15) || scaled/power != math.Abs(value) {
		return 0, false
	}
	return uint64(scaled), true
}

func appendDigits(dst []byte, negative bool, digits uint64, decimals int) []byte {
	if negative {
		dst = append(dst, '-')
	}
	for least := decimals; least > 0 && digits < uint64(tens[least]); least-- {
		dst = append(dst, '0') // at least one digit before the point
	}
	dst = strconv.AppendUint(dst, digits, 10)
	if decimals == 0 {
		return dst
	}
	point := len(dst) - decimals
	dst = append(dst, 0)
	copy(dst[point+1:], dst[point:])
	dst[point] = '.'
	return dst
}

var tens = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}
