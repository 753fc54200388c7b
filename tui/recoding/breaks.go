package recoding

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
)

// breaks is a recode by intervals that is being edited: the upper ends of all intervals except the last, which
// ends at the highest value; the first begins at the lowest. The values of the first and of the last interval can
// be left out and become missing.
type breaks struct {
	column *microdata.Column // the variable being cut
	values []float64         // its distinct values in ascending order
	below  []int             // below[i]: number of records with one of values[:i]
	whole  bool
	lower  bool            // a break belongs to the interval that begins with it, not to the one that ends with it
	upper  []float64       // ascending, each at least the lowest and below the highest value
	labels map[span]string // edited labels, by interval
	at     int             // the selected interval; all except the last have an end that can move

	withoutFirst, withoutLast bool // the first or the last interval is left out
}

// roundWidths makes about as many intervals, with round widths and ends. The other ways are those of recode by a
// number of intervals.
const roundWidths = "round widths"

// span is an interval: above from, up to and including to.
type span struct{ from, to float64 }

// newBreaks starts from the levels of a numeric variable, with equal widths.
func newBreaks(source *microdata.Column) *breaks {
	categories := source.Categories()
	counts := categories.Counts()
	b := &breaks{column: source, whole: source.Kind() == microdata.Whole, labels: map[span]string{}, below: []int{0}}
	for i, level := range categories.Levels {
		b.values = append(b.values, level.Value)
		b.below = append(b.below, b.below[i]+counts[i+1])
	}
	b.make(roundWidths, 8)
	return b
}

func (b *breaks) lowest() float64  { return b.values[0] }
func (b *breaks) highest() float64 { return b.values[len(b.values)-1] }

func (b *breaks) intervals() int { return len(b.upper) + 1 }

// inside reports whether an interval can end at a number.
func (b *breaks) inside(end float64) bool {
	return (end > b.lowest() || b.whole && !b.lower && end == b.lowest()) &&
		(end < b.highest() || b.whole && b.lower && end == b.highest())
}

// set replaces all ends, without duplicates and those outside the range.
func (b *breaks) set(upper []float64) {
	b.upper = slices.DeleteFunc(slices.Clone(upper), func(end float64) bool { return !b.inside(end) })
	slices.Sort(b.upper)
	b.upper = slices.Compact(b.upper)
	b.at = min(b.at, len(b.upper))
	if len(b.upper) < 2 {
		b.withoutFirst, b.withoutLast = false, false // one interval must be left
	}
}

// setBreaks takes the cut of an earlier recode with its labels, or nil. Values outside are left out again.
func (b *breaks) setBreaks(cut recode.Cut, labels []string) {
	all := cut.Breaks
	b.lower = cut.Lower
	below := !cut.Below && b.inside(all[0])
	above := !cut.Above && all[len(all)-1] < b.highest()
	if !below {
		all = all[1:]
	}
	if !above {
		all = all[:len(all)-1]
	}
	b.set(all)
	if len(b.upper) < len(all) {
		return // the values have changed
	}
	b.withoutFirst, b.withoutLast = below, above
	for i, label := range labels {
		if below {
			i++
		}
		b.labels[b.span(i)] = label
	}
}

// make replaces all ends; nothing is left out afterwards.
func (b *breaks) make(way string, n int) {
	b.withoutFirst, b.withoutLast = false, false
	if way == roundWidths {
		b.set(b.roundEnds(n))
		return
	}
	m := recode.Intervals{By: way, Count: n, RightOpen: b.lower}
	if cut, err := m.Cut(b.column); err == nil {
		b.set(cut.Breaks[1 : len(cut.Breaks)-1])
	} else {
		b.set(nil) // there are no two values to cut between
	}
}

// roundEnds cuts the range into about n intervals of the same width, with round
// ends.
func (b *breaks) roundEnds(n int) (upper []float64) {
	if n < 2 || !(b.highest() > b.lowest()) {
		return nil
	}
	width := roundWidth((b.highest()-b.lowest())/float64(n), b.whole)
	first := math.Floor(b.lowest()/width) + 1
	for i := 0.0; i < 1000; i++ {
		end := (first + i) * width
		if b.whole && !b.lower {
			end-- // 0-9, 10-19: the round number begins an interval
		}
		if end >= b.highest() {
			break
		}
		upper = append(upper, end)
	}
	return upper
}

// roundWidth returns the number of the form 1, 2 or 5 times a power of ten nearest to x > 0, at least 1 for
// integers.
func roundWidth(x float64, whole bool) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	round := []float64{power, 2 * power, 5 * power, 10 * power}
	best := slices.MinFunc(round, func(a, b float64) int { return cmp.Compare(math.Abs(a-x), math.Abs(b-x)) })
	if whole {
		return math.Max(1, math.Round(best))
	}
	return best
}

// step returns the distance by which an end moves: 1 for integers, otherwise a round share of the range.
func (b *breaks) step() float64 {
	x := (b.highest() - b.lowest()) / 200
	if b.whole || math.IsInf(x, 0) {
		return 1
	}
	return profile.RoundStep(x)
}

// move moves the selected end by a number of steps, at most to its neighbours. Edited labels stay with their
// intervals; it returns a label that could not.
func (b *breaks) move(steps int) (lost string) {
	if b.at >= len(b.upper) {
		return "" // the last interval ends with the values
	}
	step := b.step()
	low, high := b.lowest(), b.highest()
	if !b.whole {
		low += step
	}
	if b.at > 0 {
		low = b.upper[b.at-1] + step
	}
	if b.at < len(b.upper)-1 {
		high = b.upper[b.at+1]
	}
	moved := math.Round(b.upper[b.at]/step)*step + float64(steps)*step
	if moved = math.Min(moved, high-step); moved >= low && moved != b.upper[b.at] {
		return b.moveTo(moved)
	}
	return ""
}

