package inference

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// Order reports that a variable reveals the order of the records by another variable before that was masked. It is
// based on pairs of records that are neighbours in the released values, half as many as there are records, and on
// the share of pairs that it puts into the original order.
type Order struct {
	Variable string
	By       string
	Reversed bool // whether higher By means lower Variable
	Pairs    int  // pairs whose values differ in both variables
	Right    int
	Limit    float64 // lower confidence limit of the share of right pairs
	Base     float64 // share of pairs that the released values order correctly
}

// numbers are the numeric variables of a release with their originals.
type numbers struct {
	all   []number
	lost  []bool // per variable: whether the original has other values
	known bool
}

// newNumbers returns the first sumColumns released numeric variables, or none if all are unchanged.
func newNumbers(in measure.Input, released []*microdata.Column) *numbers {
	n := &numbers{known: in.Original != in.Current}
	var now, was []*microdata.Column
	for _, column := range released {
		if !column.Numeric() || column.Coded() || len(now) == sumColumns {
			continue
		}
		before, ok := in.Original.Data().Column(column.Name())
		if !ok || !before.Numeric() || before.Len() != column.Len() {
			before = column
		}
		now, was = append(now, column), append(was, before)
	}
	if n.known && slices.Equal(now, was) {
		return n
	}
	for i, column := range now {
		one := number{name: column.Name(), now: cellsOf(column)}
		if one.was = one.now; was[i] != column {
			one.was = cellsOf(was[i])
		}
		lost := !n.known && column.MissingCount() > 0 || was[i] != column && one.differs()
		n.all, n.lost = append(n.all, one), append(n.lost, lost)
	}
	return n
}

// sums returns the sums that reveal masked or suppressed values.
func (n *numbers) sums(ctx context.Context, rows int) (found []Sum, err error) {
	if !slices.Contains(n.lost, true) {
		return nil, nil
	}
	all := slices.DeleteFunc(slices.Clone(n.all), func(x number) bool { return x.now.mostlyMissing() })
	a := newAdding(all, rows)
	if len(a.rows) < sumLeast {
		return nil, nil
	}
	blocks, err := a.blocks(ctx)
	if err != nil {
		return nil, err
	}
	for x := range n.all {
		at := slices.IndexFunc(all, func(one number) bool { return one.name == n.all[x].name })
		if !n.lost[x] || at < 0 {
			continue
		}
		terms, err := a.find(ctx, at, blocks)
		if err != nil {
			return nil, err
		}
		if terms != nil {
			if sum, reported := n.count(a, at, terms); reported {
				found = append(found, sum)
			}
		}
	}
	return found, nil
}

// differs reports whether a value of the original is missing or another one now.
func (x *number) differs() bool {
	for row := range x.now.rows {
		if was := x.was.at(row); x.now.at(row) != was && !math.IsNaN(was) {
			return true
		}
	}
	return false
}

// count counts the sum on all rows and reports whether it should be reported.
func (n *numbers) count(a *adding, x int, terms []int8) (Sum, bool) {
	of, tolerance := a.numbers[x], a.tolerance(x, terms)
	s := Sum{Variable: of.name, Estimated: !n.known}
	slices.SortFunc(terms, func(a, b int8) int { // positive terms first, each in file order
		return cmp.Or(cmp.Compare(signOf(b), signOf(a)), cmp.Compare(max(a, -a), max(b, -b)))
	})
	for _, place := range terms {
		s.Terms = append(s.Terms, Term{a.numbers[max(place, -place)-1].name, place < 0})
	}
	whole, holds := 0, 0
	for row := range of.was.rows {
		was := of.was.at(row)
		sum := a.sum(terms, uint32(row))
		right := math.Abs(was-sum) <= tolerance
		if !math.IsNaN(was) && !math.IsNaN(sum) {
			if whole++; right {
				holds++
			}
		}
		if n.known && math.IsNaN(was) || math.Abs(of.now.at(row)-was) <= tolerance {
			continue // unchanged, or missing in the original
		}
		s.Cells++
		switch {
		case math.IsNaN(sum):
		case right || !n.known:
			s.Inferred.True++
		default:
			s.Inferred.False++
		}
	}
	if !n.known && whole > 0 {
		inferred := s.Inferred.True
		s.Inferred.True = int(math.Round(float64(inferred) * float64(holds) / float64(whole)))
		s.Inferred.False = inferred - s.Inferred.True
	}
	s.Holds = float64(holds) / float64(max(1, whole))
	tried := math.Pow(2*float64(len(a.numbers)), float64(len(terms)))
	s.Limit, s.Base = stat.LowerLimit(s.Inferred.True, s.Inferred.All(), errorShare/tried), of.was.mostFrequent(tolerance)
	return s, s.Holds >= sumShare && s.Limit > s.Base
}

