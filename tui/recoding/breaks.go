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

// breaks is a recode by intervals while it is being edited: the upper ends of
// all intervals but the last, which ends at the highest value; the first begins
// at the lowest one. The first and the last can be left out: their values are
// then outside and become missing.
type breaks struct {
	column *microdata.Column // the variable, as it is cut
	values []float64         // its distinct values, ascending
	below  []int             // below[i]: records with one of values[:i]
	whole  bool
	upper  []float64       // ascending, each at least the lowest and below the highest value
	labels map[span]string // edited labels by the bounds of their intervals
	at     int             // the chosen interval; every one but the last has an end that moves

	withoutFirst, withoutLast bool // these intervals are left out
}

// roundWidths makes about as many intervals, with round widths and ends. The other
// ways are those of a recode by a number of intervals.
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

// Step returns the distance by which an end moves: 1 for whole numbers, else a
// round share of the range.
func (b *breaks) Step() float64 {
	if b.whole {
		return 1
	}
	return roundStep((b.highest() - b.lowest()) / 200)
}

// set replaces all ends; what is not inside the range or given twice is left
// out.
func (b *breaks) set(upper []float64) {
	kept := slices.DeleteFunc(slices.Clone(upper), func(end float64) bool {
		return !((end > b.lowest() || b.whole && end == b.lowest()) && end < b.highest())
	})
	slices.Sort(kept)
	b.upper = slices.Compact(kept)
	b.at = min(b.at, len(b.upper))
	if len(b.upper) < 2 {
		b.withoutFirst, b.withoutLast = false, false // one interval must be left
	}
}

// setBreaks takes the cut of an earlier recode and the labels that were given for
// its intervals, or nil. What lay outside is left out again.
func (b *breaks) setBreaks(cut recode.Cut, labels []string) {
	all := cut.Breaks
	first, last := all[0], all[len(all)-1]
	below := !cut.Below && (first > b.lowest() || b.whole && first == b.lowest())
	above := !cut.Above && last < b.highest()
	if !below {
		all = all[1:]
	}
	if !above {
		all = all[:len(all)-1]
	}
	b.set(all)
	if len(b.upper) < len(all) {
		return // the values are others now
	}
	b.withoutFirst, b.withoutLast = below, above
	for i, label := range labels {
		if below {
			i++
		}
		b.labels[b.span(i)] = label
	}
}

// make makes all ends anew; nothing is outside then.
func (b *breaks) make(way string, n int) {
	b.withoutFirst, b.withoutLast = false, false
	if way == roundWidths {
		b.set(b.roundEnds(n))
		return
	}
	m := recode.Intervals{By: way, Count: n}
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
		if b.whole {
			end-- // 0-9, 10-19: the round number begins an interval
		}
		if end >= b.highest() {
			break
		}
		upper = append(upper, end)
	}
	return upper
}

// roundNumbers are the numbers of the form 1, 2, 5 or 10 times the power of ten that
// is next below x, which is above 0.
func roundNumbers(x float64) [4]float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	return [...]float64{power, 2 * power, 5 * power, 10 * power}
}

// roundStep returns the round number that is next to x, at least x.
func roundStep(x float64) float64 {
	if math.IsInf(x, 0) {
		return 1
	}
	return profile.RoundStep(x)
}

// roundWidth returns a round number near x; at least 1 for whole numbers.
func roundWidth(x float64, whole bool) float64 {
	if whole && x <= 1 {
		return 1
	}
	round := roundNumbers(x)
	best := slices.MinFunc(round[:], func(a, b float64) int { return cmp.Compare(math.Abs(a-x), math.Abs(b-x)) })
	if whole {
		return math.Max(1, math.Round(best))
	}
	return best
}

// move shifts the chosen end by a number of steps; it stops at its neighbours.
// Edited labels stay with their intervals; the answer is one that cannot.
func (b *breaks) move(steps int) (lost string) {
	if b.at >= len(b.upper) {
		return "" // the last interval ends with the values
	}
	step := b.Step()
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

// moveTo puts the chosen end elsewhere. The intervals on both sides keep their
// edited labels, but for one that names numbers: it would be wrong for the new
// bounds, and holds again when the end is back.
func (b *breaks) moveTo(end float64) (lost string) {
	var kept [2]string
	for i := range kept {
		of := b.span(b.at + i)
		label, edited := b.labels[of]
		switch {
		case edited && strings.ContainsFunc(label, unicode.IsDigit):
			lost = label
		case edited:
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

// choose moves the choice of the interval.
func (b *breaks) choose(by int) {
	b.at = max(0, min(len(b.upper), b.at+by))
}

// Add splits the interval that the chosen end closes, in the middle of its
// values.
func (b *breaks) Add() {
	from, to := b.bounds(b.at)
	first, last := 0, b.upTo(to)-1
	if b.at > 0 {
		first = b.upTo(from)
	}
	if first >= last {
		return // one value cannot be split
	}
	end := b.values[(first+last-1)/2]
	b.set(append(b.upper, end))
	b.at, _ = slices.BinarySearch(b.upper, end)
}

// remove joins the intervals on both sides of the chosen end.
func (b *breaks) remove() {
	if b.at < len(b.upper) {
		b.set(slices.Delete(slices.Clone(b.upper), b.at, b.at+1))
		b.choose(0)
	}
}

// top joins all intervals above the chosen end; bottom all up to it.
func (b *breaks) top() {
	if b.at < len(b.upper) {
		b.set(b.upper[:b.at+1])
	}
}

func (b *breaks) bottom() {
	if b.at < len(b.upper) {
		b.set(b.upper[b.at:])
		b.at = 0
	}
}

// bounds returns the ends of interval i: above from, up to and including to.
func (b *breaks) bounds(i int) (from, to float64) {
	from, to = b.lowest(), b.highest()
	if i > 0 {
		from = b.upper[i-1]
	}
	if i < len(b.upper) {
		to = b.upper[i]
	}
	return from, to
}

// count returns the number of records in interval i.
func (b *breaks) count(i int) int {
	from, to := b.bounds(i)
	if i == 0 {
		return b.below[b.upTo(to)]
	}
	return b.below[b.upTo(to)] - b.below[b.upTo(from)]
}

// upTo returns the number of values that are not above x.
func (b *breaks) upTo(x float64) int {
	return sort.Search(len(b.values), func(i int) bool { return b.values[i] > x })
}

// span returns interval i as what a label is kept by.
func (b *breaks) span(i int) span {
	from, to := b.bounds(i)
	if i == 0 {
		from = math.Inf(-1) // the first begins below all values
	}
	return span{from, to}
}
