package recode

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// Cut is how a variable is cut: its intervals are (Breaks[0], Breaks[1]], ...
type Cut struct {
	Breaks []float64 // finite, ascending, at least two
	Closed bool      // Breaks[0] belongs to the first interval
	Below  bool      // every value below the first interval belongs to it
	Above  bool      // every value above the last interval belongs to it
	Merged int       // intervals fewer than asked for, because breaks fell together
}

// Cut returns the breaks with which the method cuts a column: those given, as
// they are, or as many as Count asks for, chosen from the source values that
// are neither missing nor suppressed and made tidy by TidyBreaks. It is an
// error where the column has no numbers, or where the method's parameters, each
// validated, do not fit each other or the values.
func (m *Intervals) Cut(target *microdata.Column) (Cut, error) {
	if !target.Unrecoded().Numeric() {
		more := ""
		if target.Source().Numeric() { // recoded, and perturbed after it
			more = " any more"
		}
		return Cut{}, fmt.Errorf("recode-intervals %w: %q is not a variable of numbers%s; group its levels instead",
			method.ErrInput, m.Variable, more)
	}
	switch {
	case len(m.Breaks) == 0 && m.Count == 0:
		return Cut{}, fmt.Errorf("%w \"breaks\" is missing: give the ends of the intervals, or \"count\", their number", method.ErrParam)
	case len(m.Breaks) > 0 && m.Count != 0:
		return Cut{}, fmt.Errorf("%w \"breaks\" and \"count\" are both given; give the ends of the intervals or their number", method.ErrParam)
	}
	cut := Cut{Breaks: m.Breaks, Closed: m.IncludeLowest}
	if m.Count > 0 {
		var err error
		if cut, err = m.choose(target); err != nil {
			return Cut{}, err
		}
	}
	cut.Below = m.Open == OpenBelow || m.Open == OpenBoth
	cut.Above = m.Open == OpenAbove || m.Open == OpenBoth
	return cut, checkBreaks(cut.Breaks)
}

// choose returns the cut into Count intervals.
func (m *Intervals) choose(target *microdata.Column) (Cut, error) {
	from := target.Unrecoded()
	values, counts := distribution(from)
	if len(values) < 2 {
		return Cut{}, fmt.Errorf("recode-intervals %w: %q has fewer than two different values, which leaves nothing to cut",
			method.ErrInput, m.Variable)
	}
	low, high := values[0], values[len(values)-1]
	var breaks []float64
	switch m.By {
	case ByEqualAmounts:
		breaks = QuantileBreaks(values, counts, m.Count)
	case ByLogarithms:
		if !(low > 0) {
			return Cut{}, fmt.Errorf("recode-intervals %w: %q has values that are not above 0, which have no logarithm; choose another method, or give breaks",
				method.ErrInput, m.Variable)
		}
		breaks = LogarithmicBreaks(low, high, m.Count)
	default:
		breaks = EquidistantBreaks(low, high, m.Count)
	}
	whole := from.Kind() == microdata.Whole
	breaks = TidyBreaks(breaks, values, whole)
	return Cut{Breaks: breaks, Closed: !whole, Merged: m.Count + 1 - len(breaks)}, nil
}

// distribution returns the values of a column of numbers, ascending, that at
// least one record has, and how many have each.
func distribution(column *microdata.Column) (values []float64, counts []int) {
	type counted struct {
		value   float64
		records int
	}
	var found []counted
	all := column.Categories().Counts()
	for i, level := range column.Categories().Levels {
		if all[i+1] > 0 {
			found = append(found, counted{level.Value, all[i+1]})
		}
	}
	slices.SortFunc(found, func(x, y counted) int { return cmp.Compare(x.value, y.value) })
	for _, f := range found {
		if last := len(values) - 1; last >= 0 && values[last] == f.value { // two spellings of one number
			counts[last] += f.records
			continue
		}
		values, counts = append(values, f.value), append(counts, f.records)
	}
	return values, counts
}

// interval returns the code of the interval that holds the value; 0 outside.
func (c *Cut) interval(value float64) uint32 {
	if c.Closed && value == c.Breaks[0] || c.Below && value <= c.Breaks[0] {
		return 1
	}
	// The first break that is not below the value ends its interval.
	end := sort.SearchFloat64s(c.Breaks, value)
	if end == len(c.Breaks) {
		if !c.Above || math.IsNaN(value) {
			return 0
		}
		end--
	}
	return uint32(end)
}

// Labels returns the default labels of the intervals, of whole numbers or not, see
// spanOf: those of an open interval name its inner end alone, "<=9" and "80+", and
// one that is open at both ends has none.
func (c *Cut) Labels(whole bool) []string {
	if len(c.Breaks) == 2 && c.Below && c.Above {
		return []string{"all values"}
	}
	var labels []string
	for i := 1; i < len(c.Breaks); i++ {
		s := spanOf(c.Breaks[i-1], c.Breaks[i], c.Closed && i == 1, whole)
		if i == 1 && c.Below {
			s.First = ""
		}
		if i == len(c.Breaks)-1 && c.Above {
			s.Last = ""
		}
		labels = append(labels, spanLabel(s))
	}
	return labels
}

// checkBreaks reports breaks that give no intervals.
func checkBreaks(breaks []float64) error {
	if len(breaks) < 2 {
		return fmt.Errorf("%w \"breaks\" needs at least two numbers, the ends of one interval", method.ErrParam)
	}
	for i, b := range breaks {
		if i > 0 && b <= breaks[i-1] {
			return fmt.Errorf("%w \"breaks\": number %d (%v) must be greater than the one before (%v)",
				method.ErrParam, i+1, b, breaks[i-1])
		}
	}
	return nil
}
