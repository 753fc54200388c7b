package suppress

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/crosstable"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/suppress/minimal"
)

// attempt is a way to make k hold in every combination. None is always the best:
// combinations solved one after the other do not know of each other, covers do
// not know which records end together, and to take all cells from few variables
// can save more than to take the cheapest each time.
type attempt struct {
	search *subsetSearch
	price  int64 // of what is blanked so far
	order  int   // among the attempts
}

// subsetAttempts makes attempts at one stratum.
type subsetAttempts struct {
	*solving
	stratum *stratum
	records int // of the file
	tables  []crosstable.Table
	covers  bool // the covers of records can be found
	bound   int64
}

func (s *solving) subsetAttempts(it *stratum, records int) *subsetAttempts {
	tables, covers := s.o.Subsets.coverTables(len(it.codes))
	return &subsetAttempts{solving: s, stratum: it, records: records, tables: tables, covers: covers}
}

// mostFavoured is the number of distinct keys times that of combinations up to
// which cells are taken from some variables rather than others for a try.
const mostFavoured = 1 << 19

// finished is the number of attempts that begin with covers and are finished:
// those that are the cheapest by then.
const finished = 4

// run makes k hold and returns the cheapest attempt.
func (s *subsetAttempts) run(ctx context.Context, report func(done, total int64)) (*attempt, error) {
	attempts, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	err = s.each(ctx, attempts, func(i int) error {
		if i > 0 { // they come about equally far
			return attempts[i].search.run(ctx, func(int64, int64) {})
		}
		return attempts[i].search.run(ctx, report)
	})
	if err != nil {
		return nil, err
	}
	report(1, 1)
	slices.SortFunc(attempts, compareAttempts)
	return attempts[0], nil
}

// begin returns the attempts that are worth to be finished. What holds under the
// conservative rule holds where blanks count for more as well.
func (s *subsetAttempts) begin(ctx context.Context) (attempts []*attempt, err error) {
	rule := protection(s.o.Rule)
	attempts = []*attempt{s.attempt(0, rule)}
	if !bounded(s.o.Rule) {
		rule = minimal.Conservative
		attempts = append(attempts, s.attempt(0, rule))
	}
	if !s.covers {
		if bounded(s.o.Rule) {
			s.bound, err = attempts[0].search.bound(ctx)
		}
		return attempts, err
	}
	covered, err := s.cover(ctx, rule)
	if err != nil {
		return nil, err
	}
	for i, a := range append(attempts, covered...) {
		a.order = i
	}
	return append(attempts, covered...), nil
}

// cover returns the cheapest attempts after their covers. Cells are taken from
// any variable, then rather from one, and from more as long as that is cheaper.
func (s *subsetAttempts) cover(ctx context.Context, rule minimal.Rule) ([]*attempt, error) {
	first := s.attempt(0, rule)
	all := []*attempt{first}
	bound, err := first.search.cover(ctx, s.tables)
	if first.price = first.search.rows.price(s.ranks.price); bounded(s.o.Rule) {
		s.bound = bound
	}
	if len(s.stratum.counts)*s.o.Subsets.count(len(s.names)) > mostFavoured {
		return all, err
	}
	least := first.price
	for favoured := uint64(0); err == nil; {
		var tried []*attempt
		for v := range s.names {
			if favoured>>v&1 == 0 {
				tried = append(tried, s.attempt(favoured|1<<v, rule))
			}
		}
		err = s.each(ctx, tried, func(i int) error {
			_, err := tried[i].search.cover(ctx, s.tables)
			return err
		})
		if all = append(all, tried...); len(tried) == 0 || err != nil {
			break
		}
		best := slices.MinFunc(tried, compareAttempts)
		if best.price >= least {
			break
		}
		favoured, least = best.search.favoured, best.price
	}
	slices.SortStableFunc(all, compareAttempts)
	return all[:min(finished, len(all))], err
}

// attempt begins an attempt that takes cells from some variables rather than others.
func (s *subsetAttempts) attempt(favoured uint64, rule minimal.Rule) *attempt {
	search := newSubsetSearch(s.favouring(favoured), s.stratum, s.records, rule)
	search.favoured = favoured
	return &attempt{search: search}
}

func compareAttempts(a, b *attempt) int {
	return cmp.Or(cmp.Compare(a.price, b.price), cmp.Compare(a.order, b.order))
}

// each works on attempts, several at a time, and counts what they cost then.
func (s *subsetAttempts) each(ctx context.Context, attempts []*attempt, work func(i int) error) error {
	return parallel.Each(ctx, len(attempts), func(i int) error {
		err := work(i)
		attempts[i].price = attempts[i].search.rows.price(s.ranks.price)
		return err
	})
}

// favouring returns a solving for which cells of all variables but some are twice
// as dear as they are.
func (s *solving) favouring(variables uint64) *solving {
	if variables == 0 {
		return s
	}
	return s.repriced(func(v, price int) int {
		if variables>>v&1 == 0 {
			price *= 2
		}
		return price
	})
}

// solveSubsets makes k hold in every combination of the stratum, for the least
// price of some attempts.
func (s *solving) solveSubsets(ctx context.Context, it *stratum, records int, report func(done, total int64)) (solved, error) {
	a := s.subsetAttempts(it, records)
	best, err := a.run(ctx, report)
	if err != nil {
		return solved{}, err
	}
	return solved{parts: best.search.blankedParts(), bound: a.bound}, nil
}

// blankedParts returns what is done to the keys.
func (s *subsetSearch) blankedParts() parts {
	var blanked parts
	for _, row := range s.rows {
		if row.set != 0 {
			blanked = append(blanked, row)
		}
	}
	return blanked.merged()
}

// price returns what the cells of the parts cost.
func (p parts) price(prices []int) (sum int64) {
	for _, part := range p {
		for set := part.set; set != 0; set &= set - 1 {
			sum += int64(prices[bits.TrailingZeros64(set)]) * int64(part.count)
		}
	}
	return sum
}
