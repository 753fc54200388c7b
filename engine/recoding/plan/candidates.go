package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// Limits on the recodes tried.
const (
	fewValues    = 6  // numbers with fewer distinct values are not divided into bands
	mostBands    = 60 // maximum number of bands of a variable
	allOrdered   = 6  // maximum number of ordered categories for trying all groups of neighbours
	longestLabel = 40 // of a group, if made from the labels of its categories
)

// tails are the shares of records beyond a top or bottom code.
var tails = []float64{0.02, 0.05, 0.1, 0.2}

// candidates adds the publishable recodes of a variable: bands of round widths with top and bottom codes for
// numbers, groups of neighbours for ordered categories, a rest category for others.
func (v *variable) candidates() {
	_, spans := microdata.Spans(v.occurring())
	_, dates := v.column.Unrecoded().Categories().Days()
	switch n := len(v.codes); {
	case dates && !v.column.Numeric():
		v.periods()
	case v.column.Numeric() && n >= fewValues && !v.column.Recoded() && !v.column.Coded() && v.column.InOrder():
		v.bands()
	case !v.column.InOrder():
		v.rest()
	case n <= allOrdered && !(spans && v.column.Recoded()):
		v.neighbours()
	default:
		v.runs()
	}
	v.groups("", slices.Repeat([]int{1}, len(v.codes)), v.codes)
	v.sort()
}

// periods adds recodes of dates to months, quarters and bands of years.
func (v *variable) periods() {
	for _, m := range []recode.Dates{{To: recode.Months, Width: 1}, {To: recode.Quarters, Width: 1}, {To: recode.Years, Width: 1},
		{To: recode.Years, Width: 2}, {To: recode.Years, Width: 5}, {To: recode.Years, Width: 10}, {To: recode.Years, Width: 20}} {
		text := m.To
		if m.Width > 1 {
			text = fmt.Sprintf("bands of %d years", m.Width)
		}
		m.Variable = v.column.Name()
		v.add(text, Step{Name: recode.DatesSpec().Name, Method: &m})
	}
}

// occurring returns the levels that occur.
func (v *variable) occurring() (levels []microdata.Level) {
	for _, code := range v.codes {
		levels = append(levels, v.column.Categories().Levels[code-1])
	}
	return levels
}

// bands adds bands of each round width, and single values, with top and bottom codes at multiples of the width.
func (v *variable) bands() {
	levels, whole := v.occurring(), v.column.Kind() == microdata.Whole
	low, high := levels[0].Value, levels[len(levels)-1].Value
	widths := roundWidths(high-low, whole)
	unit := 1.0
	if i := slices.IndexFunc(widths, func(w float64) bool { return (high-low)/w <= 20 }); i >= 0 && (high-low > 20 || !whole) {
		unit = widths[i]
	}
	v.cuts(0, unit, low, high)
	for _, width := range widths {
		v.cuts(width, max(width, unit), low, high)
	}
}

// cuts adds bands of the given width, or single values for width 0, with top and bottom codes at multiples of
// unit.
func (v *variable) cuts(width, unit, low, high float64) {
	backwards := slices.Clone(v.codes)
	slices.Reverse(backwards)
	for _, top := range v.ends(backwards, unit, 1) {
		for _, bottom := range v.ends(v.codes, unit, -1) {
			switch {
			case !math.IsInf(bottom, 0) && !(bottom+unit < top):
			case width == 0:
				v.coded(bottom, top)
			default:
				v.band(width, max(bottom, multiple(math.Floor(low/width), width)), min(top, multiple(math.Floor(high/width)+1, width)),
					!math.IsInf(bottom, 0), !math.IsInf(top, 0))
			}
		}
	}
}

// ends returns, after an infinite one, the multiples of unit beyond which the shares in tails lie. sign is 1 for
// the top and -1 for the bottom; codes start at that end.
func (v *variable) ends(codes []uint32, unit, sign float64) []float64 {
	value := func(code uint32) float64 { return v.column.Categories().Levels[code-1].Value }
	low, high := value(v.codes[0]), value(v.codes[len(v.codes)-1])
	out := []float64{sign * math.Inf(1)}
	for _, size := range v.tails(codes)[1:] {
		end := multiple(math.Floor(value(codes[min(size, len(codes))-1])/unit), unit)
		if end > low && end <= high && !slices.Contains(out, end) {
			out = append(out, end)
		}
	}
	return out
}

