package suppress

import (
	"context"
	"slices"
	"sort"
)

// sizes are the sizes of the categories of one variable in every stratum: they
// say how many of its cells a k takes at least.
type sizes []stratumSizes

// stratumSizes are those of one stratum.
type stratumSizes struct {
	alone     bool  // records that have lost everything are safe where k of them are, else always
	ascending []int // of the categories that occur
	upTo      []int // upTo[i]: records of the first i of them
	missing   int   // records without a value
}

// sizes counts the categories of the variable.
func (r *reaching) sizes() sizes {
	all := make(sizes, len(r.strata))
	for i, it := range r.strata {
		counts := make([]int, it.levels[r.variable]+1)
		for key, code := range it.codes[r.variable] {
			counts[code] += int(it.counts[key])
		}
		s := stratumSizes{missing: counts[0], alone: r.alone()}
		s.ascending = slices.DeleteFunc(counts[1:], func(count int) bool { return count == 0 })
		slices.Sort(s.ascending)
		s.upTo = make([]int, len(s.ascending)+1)
		for i, size := range s.ascending {
			s.upTo[i+1] = s.upTo[i] + size
		}
		all[i] = s
	}
	return all
}

// below returns the number of categories with fewer than k records.
func (s *stratumSizes) below(k int) int { return sort.SearchInts(s.ascending, k) }

// need says which cells of the variable k takes at least: all those of small
// categories, and so many more that k records have no value together, where that
// is asked for; whole is true where these are the smallest category of those that
// stay, false where they can come from any that has more than k. possible is
// false where there are too few records.
func (s *stratumSizes) need(k int) (cells, more int, whole, possible bool) {
	small := s.below(k)
	cells = s.upTo[small]
	loose := cells + s.missing
	if loose == 0 || loose >= k || !s.alone {
		return cells, 0, false, true
	}
	stay := len(s.ascending) - small
	if stay == 0 {
		return cells, 0, false, false
	}
	if more = k - loose; s.upTo[len(s.ascending)]-cells-stay*k >= more {
		return cells, more, false, true
	}
	return cells, s.ascending[small], true, true
}

// need adds up what the strata need; possible is false where one is too small.
func (all sizes) need(k int) (cells int, possible bool) {
	for i := range all {
		own, more, _, can := all[i].need(k)
		if !can {
			return 0, false
		}
		cells += own + more
	}
	return cells, true
}

// largest returns the largest k up to a limit that takes so many cells of the
// variable at most; 1 where there is none from 2 on. Between two numbers at which
// a category becomes too small a larger k never takes fewer cells: so each such
// interval is halved, the highest first.
func (all sizes) largest(ctx context.Context, most, limit int) (int, error) {
	ends := []int{limit}
	for i := range all {
		ends = append(ends, all[i].ascending...)
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	fits := func(k int) bool {
		cells, possible := all.need(k)
		return possible && cells <= most
	}
	// Small categories alone never take fewer cells for a larger k.
	highest := sort.Search(len(ends), func(i int) bool { return ends[i] >= limit || !all.smallFit(ends[i], most) })
	for i := min(highest, len(ends)-1); i >= 0; i-- {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		from := 2
		if i > 0 {
			from = max(from, ends[i-1]+1)
		}
		to := min(limit, ends[i])
		if fitting := sort.Search(max(0, to-from+1), func(n int) bool { return !fits(from + n) }); fitting > 0 {
			return from + fitting - 1, nil
		}
	}
	return 1, nil
}

// smallFit reports whether the small categories have so many cells at most.
func (all sizes) smallFit(k, most int) bool {
	cells := 0
	for i := range all {
		cells += all[i].upTo[all[i].below(k)]
	}
	return cells <= most
}

// open returns the largest k up to a limit that is not excluded where blanks
// protect others: a category may be as much smaller than k as there are records
// without a value in its stratum, before and after.
func (all sizes) open(most, limit int) int {
	return sort.Search(limit, func(n int) bool {
		cells := 0
		for i := range all {
			s := &all[i]
			cells += s.upTo[s.below(n+1-s.missing-most)]
		}
		return cells > most
	})
}
