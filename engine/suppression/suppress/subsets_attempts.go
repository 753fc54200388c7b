package suppress

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// subsetAttempts tries several ways to make k hold in every combination of one stratum. No way is always the best:
// covers ignore which records end up together, and taking all cells from few variables can save more than taking
// the cheapest cell each time.
type subsetAttempts struct {
	*strataSolver
	stratum *stratum
	tables  []crosstable.Table
	bound   int64
}

func (s *strataSolver) subsetAttempts(it *stratum) *subsetAttempts {
	return &subsetAttempts{strataSolver: s, stratum: it, tables: s.m.Subsets.coverTables(len(it.Codes))}
}

// mostFavoured is the maximum number of key patterns times combinations for which attempts that favour some
// variables are made.
const mostFavoured = 1 << 19

// finished is the number of attempts that are completed: those that are cheapest after their covers.
const finished = 4

// run makes k hold and returns the cheapest attempt. If suppressed cells count for other records, covers suppress
// too much, so there is only one attempt.
func (s *subsetAttempts) run(ctx context.Context, report func(done, total int64)) (best *subsetSearch, err error) {
	attempts := []*subsetSearch{s.attempt(0)}
	if bounded(s.rule()) {
		if attempts, err = s.cover(ctx); err != nil {
			return nil, err
		}
	}
	err = parallel.Each(ctx, len(attempts), func(i int) error {
		if i > 0 { // they progress at about the same rate
			return attempts[i].run(ctx, func(int64, int64) {})
		}
		return attempts[i].run(ctx, report)
	})
	return slices.MinFunc(attempts, s.compare), err
}

// cover returns the cheapest attempts after their covers. The first favours no variable, the next favour one, and
// further variables are added as long as that lowers the price.
func (s *subsetAttempts) cover(ctx context.Context) (all []*subsetSearch, err error) {
	best := s.attempt(0)
	all = []*subsetSearch{best}
	s.bound, err = best.cover(ctx, s.tables)
	if len(s.stratum.Counts)*len(best.combinations) > mostFavoured {
		return all, err
	}
	for cheaper := true; cheaper && err == nil && len(best.stratum.Codes) > bits.OnesCount64(best.favoured); {
		var tried []*subsetSearch
		for v := range s.stratum.Codes {
			if best.favoured>>v&1 == 0 {
				tried = append(tried, s.attempt(best.favoured|1<<v))
			}
		}
		err = parallel.Each(ctx, len(tried), func(i int) error {
			_, err := tried[i].cover(ctx, s.tables)
			return err
		})
		all = append(all, tried...)
		next := slices.MinFunc(tried, s.compare)
		if cheaper = s.compare(next, best) < 0; cheaper {
			best = next
		}
	}
	slices.SortStableFunc(all, s.compare)
	return all[:min(finished, len(all))], err
}

// attempt starts an attempt that favours some variables: cells of the others cost twice as much.
func (s *subsetAttempts) attempt(favoured uint64) *subsetSearch {
	own := s.strataSolver
	if favoured != 0 {
		own = s.repriced(func(v, price int) int { return price * (2 - int(favoured>>v&1)) })
	}
	search := newSubsetSearch(own, s.stratum)
	search.favoured = favoured
	return search
}

// price returns the price of the cells suppressed by an attempt so far.
func (s *subsetAttempts) price(search *subsetSearch) int64 { return search.rows.price(s.ranks.price) }

func (s *subsetAttempts) compare(a, b *subsetSearch) int { return cmp.Compare(s.price(a), s.price(b)) }

// solution returns the suppressions of an attempt.
func (s *subsetAttempts) solution(search *subsetSearch) *minimal.Solution {
	suppressed := slices.DeleteFunc(slices.Clone(search.rows), func(row part) bool { return row.Set == 0 })
	return &minimal.Solution{Parts: suppressed.merged(), Bound: s.bound}
}

// price returns the price of the cells of the parts.
func (p parts) price(prices []int) (sum int64) {
	for _, part := range p {
		for set := part.Set; set != 0; set &= set - 1 {
			sum += int64(prices[bits.TrailingZeros64(set)]) * int64(part.Count)
		}
	}
	return sum
}