// multiple returns n times a round width without the error of binary fractions.
func multiple(n, width float64) float64 {
	x, _ := strconv.ParseFloat(strconv.FormatFloat(n*width, 'g', 12, 64), 64)
	return x
}

// coded adds single values with a bottom and a top code, either of which may be infinite for none.
func (v *variable) coded(bottom, top float64) {
	m := &recode.TopBottom{Variable: v.column.Name(), Replacement: recode.ReplaceByThreshold}
	text := ""
	if !math.IsInf(bottom, 0) {
		m.Bottom, text = &bottom, number(bottom)+" or less"
	}
	if !math.IsInf(top, 0) {
		if m.Top = &top; text != "" {
			text += ", "
		}
		text += number(top) + "+"
	}
	if text != "" {
		v.add(text, Step{Name: recode.TopBottomSpec().Name, Method: m})
	}
}

// band adds bands of the given width from low to high, both multiples of it. below and above make the outer bands
// open.
func (v *variable) band(width, low, high float64, below, above bool) {
	m := &recode.Intervals{Variable: v.column.Name(), By: recode.ByEqualWidths, Open: recode.OpenNone}
	shift := 0.0
	if v.column.Kind() == microdata.Whole {
		shift = 1
	}
	m.IncludeLowest = shift == 0
	text := "bands of " + number(width)
	if below {
		first := "below " + number(low)
		if shift > 0 {
			first = number(low-shift) + " or less"
		}
		m.Breaks, m.Open, text = append(m.Breaks, low-width-shift), recode.OpenBelow, text+", "+first
	}
	for end := low; end <= high && len(m.Breaks) < mostBands+3; end = multiple(math.Round(end/width)+1, width) {
		m.Breaks = append(m.Breaks, end-shift)
	}
	if above {
		m.Breaks, m.Open, text = append(m.Breaks, high+width-shift), recode.OpenAbove, text+", "+number(high)+"+"
	}
	if below && above {
		m.Open = recode.OpenBoth
	}
	v.add(text, Step{Name: recode.IntervalsSpec().Name, Method: m})
}

// roundWidths returns the numbers 1, 2, 2.5 and 5 times powers of ten that divide a range into 2 to mostBands
// bands, ascending.
func roundWidths(span float64, whole bool) (widths []float64) {
	if !(span > 1e-100) || span > 1e100 {
		return nil
	}
	first := int(math.Floor(math.Log10(span / mostBands)))
	for exponent := first; exponent <= first+3; exponent++ {
		for _, factor := range []float64{1, 2, 2.5, 5} {
			width := multiple(factor, math.Pow10(exponent))
			if whole && (width < 2 || width != math.Trunc(width)) || span/width > mostBands || width > span/2 {
				continue
			}
			widths = append(widths, width)
		}
	}
	return widths
}

// rest adds groups of the rarest categories.
func (v *variable) rest() {
	codes := slices.Clone(v.codes)
	slices.SortStableFunc(codes, func(a, b uint32) int { return cmp.Compare(v.counts[a], v.counts[b]) })
	for size := 2; size < len(codes); size = max(size+1, size*5/4) {
		groups := make([]int, len(codes))
		for i := range groups {
			groups[i] = max(0, i-size+1)
		}
		v.groups(wording.Number(size)+" rarest categories merged", groups, codes)
	}
}

// neighbours adds all ways to group neighbours.
func (v *variable) neighbours() {
	for borders := range 1 << max(0, len(v.codes)-1) {
		groups := make([]int, len(v.codes))
		for i := 1; i < len(groups); i++ {
			groups[i] = groups[i-1] + borders>>(i-1)&1
		}
		v.groups("", groups, v.codes)
	}
}

