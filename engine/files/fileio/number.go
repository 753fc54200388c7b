package fileio

import (
	"bytes"
	"math"
	"slices"
	"strconv"
)

// wholeLimit is 2^53: float64 does not represent every integer above it.
const wholeLimit = 1 << 53

// oddSpelling marks a number whose spelling does not follow from its value and number of decimals: "1e3", "5.".
const oddSpelling = math.MaxUint8

// barePoint is added to the number of decimals, below 127, of a number without a digit before the mark: ".5".
const barePoint = 0x80

// maxDecimals is the maximum number of decimals of a number; a longer spelling is text.
const maxDecimals = 100

var powersOfTen = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// parseNumber parses a number with the decimal mark. decimals is the number of decimals, plus barePoint if there
// is no digit before the mark, or oddSpelling. ok is false for cells that must stay text; see the package
// documentation.
func parseNumber(cell []byte, mark byte) (value float64, decimals uint8, ok bool) {
	i, n := 0, len(cell)
	if n > 0 && cell[0] == '-' {
		i = 1
	}
	start, mantissa := i, uint64(0)
	for i < n && cell[i]-'0' <= 9 {
		mantissa = mantissa*10 + uint64(cell[i]-'0')
		i++
	}
	whole, places := i-start, 0
	if whole > 1 && cell[start] == '0' {
		return 0, 0, false
	}
	if i < n && cell[i] == mark {
		fraction := i + 1
		for i = fraction; i < n && cell[i]-'0' <= 9; i++ {
			mantissa = mantissa*10 + uint64(cell[i]-'0')
		}
		places = i - fraction
		if places == 0 {
			return parseLongNumber(cell, mark)
		}
	}
	if i < n || whole+places > 15 {
		return parseLongNumber(cell, mark)
	}
	if whole+places == 0 {
		return 0, 0, false
	}
	// Up to 15 digits and a power of ten up to 10^22 are exact, so a single division rounds once, to the nearest
	// float64.
	value = float64(mantissa) / powersOfTen[places]
	if start == 1 {
		value = -value
	}
	decimals = uint8(places)
	if whole == 0 {
		decimals |= barePoint
	}
	return value, decimals, true
}

// parseLongNumber parses the rare cases: exponents, a mark without decimals, more than 15 digits.
func parseLongNumber(cell []byte, mark byte) (value float64, decimals uint8, ok bool) {
	mantissa, exponent, scientific := bytes.Cut(cell, []byte{'e'})
	if !scientific {
		mantissa, exponent, scientific = bytes.Cut(cell, []byte{'E'})
	}
	whole, fraction, marked := bytes.Cut(bytes.TrimPrefix(mantissa, []byte{'-'}), []byte{mark})
	if scientific && !validExponent(exponent) || !allDigits(whole) || !allDigits(fraction) ||
		len(whole)+len(fraction) == 0 || len(whole) > 1 && whole[0] == '0' {
		return 0, 0, false
	}
	value, err := strconv.ParseFloat(string(bytes.Replace(cell, []byte{mark}, []byte{'.'}, 1)), 64)
	if err != nil || !survives(value, bytes.TrimLeft(slices.Concat(whole, fraction), "0")) {
		return 0, 0, false
	}
	switch places := len(fraction); {
	case scientific, marked && places == 0, places > maxDecimals: // the spelling does not follow from value and decimals
		return value, oddSpelling, true
	case places == 0 && math.Abs(value) > wholeLimit:
		return 0, 0, false
	case len(whole) == 0:
		return value, uint8(places) | barePoint, true
	default:
		return value, uint8(places), true
	}
}

func validExponent(exponent []byte) bool {
	if len(exponent) > 0 && (exponent[0] == '-' || exponent[0] == '+') {
		exponent = exponent[1:]
	}
	return len(exponent) > 0 && len(exponent) <= 4 && allDigits(exponent)
}

func allDigits(text []byte) bool {
	for _, b := range text {
		if b-'0' > 9 {
			return false
		}
	}
	return true
}

// survives reports whether the value reproduces the significant digits it was parsed from.
func survives(value float64, digits []byte) bool {
	if value == 0 || len(digits) == 0 {
		return value == 0 && len(digits) == 0
	}
	if len(digits) > 800 { // no float64 needs more
		return false
	}
	spelled := strconv.AppendFloat(nil, math.Abs(value), 'e', len(digits)-1, 64)
	if spelled[0] != digits[0] {
		return false
	}
	return len(digits) == 1 || string(spelled[2:len(digits)+1]) == string(digits[1:])
}

// fractional reports whether a number is spelled with a decimal mark or is not an integer.
func fractional(value float64, decimals uint8, spelling []byte, mark byte) bool {
	if decimals == oddSpelling {
		return bytes.IndexByte(spelling, mark) >= 0 || value != math.Trunc(value)
	}
	return decimals != 0
}
