package suppress

import (
	"cmp"
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// restore gives cells back that no combination needs blank, dearest variables
// first, until there are none. It serves the conservative and the own-category
// rule, under which a value given back takes nothing from records whose own
// stay as they are, but from those that were like the one that gets it.
func (s *subsetSearch) restore(ctx context.Context) error {
	order := slices.Clone(s.ranks.order)
	slices.Reverse(order)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.ranks.price[b], s.ranks.price[a]) })
	for idle := 0; ; {
		for _, v := range order {
			given, err := s.restoreVariable(ctx, v)
			if err != nil {
				return err
			}
			if idle++; given {
				idle = 0
			}
			if idle == len(order) {
				return nil
			}
		}
	}
}

// restoreVariable gives values of one variable back, and reports whether any.
func (s *subsetSearch) restoreVariable(ctx context.Context, v int) (given bool, err error) {
	var losers []int // rows without the value
	for row := range s.rows {
		if s.rows[row].set>>v&1 == 1 {
			losers = append(losers, row)
		}
	}
	companies := s.companies(v)
	if len(losers) == 0 || len(companies) == 0 {
		return false, nil
	}
	err = parallel.Each(ctx, len(companies), func(i int) error { companies[i].count(s, losers); return nil })
	if err != nil {
		return false, err
	}
	for i, row := range losers {
		records := restorable(companies, i, s.rows[row].count)
		if records == 0 {
			continue
		}
		for _, c := range companies {
			c.move(s, i, row, records)
		}
		s.regain(row, v, records)
		given = true
	}
	return given, nil
}

// restorable returns how many of a loser's records can have the value back.
func restorable(companies []*company, loser int, records uint32) uint32 {
	hold := func(records uint32) bool {
		return !slices.ContainsFunc(companies, func(c *company) bool { return !c.holds(loser, records) })
	}
	if hold(records) {
		return records
	}
	for _, c := range companies {
		records = min(records, c.spare(loser))
	}
	if records > 0 && hold(records) {
		return records
	}
	return 0
}

// regain gives a value back to so many records of a row: to the row itself where
// these are all of them, else to a new one.
func (s *subsetSearch) regain(row, v int, count uint32) {
	row = s.split(row, count)
	s.rows[row].set &^= 1 << v
	s.codes[v][row] = s.source(v, row)
}
