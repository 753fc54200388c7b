package wording

import (
	"math"
	"strconv"
	"strings"
)

// Percent formats a share from 0 to 1 as a percentage with one decimal, or with more if it would otherwise look
// like 0 % or 100 %: "2.5 %", "0.04 %", "99.98 %". NaN and infinities are "–".
func Percent(share float64) string { return Percents(share)[0] }

// PercentOf is Percent for part out of whole.
func PercentOf(part, whole int) string { return Percent(float64(part) / float64(whole)) }

// Percents formats shares that are listed together, with the same decimals. One that would be 0 or 100 % although it
// is not, because it differs by less than half of 0.001 %, is "<0.001 %" or ">99.999 %".
func Percents(shares ...float64) []string {
	decimals := 1
	for _, share := range shares {
		decimals = max(decimals, percentDecimals(share))
	}
	texts := make([]string, len(shares))
	for i, share := range shares {
		switch {
		case share > roundingError && share < leastShare/2:
			texts[i] = "<0.001 %"
		case share < -roundingError && share > -leastShare/2:
			texts[i] = ">-0.001 %"
		case share > 1-leastShare/2 && share < 1-roundingError:
			texts[i] = ">99.999 %"
		default:
			texts[i] = percent(share, decimals)
		}
	}
	return texts
}

// Limit formats a share that somebody chose, such as a target, as a percentage without trailing zeros: "1 %".
func Limit(share float64) string { return Tick(100*share) + " %" }

// PercentAgainst is Percent for a share that is compared with a limit: with as many decimals as needed to show on
// which side of the limit it is.
func PercentAgainst(share, limit float64) string {
	decimals := percentDecimals(share)
	for share != limit && decimals < 6 && percent(share, decimals) == percent(limit, decimals) {
		decimals++
	}
	return percent(share, decimals)
}

const (
	mostPercentDecimals = 3
	leastShare          = 1e-5  // the last decimal
	roundingError       = 1e-12 // of a sum of floating-point numbers
)

// percentDecimals returns the decimals that a share needs, so that one near 0 or 1 is not shown as 0 or 1.
func percentDecimals(share float64) int {
	for decimals := 1; decimals <= mostPercentDecimals; decimals++ {
		digits := strings.Trim(strings.Trim(percent(share, decimals), "- %"), "0.")
		if digits != "" && digits != "1" || digits == "1" && math.Abs(share) < 0.5 {
			return decimals
		}
	}
	return 1
}

func percent(share float64, decimals int) string {
	if math.IsNaN(share) || math.IsInf(share, 0) {
		return "–"
	}
	return Thousands(strconv.FormatFloat(100*share, 'f', decimals, 64)) + " %"
}
