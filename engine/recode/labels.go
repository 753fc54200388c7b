package recode

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// IntervalLabels returns the default labels of the intervals between ascending
// breaks. For whole numbers they name the first and the last whole number
// inside: "1-9", "5" for a single one, "-5 to -1" where an end is negative.
// For other numbers, and where no whole number lies inside, they are of the
// form "(0,9]"; with includeLowest the first is "[0,9]".
func IntervalLabels(breaks []float64, whole, includeLowest bool) []string {
	if len(breaks) < 2 {
		return nil
	}
	labels := make([]string, len(breaks)-1)
	for i := range labels {
		closed := includeLowest && i == 0
		label, ok := "", false
		if whole {
			label, ok = wholeLabel(breaks[i], breaks[i+1], closed)
		}
		if !ok {
			label = bracketLabel(breaks[i], breaks[i+1], closed)
		}
		labels[i] = label
	}
	return labels
}

// wholeLabel names the whole numbers above lower (from lower on if closed) up
// to upper; ok is false where there are none or they are too large to count.
func wholeLabel(lower, upper float64, closed bool) (label string, ok bool) {
	first := math.Floor(lower) + 1
	if closed {
		first = math.Ceil(lower)
	}
	last := math.Floor(upper)
	if first > last || first < -method.MostWhole || last > method.MostWhole {
		return "", false
	}
	return rangeLabel(numberLabel(first), numberLabel(last)), true
}

// rangeLabel joins the spellings of two ends: "1-9", "-5 to -1", "5".
func rangeLabel(first, last string) string {
	switch {
	case first == last:
		return first
	case strings.HasPrefix(first, "-") || strings.HasPrefix(last, "-"):
		return first + " to " + last
	default:
		return first + "-" + last
	}
}

func bracketLabel(lower, upper float64, closed bool) string {
	bracket := "("
	if closed {
		bracket = "["
	}
	return bracket + numberLabel(lower) + "," + numberLabel(upper) + "]"
}

// numberLabel spells a number as short as it can be read back exactly.
func numberLabel(x float64) string {
	if x == 0 {
		return "0" // never "-0"
	}
	if size := math.Abs(x); size >= 1e15 || size < 1e-6 {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// levelOf returns the level of a label; it stands for a number where the label
// is one.
func levelOf(label string) microdata.Level {
	return microdata.Level{Label: label, Value: microdata.LabelNumber(label)}
}

// labelsOf returns the labels of levels.
func labelsOf(levels []microdata.Level) []string {
	labels := make([]string, len(levels))
	for i := range levels {
		labels[i] = levels[i].Label
	}
	return labels
}

// cleanLabel returns a label that was given without the blanks around it; one
// with a control character, such as a line break, is an error.
func cleanLabel(param, label string) (string, error) {
	return strings.TrimSpace(label), checkLabel(param, label)
}

// checkLabel reports a label with a control character: it would break lines of
// files and of the screen.
func checkLabel(param, label string) error {
	if strings.ContainsFunc(label, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }) {
		return fmt.Errorf("%w %q: a label has a control character, such as a tab or a line break; leave it out", method.ErrParam, param)
	}
	return nil
}

// cleanLabels is cleanLabel for a list.
func cleanLabels(param string, labels []string) ([]string, error) {
	clean := make([]string, len(labels))
	for i, label := range labels {
		var err error
		if clean[i], err = cleanLabel(param, label); err != nil {
			return nil, err
		}
	}
	return clean, nil
}

// distinctLabels reports a label of a list that is empty or given twice.
func distinctLabels(param string, labels []string) error {
	seen := make(map[string]bool, len(labels))
	for i, label := range labels {
		if label == "" {
			return fmt.Errorf("%w %q: label %d is empty", method.ErrParam, param, i+1)
		}
		if seen[label] {
			return fmt.Errorf("%w %q: label %d, %q, is given twice", method.ErrParam, param, i+1, label)
		}
		seen[label] = true
	}
	return nil
}

// shownLabels is the number of labels that a title names before it breaks off.
const shownLabels = 3

// list names the first few labels.
func list(labels []string) string {
	if len(labels) <= shownLabels {
		return strings.Join(labels, ", ")
	}
	return strings.Join(labels[:shownLabels], ", ") + ", …"
}

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
