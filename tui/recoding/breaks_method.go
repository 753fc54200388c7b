package recoding

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// leaveOut leaves the chosen interval out, or takes it in again. The answer says
// why it cannot be; "" where it can.
func (b *breaks) leaveOut() string {
	first, last := b.at == 0, b.at == len(b.upper)
	switch {
	case first && last:
		return "the only interval cannot be left out"
	case !first && !last:
		return "only the first or the last interval can be left out: its values become missing"
	case len(b.upper) == 1 && (first && b.withoutLast || last && b.withoutFirst):
		return "one interval must be left"
	case first:
		b.withoutFirst = !b.withoutFirst
	default:
		b.withoutLast = !b.withoutLast
	}
	return ""
}

// out reports whether interval i is left out.
func (b *breaks) out(i int) bool {
	return len(b.upper) > 0 && (i == 0 && b.withoutFirst || i == len(b.upper) && b.withoutLast)
}

// outside returns the number of records that become missing.
func (b *breaks) outside() int {
	sum := 0
	for i := range b.intervals() {
		if b.out(i) {
			sum += b.count(i)
		}
	}
	return sum
}

// method returns the recode that the breaks say.
func (b *breaks) method(variable string) *recode.Intervals {
	cut := b.cut()
	m := &recode.Intervals{Variable: variable, By: recode.ByEqualWidths, Breaks: cut.Breaks,
		IncludeLowest: cut.Closed, Open: recode.OpenNone}
	switch {
	case cut.Below && cut.Above:
		m.Open = recode.OpenBoth
	case cut.Below:
		m.Open = recode.OpenBelow
	case cut.Above:
		m.Open = recode.OpenAbove
	}
	if labels, edited := b.allLabels(); edited {
		m.Labels = labels
	}
	if b.out(0) {
		m.Breaks, m.IncludeLowest = m.Breaks[1:], false
		m.Labels = m.Labels[min(1, len(m.Labels)):]
	}
	if b.out(len(b.upper)) {
		m.Breaks = m.Breaks[:len(m.Breaks)-1]
		m.Labels = m.Labels[:max(0, len(m.Labels)-1)]
	}
	if len(m.Labels) == 0 {
		m.Labels = nil
	}
	return m
}

// cut returns the breaks of all intervals, those left out included. Of whole numbers
// the first break is one below the lowest, so that the label begins with the lowest.
// The outer intervals hold the values of other files that lie beyond them, unless
// they are left out; below 0, or below 1 where that is the lowest, nothing is
// expected.
func (b *breaks) cut() recode.Cut {
	first, floor := b.lowest(), b.lowest() == 0 || b.whole && b.lowest() == 1
	if b.whole {
		first--
	}
	some := len(b.upper) > 0
	return recode.Cut{Breaks: slices.Concat([]float64{first}, b.upper, []float64{b.highest()}), Closed: !b.whole,
		Below: some && !floor && !b.out(0), Above: some && !b.out(len(b.upper))}
}

// allLabels returns the labels of all intervals, edited or made, and whether one was
// edited.
func (b *breaks) allLabels() (labels []string, edited bool) {
	cut := b.cut()
	labels = cut.Labels(b.whole)
	for i := range labels {
		if label, given := b.labels[b.span(i)]; given {
			labels[i], edited = label, true
		}
	}
	return labels, edited
}
