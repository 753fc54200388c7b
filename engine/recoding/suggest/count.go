package suggest

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// after returns the number of violators after the recode of a candidate.
func (s *Search) after(ctx context.Context, c candidate) (int, error) {
	v := c.of
	if c.intervals != nil || !s.complete && s.frequencies.Rule == microdata.RuleCategorySize {
		table, frequencies, err := s.counted(ctx, s.table, c)
		if err != nil {
			return 0, err
		}
		return table.Violators(frequencies, s.k), nil
	}
	if err := s.prepare(ctx, v); err != nil {
		return 0, err
	}
	concerned := v.lists.having(c.members)
	violating := 0 // records of the keys that change, now
	for _, key := range concerned {
		if s.frequencies.Violates(int(key), s.k) {
			violating += int(s.table.Counts()[key])
		}
	}
	if s.complete {
		return s.before - violating + s.merged(v.lists, concerned), nil
	}
	// No other keys are compatible with those that have one of the levels than
	// these and those that miss the variable.
	concerned = append(concerned, v.lists.keys[0]...)
	slices.Sort(concerned)
	part, frequencies, err := s.counted(ctx, s.table.Part(concerned), c)
	if err != nil {
		return 0, err
	}
	then := 0
	for key, code := range part.Codes(v.place) {
		if code == c.members[0] && frequencies.Violates(key, s.k) {
			then += int(part.Counts()[key])
		}
	}
	return s.before - violating + then, nil
}

// merged returns the violators among the records of keys of which one variable
// has become the same, where no key has a missing value: keys are equal then where
// the other variables are.
func (s *Search) merged(l *lists, concerned []uint32) int {
	counts, violators := s.table.Counts(), 0
	for _, key := range concerned {
		l.sums[l.rests[key]] += counts[key]
	}
	for _, key := range concerned {
		sum := &l.sums[l.rests[key]]
		if *sum < s.k {
			violators += *sum
		}
		*sum = 0
	}
	return violators
}

// counted returns a table after the recode of a candidate, with its frequencies.
func (s *Search) counted(ctx context.Context, t *keys.Table, c candidate) (*keys.Table, *keys.Frequencies, error) {
	place, levels, mapping := c.of.place, t.Levels(c.of.place), []uint32(nil)
	if c.intervals != nil {
		levels, mapping = c.intervals.levels, c.intervals.Mapping
	} else { // the levels become the first of them
		for code := range uint32(levels + 1) {
			mapping = append(mapping, code)
		}
		for _, code := range c.members {
			mapping[code] = c.members[0]
		}
	}
	after, err := t.Regroup(ctx, place, levels, mapping)
	if err != nil {
		return nil, nil, err
	}
	frequencies, err := after.Frequencies(ctx, s.frequencies.Rule, s.frequencies.Alpha)
	return after, frequencies, err
}
