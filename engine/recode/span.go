package recode

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// span is what a label says about numbers: "5", "60-69", "-5 to -1", "(0,9]",
// "[0,9]". The ends keep their spelling.
type span struct {
	first, last   string
	lower, upper  float64
	bracket, open bool // written with brackets; the lower end does not belong to it
}

// spanOf reads the span a level stands for; ok is false for other labels.
func spanOf(level microdata.Level) (s span, ok bool) {
	label := level.Label
	switch {
	case level.NumberLevel():
		s.first, s.last = label, label
		s.lower, s.upper = level.Value, level.Value
		return s, true
	case len(label) > 2 && (label[0] == '(' || label[0] == '[') && strings.HasSuffix(label, "]"):
		s.bracket, s.open = true, label[0] == '('
		s.first, s.last, ok = strings.Cut(label[1:len(label)-1], ",")
	case strings.Contains(label, " to "):
		s.first, s.last, ok = strings.Cut(label, " to ")
	default:
		s.first, s.last, ok = strings.Cut(label, "-")
	}
	s.lower, s.upper = parseNumber(s.first), parseNumber(s.last)
	return s, ok && s.lower <= s.upper
}

// spansOf reads the spans of all levels; ok is false unless every level is one
// and they ascend without overlap.
func spansOf(levels []microdata.Level) (spans []span, ok bool) {
	spans = make([]span, len(levels))
	for i, level := range levels {
		if spans[i], ok = spanOf(level); !ok {
			return nil, false
		}
		if i > 0 && !spans[i-1].before(spans[i]) {
			return nil, false
		}
	}
	return spans, len(spans) > 0
}

// before reports whether s ends where next has not begun yet.
func (s span) before(next span) bool {
	return s.upper < next.lower || s.upper == next.lower && next.open
}

// above reports whether the whole span lies above x.
func (s span) above(x float64) bool {
	return s.lower > x || s.lower == x && s.open
}

// below reports whether the whole span lies below x.
func (s span) below(x float64) bool { return s.upper < x }

// joinedLabel returns the label from the first span to the last: "60-69" and
// "70-130" give "60-130", "(0,9]" and "(9,19]" give "(0,19]"; ok is false
// where the two are written differently.
func joinedLabel(first, last span) (label string, ok bool) {
	if first.bracket != last.bracket {
		return "", false
	}
	if !first.bracket {
		return rangeLabel(first.first, last.last), true
	}
	bracket := "["
	if first.open {
		bracket = "("
	}
	return bracket + first.first + "," + last.last + "]", true
}
