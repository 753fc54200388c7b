package recode

import "github.com/sdcdesk/sdcdesk/engine/microdata"

// onward returns the label of the span without its upper end: "80+", ">80".
func onward(s microdata.Span) string {
	if s.Open {
		return ">" + s.First
	}
	return s.First + "+"
}

// downward returns the label of the span without its lower end: "<=4".
func downward(s microdata.Span) string { return "<=" + s.Last }

// joinedLabel returns the label from the first span to the last: "60-69" and
// "70-130" give "60-130", "(0,9]" and "(9,19]" give "(0,19]", "60-69" and
// "70+" give "60+"; ok is false where the two are written differently, and
// where neither end is left.
func joinedLabel(first, last microdata.Span) (label string, ok bool) {
	switch {
	case first.First == "" && last.Last == "":
		return "", false
	case first.First == "":
		return downward(last), true
	case first.Bracket != last.Bracket:
		return "", false
	case last.Last == "":
		return onward(first), true
	case !first.Bracket:
		return rangeLabel(first.First, last.Last), true
	}
	bracket := "["
	if first.Open {
		bracket = "("
	}
	return bracket + first.First + "," + last.Last + "]", true
}
