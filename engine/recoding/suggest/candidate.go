package suggest

import (
	"cmp"
	"slices"
)

// candidate is a recode that is to be tried: a group of levels, or intervals.
type candidate struct {
	of        *variable
	members   []uint32        // codes of the group, ascending
	intervals *RoundIntervals // nil for a group
	lost      float64         // bits
}

// Of a nominal variable with more than mostPairs occurring levels a level is
// tried only with the nearPairs that are next to it in the number of records.
const (
	mostPairs = 120
	nearPairs = 20
)

// candidates returns the recodes of a variable that are worth trying, each once.
func (v *variable) candidates() []candidate {
	codes := v.occurring()
	var groups [][]uint32
	if v.column.InOrder() {
		groups = append(pairs(codes, 1), ends(codes)...)
	} else {
		slices.SortStableFunc(codes, func(a, b uint32) int { return cmp.Compare(v.counts[a], v.counts[b]) })
		reach := len(codes)
		if reach > mostPairs {
			reach = nearPairs
		}
		groups = append(pairs(codes, reach), starts(codes)...)
	}
	out := make([]candidate, 0, len(groups))
	for _, group := range groups {
		slices.Sort(group)
		out = append(out, candidate{of: v, members: group, lost: v.lost(group)})
	}
	for _, step := range v.ladder() {
		out = append(out, candidate{of: v, intervals: &step, lost: step.lost})
	}
	return out
}

// occurring returns the codes that records have, in the order of the levels.
func (v *variable) occurring() []uint32 {
	var codes []uint32
	for code := 1; code < len(v.counts); code++ {
		if v.counts[code] > 0 {
			codes = append(codes, uint32(code))
		}
	}
	return codes
}

// pairs returns any two of the codes that are no further apart than reach.
func pairs(codes []uint32, reach int) [][]uint32 {
	var groups [][]uint32
	for i := range codes {
		for j := i + 1; j < min(len(codes), i+1+reach); j++ {
			groups = append(groups, []uint32{codes[i], codes[j]})
		}
	}
	return groups
}

// starts returns groups of the first three and more codes, but not of all.
func starts(codes []uint32) [][]uint32 {
	var groups [][]uint32
	for size := 3; size < len(codes); size = max(size+1, size*5/4) {
		groups = append(groups, slices.Clone(codes[:size]))
	}
	return groups
}

// ends returns groups of the lowest and of the highest codes.
func ends(codes []uint32) [][]uint32 {
	backwards := slices.Clone(codes)
	slices.Reverse(backwards)
	return append(starts(codes), starts(backwards)...)
}
