package recode

import (
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// span is what a label says about numbers: "5", "60-69", "-5 to -1", "(0,9]",
// "[0,9]", and without an end "80+", ">80", "<=4". The ends keep their spelling.
type span struct {
	first, last   string // "" where there is no end
	lower, upper  float64
	bracket, open bool // written with brackets or ">"; the lower end does not belong to it
}

// spanOf reads the span a level stands for; ok is false for other labels.
func spanOf(level microdata.Level) (s span, ok bool) {
	label := level.Label
	switch {
	case level.NumberLevel():
		s.first, s.last = label, label
		s.lower, s.upper = level.Value, level.Value
		return s, true
	case strings.HasPrefix(label, "<="):
		s.last, ok = label[2:], true
	case strings.HasPrefix(label, ">"):
		s.first, s.bracket, s.open, ok = label[1:], true, true, true
	case len(label) > 1 && strings.HasSuffix(label, "+"):
		s.first, ok = label[:len(label)-1], true
	case len(label) > 2 && (label[0] == '(' || label[0] == '[') && strings.HasSuffix(label, "]"):
		s.bracket, s.open = true, label[0] == '('
		s.first, s.last, ok = strings.Cut(label[1:len(label)-1], ",")
	case strings.Contains(label, " to "):
		s.first, s.last, ok = strings.Cut(label, " to ")
	default:
		s.first, s.last, ok = strings.Cut(label, "-")
	}
	s.lower, s.upper = parseNumber(s.first), parseNumber(s.last)
	if ok && s.first == "" && strings.HasPrefix(label, "<=") {
		s.lower = math.Inf(-1)
	}
	if ok && s.last == "" && (label[0] == '>' || strings.HasSuffix(label, "+")) {
		s.upper = math.Inf(1)
	}
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

// onward returns the label of the span without its upper end: "80+", ">80".
func (s span) onward() string {
	if s.open {
		return ">" + s.first
	}
	return s.first + "+"
}

// downward returns the label of the span without its lower end: "<=4".
func (s span) downward() string { return "<=" + s.last }

// joinedLabel returns the label from the first span to the last: "60-69" and
// "70-130" give "60-130", "(0,9]" and "(9,19]" give "(0,19]", "60-69" and
// "70+" give "60+"; ok is false where the two are written differently, and
// where neither end is left.
func joinedLabel(first, last span) (label string, ok bool) {
	switch {
	case first.first == "" && last.last == "":
		return "", false
	case first.first == "":
		return last.downward(), true
	case first.bracket != last.bracket:
		return "", false
	case last.last == "":
		return first.onward(), true
	case !first.bracket:
		return rangeLabel(first.first, last.last), true
	}
	bracket := "["
	if first.open {
		bracket = "("
	}
	return bracket + first.first + "," + last.last + "]", true
}
