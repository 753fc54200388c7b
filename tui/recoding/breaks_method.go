package recoding

import "github.com/sdcdesk/sdcdesk/engine/recode"

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
	m := &recode.Intervals{Variable: variable, By: recode.ByEqualWidths, Open: b.open()}
	var whole bool
	m.Breaks, whole = b.allBreaks()
	m.IncludeLowest = !whole
	if b.edited() {
		m.Labels = b.allLabels()
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

// open says which outer intervals hold the values of other files that lie beyond
// them: those that are not left out, but below 0, or below 1 where that is the
// lowest, nothing is expected.
func (b *breaks) open() string {
	floor := b.lowest() == 0 || b.whole && b.lowest() == 1
	switch below, above := !floor && !b.out(0), !b.out(len(b.upper)); {
	case len(b.upper) == 0:
		return recode.OpenNone
	case below && above:
		return recode.OpenBoth
	case below:
		return recode.OpenBelow
	case above:
		return recode.OpenAbove
	}
	return recode.OpenNone
}

// allBreaks returns the breaks of all intervals, those left out included, and
// whether the values are whole numbers: then the first break is one below the
// lowest, so that the label begins with the lowest.
func (b *breaks) allBreaks() (all []float64, whole bool) {
	first := b.lowest()
	if b.whole {
		first--
	}
	return append(append([]float64{first}, b.upper...), b.highest()), b.whole
}

func (b *breaks) edited() bool {
	for i := range b.intervals() {
		if _, edited := b.labels[b.span(i)]; edited {
			return true
		}
	}
	return false
}

// allLabels returns the labels of all intervals, edited or made.
func (b *breaks) allLabels() []string {
	all, whole := b.allBreaks()
	open := b.open()
	cut := recode.Cut{Breaks: all, Closed: !whole, Below: open == recode.OpenBelow || open == recode.OpenBoth,
		Above: open == recode.OpenAbove || open == recode.OpenBoth}
	labels := cut.Labels(whole)
	for i := range labels {
		if label, edited := b.labels[b.span(i)]; edited {
			labels[i] = label
		}
	}
	return labels
}
