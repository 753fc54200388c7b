package plan

import (
	"cmp"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
)

// grouping says which categories of a variable are one: groups are numbered from
// 1 in the order of their first category, 0 is missing.
type grouping struct {
	of     []uint32 // per code its group
	groups int
	lost   float64 // bits
	depth  int     // of the hierarchy that it comes from; 0: of none
	moves  []int   // the groupings one move away, once they were asked for
	moved  bool
}

// counts returns the records of each group, those without a value at 0.
func (g *grouping) counts(records []int) []int {
	counts := make([]int, g.groups+1)
	for code, group := range g.of {
		counts[group] += records[code]
	}
	return counts
}

// canonical numbers groups by their first code that records have. Codes that no
// record has are left out: they are in group 0.
func canonical(labels []uint32, records []int) (of []uint32, groups int) {
	of = make([]uint32, len(labels))
	number := map[uint32]uint32{}
	for code := 1; code < len(labels); code++ {
		if records[code] == 0 {
			continue
		}
		group, known := number[labels[code]]
		if !known {
			group = uint32(len(number) + 1)
			number[labels[code]] = group
		}
		of[code] = group
	}
	return of, len(number)
}

// intern returns the number of a grouping in the list of its variable, which it
// enters if it is new. labels say by code which are one; 0 and codes without
// records aside, any numbers will do.
func (v *variable) intern(labels []uint32) int {
	of, groups := canonical(labels, v.counts)
	name := nameOf(of)
	if id, known := v.known[string(name)]; known {
		return id
	}
	id := len(v.list)
	v.known[string(name)] = id
	lost := 0.0
	if groups < v.occurring {
		lost = max(0, suggest.Lost(v.counts, of))
	}
	v.list = append(v.list, &grouping{of: of, groups: groups, lost: lost})
	return id
}

// relabelled returns the grouping that gives each code with a group the label for it
// and its group; codes of one label are one.
func (v *variable) relabelled(g *grouping, label func(code int, group uint32) uint32) int {
	labels := make([]uint32, len(g.of))
	for code, group := range g.of {
		if group != 0 {
			labels[code] = label(code, group)
		}
	}
	return v.intern(labels)
}

// merged returns the grouping in which groups are one.
func (v *variable) merged(g *grouping, groups ...uint32) int {
	return v.relabelled(g, func(_ int, group uint32) uint32 {
		if slices.Contains(groups, group) {
			return groups[0]
		}
		return group
	})
}

// joined returns the grouping in which whatever is one in either is one.
func (v *variable) joined(g *grouping, other []uint32) int {
	labels := slices.Clone(g.of)
	for changed := true; changed; {
		changed = false
		lowest := map[uint32]uint32{}
		for code, to := range other {
			if labels[code] == 0 {
				continue
			}
			if first, known := lowest[to]; !known || labels[code] < first {
				lowest[to] = labels[code]
			}
		}
		replaced := map[uint32]uint32{}
		for code, to := range other {
			if labels[code] > lowest[to] && labels[code] != 0 {
				replaced[labels[code]] = lowest[to]
			}
		}
		for code, group := range labels {
			if to, ok := replaced[group]; ok && group != 0 {
				labels[code], changed = to, true
			}
		}
	}
	return v.intern(labels)
}

// parted returns the grouping in which only what is one in both is one.
func (v *variable) parted(g *grouping, other []uint32) int {
	return v.relabelled(g, func(code int, group uint32) uint32 { return 1 + group*uint32(len(g.of)+1) + other[code] })
}

// moves returns the groupings one move away from one: coarser and finer ones.
func (v *variable) moves(id int) []int {
	g := v.list[id]
	if g.moved {
		return g.moves
	}
	var to []int
	switch {
	case v.fixed:
		return nil
	case v.hierarchy != nil:
		to = slices.Clone(v.ladder)
	case v.ordered:
		to = append(v.coarserOrdered(g), v.finerOrdered(g)...)
	default:
		to = append(v.coarserNominal(g), v.finerNominal(g)...)
	}
	to = append(to, v.none, v.all)
	slices.SortFunc(to, func(a, b int) int {
		return cmp.Or(cmp.Compare(v.list[a].lost, v.list[b].lost), cmp.Compare(a, b))
	})
	to = slices.Compact(to)
	g.moves = slices.DeleteFunc(to, func(other int) bool { return other == id })
	g.moved = true
	return g.moves
}
