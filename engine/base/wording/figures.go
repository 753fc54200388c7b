package wording

import (
	"math"
	"strconv"
	"strings"
)

// Amount formats an expected number with two decimals below 1000, or more below 1: "84.84", "384.75", "12,345", "0.190".
func Amount(x float64) string {
	x = raised(x)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "–"
	case math.Abs(x) >= 1e15:
		return strconv.FormatFloat(x, 'g', 4, 64)
	case math.Abs(x) >= 1000:
		return Number(int(math.Round(x)))
	case x == 0 || math.Abs(x) >= 0.001:
		return strconv.FormatFloat(x, 'f', amountDecimals(x), 64)
	default:
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
}

// amountDecimals returns the decimals of an amount below 1000.
func amountDecimals(x float64) int {
	decimals := 2
	for limit := 1.0; decimals < 5 && x != 0 && math.Abs(x) < limit; limit /= 10 {
		decimals++
	}
	return decimals
}

// Amounts formats expected numbers that are listed together, with the decimals of the largest, but none from 1000. One
// that would be 0 although it is not is "<0.01" or ">-0.01".
func Amounts(amounts ...float64) []string {
	largest := 0.0
	for _, x := range amounts {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			largest = max(largest, math.Abs(raised(x)))
		}
	}
	decimals := amountDecimals(largest)
	texts := make([]string, len(amounts))
	for i, x := range amounts {
		x = raised(x)
		switch least := math.Pow10(-decimals); {
		case largest < 0.001 || !(math.Abs(x) < 1000): // NaN too
			texts[i] = Amount(x)
		case x > 0 && x < least/2:
			texts[i] = "<" + strconv.FormatFloat(least, 'f', decimals, 64)
		case x < 0 && x > -least/2:
			texts[i] = ">" + strconv.FormatFloat(-least, 'f', decimals, 64)
		default:
			texts[i] = strconv.FormatFloat(x, 'f', decimals, 64)
		}
	}
	return texts
}

// Tick formats a round number with at most six significant digits, without trailing zeros: "0.25", "20,000".
func Tick(x float64) string {
	text := strconv.FormatFloat(x, 'g', 6, 64)
	if rounded, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(x) < 1e15 && (x == 0 || math.Abs(x) >= 1e-6) {
		return Thousands(strconv.FormatFloat(rounded, 'f', -1, 64))
	}
	return text
}

// Value formats a number that is often an integer: "5", "1,640", and others as Amount does.
func Value(x float64) string {
	const largest = 1e15
	if x == math.Trunc(x) && math.Abs(x) < largest {
		return Number(int(x))
	}
	return Amount(x)
}

// raised adds a relative 1e-13, so that halves are rounded up even if the rounding errors of a sum left them
// slightly too small. Large integers stay the same.
func raised(x float64) float64 { return x + math.Copysign(min(1e-13*math.Abs(x), 1e-3), x) }

// Rounded rounds an amount to an integer as Amount does.
func Rounded(x float64) int { return int(math.Round(raised(x))) }

// Large formats a number of any size in words: "1,920,000", "29.8 million", "3.1 billion", "1.2 × 10^18".
func Large(x float64) string {
	names := []string{"million", "billion", "trillion"}
	for i, name := range names {
		if size := math.Pow(1000, float64(i+2)); x >= 1e7 && x < 999.5*size {
			return strconv.FormatFloat(x/size, 'g', max(3, len(strconv.Itoa(int(x/size)))), 64) + " " + name
		}
	}
	if x < 1e7 {
		return Number(Rounded(x))
	}
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 1, 64), "e+")
	return digits + " × 10^" + exponent
}

// Expected formats an expected number of records like Amount, and a negligible one as "fewer than 0.001".
func Expected(x float64) string {
	if x > 0 && x < 0.001 {
		return "fewer than 0.001"
	}
	return Amount(x)
}

// Probability formats a probability with four decimals: "0.0251".
func Probability(p float64) string { return probability(p, 4) }

// CellLoss formats an information loss per cell (IL1s) with four decimals: "0.1900".
func CellLoss(loss float64) string { return Thousands(probability(loss, 4)) }

// ShortProbability is Probability with three decimals, where space is short: "0.025".
func ShortProbability(p float64) string { return probability(p, 3) }

func probability(p float64, decimals int) string {
	if math.IsNaN(p) || math.IsInf(p, 0) {
		return "–"
	}
	return strconv.FormatFloat(p, 'f', decimals, 64)
}

// Frequency formats a frequency: integers without decimals, other numbers below a thousand with one.
func Frequency(f float64) string {
	whole := math.Abs(f-math.Round(f)) <= 1e-12*math.Abs(f)
	f = raised(f)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return "–"
	case math.Abs(f) >= 1e15:
		return strconv.FormatFloat(f, 'g', 4, 64)
	case whole || math.Abs(f) >= 1000:
		return Number(int(math.Round(f)))
	default:
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
}

// Precise formats a number with enough digits for a calculation by hand: integers exactly, other numbers with six
// significant digits, or one decimal above a thousand.
func Precise(x float64) string {
	switch whole, part := math.Modf(x); {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "–"
	case math.Abs(x) >= 1e15:
		return strconv.FormatFloat(x, 'g', 6, 64)
	case part == 0:
		return Number(int(x))
	case math.Abs(x) >= 1000:
		rounded := math.Round(10*x) / 10
		if rounded == math.Trunc(rounded) {
			return Number(int(rounded))
		}
		return Number(int(whole)) + strings.TrimPrefix(strconv.FormatFloat(math.Abs(rounded-math.Trunc(rounded)), 'f', 1, 64),
			"0")
	default:
		return strconv.FormatFloat(x, 'g', 6, 64)
	}
}
