package microdata

import (
	"math"
	"strconv"
	"strings"
)

// Span is the interval that the label of a level denotes: "5", "60-69", "-5 to -1", "(0,9]", "[0,9]", "[0,9)", or
// unbounded as in "80+", ">80", "<=4", "<4".
type Span struct {
	First, Last  string // ends as spelled; "" if unbounded
	Lower, Upper float64
	Bracket      bool // written with brackets or ">"
	Open         bool // excludes the lower end
	OpenAbove    bool // excludes the upper end
}

// Span parses the label of a level; ok is false if it is not a number or an interval.
func (l Level) Span() (s Span, ok bool) {
	label := l.Label
	switch {
	case l.NumberLevel():
		return Span{First: label, Last: label, Lower: l.Value, Upper: l.Value}, true
	case strings.HasPrefix(label, "<="):
		s.Last, ok = label[2:], true
	case strings.HasPrefix(label, "<"):
		s.Last, s.Bracket, s.OpenAbove, ok = label[1:], true, true, true
	case strings.HasPrefix(label, ">"):
		s.First, s.Bracket, s.Open, ok = label[1:], true, true, true
	case len(label) > 1 && strings.HasSuffix(label, "+"):
		s.First, ok = label[:len(label)-1], true
	case len(label) > 2 && (label[0] == '(' || label[0] == '[') && strings.ContainsAny(label[len(label)-1:], "])"):
		s.Bracket, s.Open, s.OpenAbove = true, label[0] == '(', strings.HasSuffix(label, ")")
		s.First, s.Last, ok = strings.Cut(label[1:len(label)-1], ",")
	case strings.Contains(label, " to "):
		s.First, s.Last, ok = strings.Cut(label, " to ")
	default:
		s.First, s.Last, ok = strings.Cut(label, "-")
	}
	s.Lower, s.Upper = LabelNumber(s.First), LabelNumber(s.Last)
	if ok && s.First == "" && label[0] == '<' {
		s.Lower = math.Inf(-1)
	}
	if ok && s.Last == "" && (label[0] == '>' || strings.HasSuffix(label, "+")) {
		s.Upper = math.Inf(1)
	}
	return s, ok && (s.Lower < s.Upper || s.Lower == s.Upper && !s.OpenAbove)
}

// Spans parses the labels of all levels; ok is false unless all are spans in ascending order without overlap.
func Spans(levels []Level) (spans []Span, ok bool) {
	spans = make([]Span, len(levels))
	for i, level := range levels {
		if spans[i], ok = level.Span(); !ok {
			return nil, false
		}
		if i > 0 && !spans[i-1].before(spans[i]) {
			return nil, false
		}
	}
	return spans, len(spans) > 0
}

// before reports whether s ends before next begins.
func (s Span) before(next Span) bool {
	return s.Upper < next.Lower || s.Upper == next.Lower && (next.Open || s.OpenAbove)
}

// Above reports whether the whole span lies above x.
func (s Span) Above(x float64) bool { return s.Lower > x || s.Lower == x && s.Open }

// Below reports whether the whole span lies below x.
func (s Span) Below(x float64) bool { return s.Upper < x || s.Upper == x && s.OpenAbove }

// LabelNumber returns the number that a label spells, or NaN.
func LabelNumber(text string) float64 {
	if text == "" || strings.Trim(text, "+-.0123456789eE") != "" {
		return math.NaN()
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return value
}
