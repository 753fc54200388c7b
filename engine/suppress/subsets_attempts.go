package suppress

import (
	"context"
	"math"
	"runtime"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/suppress/minimal"
)

// attempt is a way to make k hold in every combination. None is always the best:
// combinations solved one after the other do not know of each other, and covers
// do not know which records end together.
type attempt struct {
	rule  minimal.Rule
	cover bool // begin with the covers of all records
}

// attempts returns what is tried. What holds under the conservative rule holds
// where blanks count for more as well.
func (s *solving) attempts(cover bool) []attempt {
	rule := protection(s.o.Rule)
	all := []attempt{{rule: rule}}
	if !bounded(s.o.Rule) {
		all = append(all, attempt{rule: minimal.Conservative})
		rule = minimal.Conservative
	}
	if cover {
		all = append(all, attempt{rule: rule, cover: true})
	}
	return all
}

// attempted is what came of an attempt.
type attempted struct {
	search *subsetSearch
	bound  int64
	err    error
}

// solveSubsets makes k hold in every combination of the stratum, for the least
// price of all attempts.
func (s *solving) solveSubsets(ctx context.Context, it *stratum, records int, report func(done, total int64)) (solved, error) {
	tables, cover := s.o.Subsets.coverTables(len(it.codes))
	attempts := s.attempts(cover)
	all := make([]attempted, len(attempts))
	reports := together(len(attempts), report)
	err := parallel.Tasks(ctx, len(attempts), min(runtime.GOMAXPROCS(0), len(attempts)), func(_, i int) {
		search := newSubsetSearch(s, it, records, attempts[i].rule)
		a := attempted{search: search}
		switch {
		case attempts[i].cover:
			a.bound, a.err = search.cover(ctx, tables)
		case !cover && bounded(s.o.Rule):
			a.bound, a.err = search.bound(ctx)
		}
		if a.err == nil {
			a.err = search.run(ctx, reports[i])
		}
		all[i] = a
	})
	if err != nil {
		return solved{}, err
	}
	return s.cheapest(all)
}

// cheapest returns the attempt of the least price, the first of equal ones, with
// the largest bound.
func (s *solving) cheapest(all []attempted) (solved, error) {
	var best solved
	least := int64(math.MaxInt64)
	for _, a := range all {
		if a.err != nil {
			return solved{}, a.err
		}
		if price := a.search.price(); price < least {
			best.parts, least = a.search.parts(), price
		}
		if bounded(s.o.Rule) {
			best.bound = max(best.bound, a.bound)
		}
	}
	return best, nil
}

// together returns so many reports of progress, for use at the same time, that
// add up to one.
func together(n int, report func(done, total int64)) []func(done, total int64) {
	const whole = 1 << 20
	var mutex sync.Mutex
	shares, sum := make([]int64, n), int64(0)
	all := make([]func(done, total int64), n)
	for i := range all {
		all[i] = func(done, total int64) {
			mutex.Lock()
			defer mutex.Unlock()
			now := whole * done / max(1, total)
			sum += now - shares[i]
			shares[i] = now
			report(sum, whole*int64(n))
		}
	}
	return all
}

// price returns what the cells blanked so far cost.
func (s *subsetSearch) price() int64 {
	account := emptyAccount(s.names)
	s.rows.count(account, s.ranks.price)
	return int64(account.Price)
}

// parts returns what is done to the keys.
func (s *subsetSearch) parts() parts {
	var blanked parts
	for _, row := range s.rows {
		if row.set != 0 {
			blanked = append(blanked, row)
		}
	}
	return blanked.merged()
}
