package plan

import (
	"cmp"
	"slices"
)

// How many moves are tried. Of a variable with many groups those that lose least
// detail are enough: what they skip is reached in several moves.
const (
	manyGroups  = 12   // of a variable with more groups not all neighbours are merged
	fewMerges   = 120  // but those that lose least
	allPairs    = 16   // of an unordered variable with more groups only
	rareGroups  = 8    // the rarest are merged with each other
	hugeGroups  = 2000 // of a variable with more groups none are merged one by one: that would take long and lead nowhere
	mostSplits  = 6    // groups that are split in two
	mostMembers = 6    // categories that are taken out of a group
)

// coarserOrdered returns the groupings that merge neighbours, the lowest or
// highest groups, or what lies in one interval of a round width.
func (v *variable) coarserOrdered(g *grouping) []int {
	var to []int
	counts := g.counts(v.counts)
	var firsts []uint32
	for group := 1; group < g.groups; group++ {
		firsts = append(firsts, uint32(group))
	}
	if g.groups > manyGroups {
		slices.SortStableFunc(firsts, func(a, b uint32) int {
			return cmp.Compare(counts[a]+counts[a+1], counts[b]+counts[b+1])
		})
		firsts = firsts[:min(fewMerges, len(firsts))]
	}
	if g.groups > hugeGroups {
		firsts = nil
	}
	for _, group := range firsts {
		to = append(to, v.merged(g, group, group+1))
	}
	for _, size := range sizes(g.groups) {
		low, high := make([]uint32, size), make([]uint32, size)
		for i := range size {
			low[i], high[i] = uint32(i+1), uint32(g.groups-i)
		}
		to = append(to, v.merged(g, low...), v.merged(g, high...))
	}
	for _, width := range v.widths {
		to = append(to, v.joined(g, width.Mapping))
	}
	return to
}

// finerOrdered returns the groupings that split a group in two, or cut at round widths.
func (v *variable) finerOrdered(g *grouping) []int {
	to := slices.Clone(v.ladder)
	for _, width := range v.widths {
		to = append(to, v.parted(g, width.Mapping))
	}
	members := v.members(g)
	for _, group := range v.largest(members, mostSplits) {
		codes := members[group]
		half, sum := 0, 0
		for _, code := range codes {
			half += v.counts[code]
		}
		at := 1
		for i, code := range codes[:len(codes)-1] {
			if sum += v.counts[code]; 2*sum <= half || i == 0 {
				at = i + 1
			}
		}
		to = append(to, v.split(g, codes[at:]), v.split(g, codes[1:]), v.split(g, codes[len(codes)-1:]))
	}
	return to
}

// coarserNominal returns the groupings that merge two groups, or the rarest ones.
func (v *variable) coarserNominal(g *grouping) []int {
	counts := g.counts(v.counts)
	groups := make([]uint32, g.groups)
	for i := range groups {
		groups[i] = uint32(i + 1)
	}
	slices.SortStableFunc(groups, func(a, b uint32) int { return cmp.Compare(counts[a], counts[b]) })
	tried := groups
	if len(groups) > allPairs {
		tried = groups[:rareGroups]
	}
	if len(groups) > hugeGroups {
		tried = nil
	}
	var to []int
	for i, a := range tried {
		for _, b := range tried[i+1:] {
			to = append(to, v.merged(g, a, b))
		}
	}
	for _, size := range sizes(len(groups)) {
		to = append(to, v.merged(g, groups[:size]...))
	}
	return to
}

// finerNominal returns the groupings that take a category out of a group.
func (v *variable) finerNominal(g *grouping) []int {
	var to []int
	members := v.members(g)
	for _, group := range v.largest(members, mostSplits) {
		codes := slices.Clone(members[group])
		slices.SortStableFunc(codes, func(a, b uint32) int { return cmp.Compare(v.counts[b], v.counts[a]) })
		for _, code := range codes[:min(mostMembers, len(codes))] {
			to = append(to, v.split(g, []uint32{code}))
		}
	}
	return to
}

// members returns the codes of each group, none for group 0.
func (v *variable) members(g *grouping) [][]uint32 {
	members := make([][]uint32, g.groups+1)
	for code, group := range g.of {
		if group != 0 {
			members[group] = append(members[group], uint32(code))
		}
	}
	return members
}

// largest returns the groups of several categories, those with most records first,
// at most so many.
func (v *variable) largest(members [][]uint32, most int) []int {
	var groups []int
	size := make([]int, len(members))
	for group, codes := range members {
		for _, code := range codes {
			size[group] += v.counts[code]
		}
		if len(codes) > 1 {
			groups = append(groups, group)
		}
	}
	slices.SortStableFunc(groups, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	return groups[:min(most, len(groups))]
}

// split returns the grouping in which codes of one group are a group of their own.
func (v *variable) split(g *grouping, codes []uint32) int {
	labels := slices.Clone(g.of)
	for _, code := range codes {
		labels[code] = uint32(g.groups + 1)
	}
	return v.intern(labels)
}