func signOf(place int8) int { return cmp.Compare(place, 0) }

// mostFrequent returns the largest share of values that one number matches within a tolerance.
func (c *numericCells) mostFrequent(tolerance float64) float64 {
	var sorted []float64
	for row := range c.rows {
		if value := c.at(row); !math.IsNaN(value) {
			sorted = append(sorted, value)
		}
	}
	slices.Sort(sorted)
	most, first := 0, 0
	for i, x := range sorted {
		for x-sorted[first] > 2*tolerance {
			first++
		}
		most = max(most, i-first+1)
	}
	return float64(most) / float64(max(1, len(sorted)))
}

// orders finds the variables that reveal the original order of masked ones.
func (n *numbers) orders(ctx context.Context) ([]Order, error) {
	if !n.known {
		return nil, nil
	}
	tried := 2 * len(n.all) * len(n.all)
	found := make([][]Order, len(n.all))
	err := parallel.Each(ctx, len(n.all), func(x int) error {
		if !n.lost[x] {
			return nil
		}
		rows := n.all[x].neighbours()
		for by := range n.all {
			if by == x {
				continue
			}
			if o := n.all[x].orderBy(&n.all[by], rows); o.inferred(errorShare / float64(tried)) {
				found[x] = append(found[x], *o)
			}
		}
		return ctx.Err()
	})
	return slices.Concat(found...), err
}

// neighbours returns up to screened rows in the order of their released values, without those that are missing now
// or in the original.
func (x *number) neighbours() []uint32 {
	var rows []uint32
	size := min(x.now.rows, screened)
	for i := range size {
		row := i * x.now.rows / size
		if !math.IsNaN(x.now.at(row)) && !math.IsNaN(x.was.at(row)) {
			rows = append(rows, uint32(row))
		}
	}
	order := stat.Order(x.now.picked(rows))
	for i, place := range order {
		order[i] = rows[place]
	}
	return order
}

// orderBy counts the pairs of neighbours that another variable orders correctly.
func (x *number) orderBy(by *number, rows []uint32) *Order {
	o := &Order{Variable: x.name, By: by.name}
	inferred, undecided := 0, 0
	for i := 0; i+1 < len(rows); i += 2 {
		a, b := int(rows[i]), int(rows[i+1])
		is, was := by.now.at(b)-by.now.at(a), x.was.at(b)-x.was.at(a)
		if is == 0 || was == 0 || math.IsNaN(is) {
			continue
		}
		o.Pairs++
		if is > 0 == (was > 0) {
			o.Right++
		}
		switch {
		case x.now.at(a) == x.now.at(b):
			undecided++
		case was > 0:
			inferred++
		}
	}
	if o.Right < o.Pairs-o.Right {
		o.Reversed, o.Right = true, o.Pairs-o.Right
	}
	o.Base = (float64(inferred) + float64(undecided)/2) / float64(max(1, o.Pairs))
	return o
}

// inferred sets the confidence limit and reports whether it is above the base and probableShare.
func (o *Order) inferred(alpha float64) bool {
	o.Limit = stat.LowerLimit(o.Right, o.Pairs, alpha)
	return o.Limit > max(o.Base, probableShare)
}
