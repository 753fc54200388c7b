package views

import (
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
)

// RiskEnds returns the upper ends of bars of risks: 1, 2 and 5 times powers of ten, from
// the lowest that holds a risk to the one that holds the highest, ascending.
func RiskEnds(lowest, highest float64) []float64 {
	const least = 1e-6
	ends := []float64{profile.RoundStep(max(lowest, least))}
	for ends[len(ends)-1] < min(1, highest) {
		ends = append(ends, profile.RoundStep(1.5*ends[len(ends)-1]))
	}
	return ends
}

// RoundEnd spells an upper end of risks, which is round: ".002".
func RoundEnd(end float64) string {
	return strings.TrimPrefix(strconv.FormatFloat(end, 'f', -1, 64), "0")
}
