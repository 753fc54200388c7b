package suggest

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// after returns the number of violators after the recode of a candidate.
func (s *Search) after(ctx context.Context, c candidate) (int, error) {
	v := s.variables[c.variable]
	if c.intervals != nil {
		return s.recountAll(ctx, v, c.levels, c.mapping)
	}
	if v.lists == nil {
		v.lists = newLists(s.table, v.place)
	}
	violating := 0 // records of the keys that change, now
	for _, code := range c.members {
		for _, key := range v.lists.of(code) {
			if s.frequencies.Violates(int(key), s.k) {
				violating += int(s.table.Counts()[key])
			}
		}
	}
	var then int
	var err error
	switch {
	case s.complete && len(c.members) == 2:
		then = s.mergedPair(v.lists, c.members[0], c.members[1])
	case s.complete:
		then = s.mergedGroup(v.lists, c.members)
	case s.frequencies.Rule == microdata.RuleCategorySize:
		levels := s.table.Levels(v.place)
		return s.recountAll(ctx, v, levels, s.merging(levels, c.members))
	default:
		then, err = s.recount(ctx, v, c.members)
	}
	return s.before - violating + then, err
}

// mergedPair returns the violators among the records of two levels that have
// become one, where no key has a missing value: both lists stand in the order
// of the other variables, so that equal keys meet in one walk.
func (s *Search) mergedPair(l *lists, first, second uint32) int {
	a, b, counts := l.of(first), l.of(second), s.table.Counts()
	violators, k := 0, uint32(s.k)
	for len(a) > 0 || len(b) > 0 {
		var count uint32
		order := 0
		switch {
		case len(a) == 0:
			order = 1
		case len(b) == 0:
			order = -1
		default:
			order = l.compare(a[0], b[0])
		}
		if order <= 0 {
			count += counts[a[0]]
			a = a[1:]
		}
		if order >= 0 {
			count += counts[b[0]]
			b = b[1:]
		}
		if count < k {
			violators += int(count)
		}
	}
	return violators
}

// mergedGroup is mergedPair for any number of levels.
func (s *Search) mergedGroup(l *lists, members []uint32) int {
	var all []uint32
	for _, code := range members {
		all = append(all, l.of(code)...)
	}
	slices.SortFunc(all, l.compare)
	violators, counts := 0, s.table.Counts()
	for i := 0; i < len(all); {
		count, first := 0, all[i]
		for i < len(all) && l.compare(first, all[i]) == 0 {
			count += int(counts[all[i]])
			i++
		}
		if count < s.k {
			violators += count
		}
	}
	return violators
}

// merging returns the mapping that makes levels the first of them; it is good
// until the next call.
func (s *Search) merging(levels int, members []uint32) []uint32 {
	s.mapping = s.mapping[:0]
	for code := range levels + 1 {
		s.mapping = append(s.mapping, uint32(code))
	}
	for _, code := range members {
		s.mapping[code] = members[0]
	}
	return s.mapping
}

// recount returns the violators among the records of levels that have become
// one: it counts the frequencies of the keys that have one of them, or miss the
// variable, anew. No other key is compatible with them.
func (s *Search) recount(ctx context.Context, v *variable, members []uint32) (int, error) {
	concerned := slices.Clone(v.lists.of(0))
	for _, code := range members {
		concerned = append(concerned, v.lists.of(code)...)
	}
	slices.Sort(concerned)
	levels := s.table.Levels(v.place)
	part, err := s.table.Part(concerned).Regroup(ctx, v.place, levels, s.merging(levels, members))
	if err != nil {
		return 0, err
	}
	frequencies, err := part.Frequencies(ctx, s.frequencies.Rule, s.frequencies.Alpha)
	if err != nil {
		return 0, err
	}
	violators := 0
	for key, code := range part.Codes(v.place) {
		if code == members[0] && frequencies.Violates(key, s.k) {
			violators += int(part.Counts()[key])
		}
	}
	return violators, nil
}

// recountAll counts all frequencies anew after a mapping to so many levels: under
// the rule category-size those of keys with missing values depend on the shares of
// every variable.
func (s *Search) recountAll(ctx context.Context, v *variable, levels int, mapping []uint32) (int, error) {
	table, err := s.table.Regroup(ctx, v.place, levels, mapping)
	if err != nil {
		return 0, err
	}
	frequencies, err := table.Frequencies(ctx, s.frequencies.Rule, s.frequencies.Alpha)
	if err != nil {
		return 0, err
	}
	return table.Violators(frequencies, s.k), nil
}
