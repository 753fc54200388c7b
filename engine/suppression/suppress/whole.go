package suppress

import (
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// inHouseholds returns the input with the variables of m.Households declared the same for households, and without
// the cells of members of records that lost theirs before the step. It also returns these cells, or nil if m names
// no variable.
func (m *KAnonymity) inHouseholds(in method.Input) (method.Input, lost, error) {
	if len(m.Households) == 0 {
		return in, nil, nil
	}
	if in.Scenario.Household == "" {
		return in, nil, method.ParamError("\"households\": the scenario has no household variable")
	}
	if _, err := in.Columns("households", m.Households); err != nil {
		return in, nil, err
	}
	scenario := in.Scenario.Clone()
	for _, name := range m.Households {
		if !slices.Contains(scenario.Keys, name) {
			return in, nil, method.NoKeyVariable("households", name, scenario.Keys)
		}
		if !slices.Contains(scenario.SameForHousehold, name) {
			scenario.SameForHousehold = append(scenario.SameForHousehold, name)
		}
	}
	in.Scenario = &scenario
	h, err := householdsOf(in)
	if err != nil {
		return in, nil, err
	}
	var begun lost
	for v, name := range scenario.Keys {
		column, _ := in.Data.Column(name)
		if cells := column.Suppressed(); slices.Contains(m.Households, name) && cells.Count() > 0 {
			if begun == nil {
				begun = make(lost, in.Data.Len())
			}
			h.spreadOver(name, cells).Each(func(row int) { begun[row] |= 1 << v })
		}
	}
	return begun.without(in), begun, nil
}

// count adds the cells and their prices to an account, but not the records.
func (l lost) count(to *method.Suppression, price []int) {
	for _, set := range l {
		for ; set != 0; set &= set - 1 {
			v := bits.TrailingZeros64(set)
			to.Cells[v].Count++
			to.Total++
			to.Price += price[v]
		}
	}
}

// touched returns the number of rows that lose cells.
func (l lost) touched() (rows int) {
	for _, set := range l {
		if set != 0 {
			rows++
		}
	}
	return rows
}

// begin returns the account of the cells that are lost before the first stratum is solved.
func (s *strataSolver) begin() *method.Suppression {
	sum := emptyAccount(s.in.Scenario.Keys)
	s.begun.count(sum, s.ranks.price)
	return sum
}

// withBegun adds the cells that were lost before the first stratum was solved.
func (s *strataSolver) withBegun(found *solution) *solution {
	if s.begun != nil {
		account := *found.account
		found.cells.add(s.begun)
		account.Touched, found.account = found.cells.touched(), &account
	}
	return found
}
