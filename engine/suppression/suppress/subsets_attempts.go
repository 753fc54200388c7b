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

// subsetAttempts makes attempts at one stratum: ways to make k hold in every
// combination. None is always the best: covers do not know which records end
// together, and to take all cells from few variables can save more than to take
// the cheapest each time.
type subsetAttempts struct {
	*solving
	stratum *stratum
	tables  []crosstable.Table
	bound   int64
}

func (s *solving) subsetAttempts(it *stratum) *subsetAttempts {
	return &subsetAttempts{solving: s, stratum: it, tables: s.m.Subsets.coverTables(len(it.Codes))}
}

// mostFavoured is the number of distinct keys times that of combinations up to
// which cells are taken from some variables rather than others for a try.
const mostFavoured = 1 << 19

// finished is the number of attempts that are finished: those that are the
// cheapest after their covers.
const finished = 4

// run makes k hold and returns the cheapest attempt. Where blanks count for other
// records covers take too much: there is one attempt.
func (s *subsetAttempts) run(ctx context.Context, report func(done, total int64)) (best *subsetSearch, err error) {
	attempts := []*subsetSearch{s.attempt(0)}
	if bounded(s.rule()) {
		if attempts, err = s.cover(ctx); err != nil {
			return nil, err
		}
	}
	err = parallel.Each(ctx, len(attempts), func(i int) error {
		if i > 0 { // they come about equally far
			return attempts[i].run(ctx, func(int64, int64) {})
		}
		return attempts[i].run(ctx, report)
	})
	return slices.MinFunc(attempts, s.compare), err
}

// cover returns the cheapest attempts after their covers. Cells are taken from
// any variable, then rather from one, and from more as long as that is cheaper.
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

// attempt begins an attempt that takes cells from some variables rather than
// others: a cell of these is twice as dear.
func (s *subsetAttempts) attempt(favoured uint64) *subsetSearch {
	own := s.solving
	if favoured != 0 {
		own = s.repriced(func(v, price int) int { return price * (2 - int(favoured>>v&1)) })
	}
	search := newSubsetSearch(own, s.stratum)
	search.favoured = favoured
	return search
}

// price returns what an attempt takes so far.
func (s *subsetAttempts) price(search *subsetSearch) int64 { return search.rows.price(s.ranks.price) }

func (s *subsetAttempts) compare(a, b *subsetSearch) int { return cmp.Compare(s.price(a), s.price(b)) }

// solution returns what an attempt does to the keys.
func (s *subsetAttempts) solution(search *subsetSearch) *minimal.Solution {
	blanked := slices.DeleteFunc(slices.Clone(search.rows), func(row part) bool { return row.Set == 0 })
	return &minimal.Solution{Parts: blanked.merged(), Bound: s.bound}
}

// price returns what the cells of the parts cost.
func (p parts) price(prices []int) (sum int64) {
	for _, part := range p {
		for set := part.Set; set != 0; set &= set - 1 {
			sum += int64(prices[bits.TrailingZeros64(set)]) * int64(part.Count)
		}
	}
	return sum
}
