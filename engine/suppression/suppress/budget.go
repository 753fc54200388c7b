package suppress

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// A budget limits the number of cells. It applies the part of a suppression that protects the most records. Under
// the conservative rule, a suppressed record is protected by the records that its group needs, whether these are
// suppressed alike or still complete. Records without missing values can therefore be chosen one by one, those
// with the fewest cells first. Records with missing values from the start do not protect others until they are
// suppressed alike. In a group with such records, these are chosen together, with as many of the others as are
// needed to reach k.

// unit is applied as a whole or, if it is divisible, to a number of its records.
type unit struct {
	takes     []take
	divisible bool // consists of one take
	cells     int  // in total
	price     int
	records   int // protected
}

// take is a number of records of one part.
type take struct {
	stratum, part int
	count         int
}

// units divides the solutions of strata into units, sorted by cells per protected record.
func (s *strataSolver) units(ctx context.Context, all []stratumResult) ([]unit, error) {
	var units []unit
	for i, it := range s.strata {
		p := all[i].parts
		left := make([]int, len(p)) // records of each part that are independent of others
		for at := range p {
			left[at] = p[at].Count
		}
		groups, err := p.incompleteGroups(ctx, it)
		if err != nil {
			return nil, err
		}
		for _, group := range groups {
			takes := p.needed(it, group, s.m.K)
			for _, t := range takes {
				left[t.part] -= t.count
			}
			units = append(units, s.unit(p, i, takes))
		}
		for at, count := range left {
			if count > 0 {
				one := s.unit(p, i, []take{{i, at, count}})
				one.divisible = true
				units = append(units, one)
			}
		}
	}
	slices.SortStableFunc(units, func(a, b unit) int {
		return cmp.Or(compareProducts(a.cells, b.records, b.cells, a.records),
			compareProducts(a.price, b.records, b.price, a.records))
	})
	return units, nil
}

// compareProducts compares a times b with c times d, which may overflow.
func compareProducts(a, b, c, d int) int {
	high, low := bits.Mul64(uint64(a), uint64(b))
	otherHigh, otherLow := bits.Mul64(uint64(c), uint64(d))
	return cmp.Or(cmp.Compare(high, otherHigh), cmp.Compare(low, otherLow))
}

// unit returns the unit of takes of one stratum.
func (s *strataSolver) unit(p parts, stratum int, takes []take) unit {
	sum := emptyAccount(s.in.Scenario.Keys)
	for i := range takes {
		takes[i].stratum = stratum
		it := p[takes[i].part]
		it.Count = takes[i].count
		parts{it}.count(sum, s.ranks.price)
	}
	return unit{takes: takes, cells: sum.Total, price: sum.Price, records: sum.Touched}
}

// cut returns the parts that units apply with at most the given number of cells.
func cut(units []unit, all []stratumResult, cells int) []stratumResult {
	taken := make([][]int, len(all))
	for i := range all {
		taken[i] = make([]int, len(all[i].parts))
	}
	for i := range units {
		it := &units[i]
		switch {
		case it.cells <= cells:
			cells -= it.cells
			for _, t := range it.takes {
				taken[t.stratum][t.part] += t.count
			}
		case it.divisible:
			each := it.cells / it.records
			taken[it.takes[0].stratum][it.takes[0].part] += cells / each
			cells %= each
		}
	}
	out := make([]stratumResult, len(all))
	for i := range all {
		for at, it := range all[i].parts {
			if it.Count = taken[i][at]; it.Count > 0 {
				out[i].parts = append(out[i].parts, it)
			}
		}
	}
	return out
}

// incompleteGroups returns the parts of every group that includes records with missing values from the start,
// those with few cells first. Parts that are equal after suppression form a group.
func (p parts) incompleteGroups(ctx context.Context, s *stratum) (groups [][]int, err error) {
	if len(p) == 0 {
		return nil, nil
	}
	t, err := projected(ctx, p.groups(s, s.all()))
	if err != nil {
		return nil, err
	}
	of, listed := make([][]int, t.Keys()), make([]bool, t.Keys())
	for at, group := range t.of {
		of[group] = append(of[group], at)
	}
	for at, group := range t.of {
		if !listed[group] && s.present(p[at].Key) != 1<<len(s.Codes)-1 {
			listed[group], groups = true, append(groups, of[group])
			slices.SortStableFunc(of[group], func(a, b int) int {
				return bits.OnesCount64(p[a].Set) - bits.OnesCount64(p[b].Set)
			})
		}
	}
	return groups, nil
}