// runs adds groups of equal numbers of neighbours, each with several numbers of lowest or highest categories
// merged.
func (v *variable) runs() {
	n := len(v.codes)
	backwards := slices.Clone(v.codes)
	slices.Reverse(backwards)
	for _, length := range []int{1, 2, 3, 4, 5, 10, 20} {
		for _, low := range v.tails(v.codes) {
			for _, high := range v.tails(backwards) {
				low, high := low-low%length, high-(high-n%length)%length
				if low+high >= n || length > 1 && (n > mostBands*length || length > n/2) {
					continue
				}
				groups := make([]int, n)
				for i := range groups {
					groups[i] = max(low-1, min(i, n-max(1, high)))/length + 1
				}
				v.groups("", groups, v.codes)
			}
		}
	}
}

// tails returns, after zero, how many of the first codes have each share of records in tails.
func (v *variable) tails(codes []uint32) []int {
	total, sizes := 0, []int{0}
	for _, code := range codes {
		total += v.counts[code]
	}
	for _, share := range tails {
		size := 0
		for beyond := 0; float64(beyond) < float64(share*float64(total)); size++ {
			beyond += v.counts[codes[size]]
		}
		sizes = append(sizes, max(2, size))
	}
	return slices.Compact(sizes)
}

// groups adds the recode that merges codes with equal numbers. If text is "", the numbers of categories before and
// after describe it.
func (v *variable) groups(text string, numbers []int, codes []uint32) {
	levels := v.column.Categories().Levels
	var steps []Step
	members := map[int][]uint32{}
	for i, code := range codes {
		members[numbers[i]] = append(members[numbers[i]], code)
	}
	var taken []string
	for _, level := range levels {
		taken = append(taken, level.Label)
	}
	for i, number := range numbers {
		group := members[number]
		if len(group) < 2 || slices.Contains(numbers[:i], number) {
			continue
		}
		slices.Sort(group)
		m := &recode.Group{Variable: v.column.Name()}
		for code := group[0]; code <= group[len(group)-1]; code++ {
			// Include categories without records in between, so that the group remains a run of neighbours.
			if slices.Contains(group, code) || v.column.InOrder() && v.counts[code] == 0 {
				m.Levels = append(m.Levels, levels[code-1].Label)
			}
		}
		if m.Label = v.labelOf(m, taken, len(members) == 1); m.Label != "" {
			taken = append(taken, m.Label)
		}
		steps = append(steps, Step{Name: recode.GroupSpec().Name, Method: m})
	}
	v.add(cmp.Or(text, fmt.Sprintf("%d→%d", len(codes), len(members))), steps...)
}

// labelOf returns a label for a group whose default label is too long or taken, or "" for the default.
func (v *variable) labelOf(m *recode.Group, taken []string, all bool) string {
	label, given := m.DefaultLabel(v.column), ""
	if len(label) > longestLabel {
		given = "other"
		switch {
		case all:
			given = "all"
		case v.column.InOrder():
			given = m.Levels[0] + " to " + m.Levels[len(m.Levels)-1]
		}
		label = given
	}
	free := func(label string) bool { return !slices.Contains(taken, label) || slices.Contains(m.Levels, label) }
	for n := 2; !free(label); n++ {
		label = fmt.Sprintf("group %d", n)
		given = label
	}
	return given
}

// along adds the levels of a hierarchy that make no occurring category missing.
func (v *variable) along(h *recode.Hierarchy) error {
	if len(h.Levels) == 0 {
		return fmt.Errorf("%w of %q has no rows", ErrHierarchy, v.column.Name())
	}
	if err := h.Levels.Nested(); err != nil {
		return fmt.Errorf("%w of %q: %w", ErrHierarchy, v.column.Name(), err)
	}
	for depth := 1; depth < len(h.Levels[0]); depth++ {
		m := *h
		m.Depth, m.Unlisted = depth, recode.UnlistedMissing
		steps := []Step{{Name: recode.HierarchySpec().Name, Method: &m}}
		r, err := v.made(steps)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrHierarchy, err)
		}
		for _, code := range v.codes {
			if r.mapping[code] == 0 {
				return fmt.Errorf("%w of %q has no level %d for a category that %s", ErrHierarchy, v.column.Name(), depth,
					wording.Does(v.counts[code], "record", "have"))
			}
		}
		kept := m
		kept.Unlisted = recode.UnlistedKeep
		v.add(fmt.Sprintf("level %d", depth), Step{Name: recode.HierarchySpec().Name, Method: &kept})
	}
	v.sort()
	return nil
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
