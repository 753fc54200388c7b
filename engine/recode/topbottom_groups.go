package recode

import (
	"cmp"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// group maps the levels of an ordered variable: those wholly beyond a threshold
// become one.
func (m *TopBottom) group(target *microdata.Column) ([]microdata.Level, []uint32, error) {
	if m.Replacement == ReplaceByMean {
		return nil, nil, fmt.Errorf("recode-topbottom %w: the levels of %q are categories, which have no mean; make \"replacement\" threshold or value",
			method.ErrInput, m.Variable)
	}
	levels := target.Categories().Levels
	top, bottom := m.sides()[0], m.sides()[1]
	lowest, highest, err := m.staying(target)
	if err != nil {
		return nil, nil, err
	}
	after, mapping, err := joinNeighbours(levels, highest+1, len(levels)-1, m.label(top, levels, highest+1))
	if err != nil {
		return nil, nil, err
	}
	// The lower levels have kept their places.
	after, second, err := joinNeighbours(after, 0, lowest-1, m.label(bottom, levels, lowest-1))
	if err != nil {
		return nil, nil, err
	}
	for code := range mapping {
		mapping[code] = second[mapping[code]]
	}
	return after, mapping, nil
}

// staying returns the places of the lowest and the highest level that stay.
// Where all levels lie beyond one threshold, none stays: then lowest is
// len(levels) or highest is -1.
func (m *TopBottom) staying(target *microdata.Column) (lowest, highest int, err error) {
	levels := target.Categories().Levels
	highest = len(levels) - 1
	for _, named := range []struct {
		param, label string
		place        *int
	}{{"bottom_level", m.BottomLevel, &lowest}, {"top_level", m.TopLevel, &highest}} {
		if named.label == "" {
			continue
		}
		code, err := codeOf(target, named.param, named.label)
		if err != nil {
			return 0, 0, err
		}
		*named.place = int(code) - 1
	}
	if m.Top != nil || m.Bottom != nil {
		spans, ok := microdata.Spans(levels)
		if !ok && len(levels) > 0 {
			return 0, 0, fmt.Errorf("recode-topbottom %w: the levels of %q are not all numbers or intervals; say \"top_level\" or \"bottom_level\" instead, or group them",
				method.ErrInput, m.Variable)
		}
		for m.Top != nil && highest >= 0 && spans[highest].Above(*m.Top) {
			highest--
		}
		for m.Bottom != nil && lowest < len(spans) && spans[lowest].Below(*m.Bottom) {
			lowest++
		}
	}
	if m.TopLevel != "" && m.BottomLevel != "" && lowest > highest || lowest > highest+1 {
		return 0, 0, fmt.Errorf("%w: the bottom threshold lies above the top threshold", method.ErrParam)
	}
	return lowest, highest, nil
}

// label returns the label of the group of the levels from the given one, the
// innermost, outwards; "" where there is none.
func (m *TopBottom) label(s side, levels []microdata.Level, innermost int) string {
	switch {
	case innermost < 0 || innermost >= len(levels):
		return ""
	case m.Replacement == ReplaceByValue:
		return numberLabel(*s.value)
	}
	level := levels[innermost]
	span, ok := level.Span()
	if !ok {
		span = microdata.Span{}
	}
	if s.sign > 0 {
		return spanLabel(microdata.Span{First: cmp.Or(span.First, level.Label), Open: span.Open})
	}
	return "<=" + cmp.Or(span.Last, level.Label)
}

// joinNeighbours makes one level of those from first to last under the label;
// without any every level stays.
func joinNeighbours(levels []microdata.Level, first, last int, label string) ([]microdata.Level, []uint32, error) {
	var members []int
	for place := first; place <= last; place++ {
		members = append(members, place)
	}
	return joinLevels(levels, members, levelOf(label))
}

// astride returns the number of levels of intervals that hold a threshold and
// values beyond it.
func (m *TopBottom) astride(r *method.Regrouping) int {
	if r.Target.Numeric() {
		return 0
	}
	count := 0
	for _, level := range r.From.Categories().Levels {
		s, ok := level.Span()
		if !ok {
			continue
		}
		top := m.Top != nil && !s.Above(*m.Top) && s.Upper > *m.Top
		bottom := m.Bottom != nil && !s.Below(*m.Bottom) && s.Lower < *m.Bottom
		if top || bottom {
			count++
		}
	}
	return count
}
