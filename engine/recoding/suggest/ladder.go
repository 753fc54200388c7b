package suggest

import (
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// RoundIntervals is a recode of a numeric variable by intervals of the same
// round width, and what it makes of the codes.
type RoundIntervals struct {
	Recode  *recode.Intervals
	Width   float64
	Mapping []uint32 // per code, missing at 0, that of its interval
}

// Ladder returns the recodes by intervals of round widths that are suggested for
// a variable, the narrowest first; none for a variable that has no numbers, few
// values, or was recoded before.
func Ladder(column *microdata.Column) []RoundIntervals {
	var steps []RoundIntervals
	for _, c := range newVariable(column, 0).intervals(0) {
		steps = append(steps, RoundIntervals{Recode: c.intervals, Width: c.width, Mapping: c.mapping})
	}
	return steps
}

// Lost returns by how many bits the entropy of a variable falls when its codes
// are mapped to others, from the records that have a value. counts are the
// records per code, missing at 0; mapping, of the same length, takes no code
// with records to 0.
func Lost(counts []int, mapping []uint32) float64 {
	highest := uint32(0)
	for _, to := range mapping {
		highest = max(highest, to)
	}
	after := make([]int, highest+1)
	for code, count := range counts {
		after[mapping[code]] += count
	}
	return detail(counts) - detail(after)
}