// needed returns the records of a group that protect each other only together: those with missing values from the
// start, and the cheapest of the others until there are k.
func (p parts) needed(s *stratum, group []int, k int) (takes []take) {
	for _, incomplete := range []bool{true, false} {
		for _, at := range group {
			count := p[at].Count
			if !incomplete {
				count = max(0, min(count, k))
			}
			if (s.present(p[at].Key) != 1<<len(s.Codes)-1) == incomplete && count > 0 {
				takes = append(takes, take{part: at, count: count})
				k -= count
			}
		}
	}
	return takes
}

// within returns the part of a suppression that fits the budget, and its account. Without a budget it returns the
// whole suppression.
func (s *strataSolver) within(ctx context.Context, all []stratumResult) ([]stratumResult, *method.Suppression, error) {
	cells := int64(0)
	for i := range all {
		cells += all[i].parts.price(slices.Repeat([]int{1}, len(s.ranks.price)))
	}
	if s.m.Budget == nil {
		account, err := s.finish(ctx, all)
		return all, account, err
	}
	units, err := s.units(ctx, all)
	if err != nil {
		return nil, nil, err
	}
	part := all
	if cells > int64(*s.m.Budget) {
		part = cut(units, all, int(*s.m.Budget))
	}
	account, err := s.finish(ctx, part)
	if err != nil {
		return nil, nil, err
	}
	if cells > int64(*s.m.Budget) { // the bound holds for a suppression that protects all records
		account.Bound, account.Proven = nil, false
	}
	account.Budgets, err = s.budgets(ctx, units, all, int(cells))
	return part, account, err
}

// budgetPoints is the number of budgets, besides zero, that violators are counted for.
const budgetPoints = 10

// budgets counts the violators left under budgets from zero to whole, the number of cells that protects all
// records.
func (s *strataSolver) budgets(ctx context.Context, units []unit, all []stratumResult, whole int) ([]method.Budget, error) {
	points := make([]method.Budget, budgetPoints+1)
	for i := range points {
		points[i].Cells = whole * i / budgetPoints
		account, err := s.finish(ctx, cut(units, all, points[i].Cells))
		if err != nil {
			return nil, err
		}
		points[i].Violators = account.Left.Conservative
	}
	return points, nil
}

// checkBudget reports a budget that conflicts with the other parameters or the scenario, which may be nil.
func (m *KAnonymity) checkBudget(scenario *microdata.Scenario) error {
	if m.Budget == nil {
		return nil
	}
	if *m.Budget != math.Trunc(*m.Budget) || !(*m.Budget >= 0 && *m.Budget <= math.MaxInt32) {
		return method.ParamError("\"budget\" is %v; it must be an integer, or empty", *m.Budget)
	}
	if reason := m.NoBudget(scenario); reason != "" {
		return method.ParamError("\"budget\" %s", reason)
	}
	return nil
}

// NoBudget returns why a budget cannot be used with the other parameters and the scenario, which may be nil, in
// words that follow "budget", or "" if it can.
func (m *KAnonymity) NoBudget(scenario *microdata.Scenario) string {
	switch {
	case len(m.Households) > 0 || scenario != nil && WholeHouseholds(scenario):
		return "cannot be used with household-level variables"
	case m.Algorithm == SDCMicro:
		return fmt.Sprintf("requires the algorithm %s or %s, not %s", Minimal, Thorough, SDCMicro)
	case m.Rule != string(microdata.RuleConservative):
		return fmt.Sprintf("requires the %s rule, not %s: partial protection is counted under that rule",
			microdata.RuleConservative, m.Rule)
	case len(m.Subsets) > 0:
		return "cannot be used with subsets"
	}
	return ""
}
