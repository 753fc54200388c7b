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
	if c.intervals != nil || s.frequencies.Rule == microdata.RuleCategorySize {
		table, frequencies, err := s.counted(ctx, s.table, c)
		if err != nil {
			return 0, err
		}
		return table.Violators(frequencies, s.k), nil
	}
	// No other keys are compatible with those that have one of the levels than
	// these and those that miss the variable.
	byCode := v.keysByCode(s.table)
	var concerned []uint32
	violating := 0 // records of the keys that change, now
	for _, code := range c.members {
		for _, key := range byCode[code] {
			if s.frequencies.Violates(int(key), s.k) {
				violating += s.table.Counts()[key]
			}
		}
		concerned = append(concerned, byCode[code]...)
	}
	concerned = append(concerned, byCode[0]...)
	slices.Sort(concerned)
	part, frequencies, err := s.counted(ctx, s.table.Part(concerned), c)
	if err != nil {
		return 0, err
	}
	then := 0
	for key, code := range part.Codes(v.place) {
		if code == c.members[0] && frequencies.Violates(key, s.k) {
			then += part.Counts()[key]
		}
	}
	return s.before - violating + then, nil
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