// moveTo moves the selected end. The intervals on both sides keep their edited labels, except a label with digits:
// it would be wrong for the new bounds, and applies again if the end moves back.
func (b *breaks) moveTo(end float64) (lost string) {
	var kept [2]string
	for i := range kept {
		of := b.span(b.at + i)
		switch label := b.labels[of]; {
		case strings.ContainsFunc(label, unicode.IsDigit):
			lost = label
		default:
			kept[i] = label
			delete(b.labels, of)
		}
	}
	b.upper[b.at] = end
	for i, label := range kept {
		if label != "" {
			b.labels[b.span(b.at+i)] = label
		}
	}
	return lost
}

// choose moves the selection by a number of intervals.
func (b *breaks) choose(by int) {
	b.at = max(0, min(len(b.upper), b.at+by))
}

// add splits the selected interval in the middle of its values.
func (b *breaks) add() {
	first, last := b.places(b.at)
	if last-first < 2 {
		return // one value cannot be split
	}
	place := (first + last - 2) / 2
	if b.lower {
		place++
	}
	end := b.values[place]
	b.set(append(b.upper, end))
	b.at, _ = slices.BinarySearch(b.upper, end)
}

// remove joins the intervals on both sides of the selected end.
func (b *breaks) remove() {
	if b.at < len(b.upper) {
		b.set(slices.Delete(slices.Clone(b.upper), b.at, b.at+1))
	}
}

// top joins all intervals above the selected end; bottom joins all up to it.
func (b *breaks) top() { b.set(b.upper[:min(b.at+1, len(b.upper))]) }

func (b *breaks) bottom() {
	if b.at < len(b.upper) {
		b.set(b.upper[b.at:])
		b.at = 0
	}
}

// span returns interval i; the first begins below all values.
func (b *breaks) span(i int) span {
	bounds := span{math.Inf(-1), b.highest()}
	if i > 0 {
		bounds.from = b.upper[i-1]
	}
	if i < len(b.upper) {
		bounds.to = b.upper[i]
	}
	return bounds
}

// count returns the number of records in interval i.
func (b *breaks) count(i int) int {
	first, last := b.places(i)
	return b.below[last] - b.below[first]
}

// places returns the range of indices of the values in interval i.
func (b *breaks) places(i int) (first, last int) {
	upTo := func(x float64) int {
		return sort.Search(len(b.values), func(at int) bool { return b.values[at] > x || b.lower && b.values[at] == x })
	}
	if first, last = 0, len(b.values); i > 0 {
		first = upTo(b.upper[i-1])
	}
	if i < len(b.upper) {
		last = upTo(b.upper[i])
	}
	return first, last
}

// leaveOut leaves out the selected interval, or includes it again. It returns the reason if that is impossible, or
// "".
func (b *breaks) leaveOut() string {
	first, last := b.at == 0, b.at == len(b.upper)
	switch {
	case first && last:
		return "the only interval cannot be removed"
	case !first && !last:
		return "only the first or the last interval can be removed; its values become missing"
	case len(b.upper) == 1 && (first && b.withoutLast || last && b.withoutFirst):
		return "one interval must remain"
	case first:
		b.withoutFirst = !b.withoutFirst
	default:
		b.withoutLast = !b.withoutLast
	}
	return ""
}

// flip moves the breaks to the other interval; the intervals of integers do not change.
func (b *breaks) flip() {
	b.lower = !b.lower
	by := map[bool]float64{true: 1, false: -1}[b.lower]
	for i := range b.upper {
		if b.whole {
			b.upper[i] += by
		}
	}
	b.set(b.upper)
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

// method returns the recode of the breaks.
func (b *breaks) method(variable string) *recode.Intervals {
	cut, labels := b.cut(), []string(nil)
	if all, edited := b.allLabels(); edited {
		labels = all
	}
	first, last := 0, len(b.upper)+1 // intervals [first,last)
	if b.out(0) {
		first, cut.Closed = 1, cut.Closed && b.lower
	}
	if b.out(len(b.upper)) {
		last, cut.Closed = last-1, cut.Closed && !b.lower
	}
	if labels != nil {
		labels = labels[first:last]
	}
	return &recode.Intervals{Variable: variable, By: recode.ByEqualWidths, Breaks: cut.Breaks[first : last+1],
		RightOpen: b.lower, IncludeLowest: cut.Closed, Open: cut.Open(), Labels: labels}
}

// cut returns the breaks of all intervals, including those left out. For integers the outer break is one beyond
// the values, so that the label begins with the lowest. The outer intervals include values of other files beyond
// them, unless they are left out; none are expected below a lowest value of 0 or, for integers, 1.
func (b *breaks) cut() recode.Cut {
	first, last, floor := b.lowest(), b.highest(), b.lowest() == 0 || b.whole && b.lowest() == 1
	if b.whole && b.lower {
		last++
	} else if b.whole {
		first--
	}
	some := len(b.upper) > 0
	return recode.Cut{Breaks: slices.Concat([]float64{first}, b.upper, []float64{last}), Lower: b.lower, Closed: !b.whole,
		Below: some && !floor && !b.out(0), Above: some && !b.out(len(b.upper))}
}

// allLabels returns the labels of all intervals, edited or generated, and whether one was edited.
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
