package suggest

import (
	"cmp"
	"slices"
)

// Detail returns what all searched variables tell, in bits: the sum of their
// entropies. Shares of detail lost refer to it, so that those of different
// variables can be compared.
func (s *Search) Detail() float64 {
	sum := 0.0
	for _, v := range s.variables {
		sum += v.detail
	}
	return sum
}

// Frontier returns the recodes found so far that no other dominates: none loses as
// little detail and leaves as few violators. They are in order of detail lost, and
// so of violators left, from many to few.
func (s *Search) Frontier() []Suggestion {
	var all []Suggestion
	for _, o := range s.undominated() {
		all = append(all, s.suggestion(o))
	}
	return all
}

// undominated returns the outcomes of the frontier.
func (s *Search) undominated() []outcome {
	sorted := slices.Clone(s.found)
	slices.SortFunc(sorted, func(a, b outcome) int {
		return cmp.Or(cmp.Compare(a.lost, b.lost), cmp.Compare(a.after, b.after), s.better(a, b))
	})
	kept := sorted[:0]
	for _, o := range sorted {
		if len(kept) == 0 || o.after < kept[len(kept)-1].after {
			kept = append(kept, o)
		}
	}
	return kept
}

// Worth returns what makes a suggestion worth a key press: the part of the
// violators that it removes less the part of all detail that it costs. A recode
// that does next to nothing is worth next to nothing, however cheap it is.
func (s *Search) Worth(of *Suggestion) float64 {
	return worth(s.before, s.Detail(), of.Removed(), of.Lost)
}

func worth(before int, detail float64, removed int, lost float64) float64 {
	return float64(removed)/float64(before) - lost/detail
}

// Worthwhile returns up to n recodes of the frontier, those worth most first.
func (s *Search) Worthwhile(n int) []Suggestion {
	kept, detail := s.undominated(), s.Detail()
	slices.SortStableFunc(kept, func(a, b outcome) int {
		return cmp.Compare(worth(s.before, detail, s.before-b.after, b.lost), worth(s.before, detail, s.before-a.after, a.lost))
	})
	best := make([]Suggestion, 0, min(n, len(kept)))
	for _, o := range kept[:min(n, len(kept))] {
		best = append(best, s.suggestion(o))
	}
	return best
}

// LeastLost returns the recode that loses least detail of those that leave at most
// so many violators; ok is false where none of those found does.
func (s *Search) LeastLost(violators int) (best Suggestion, ok bool) {
	for _, o := range s.undominated() {
		if o.after <= violators {
			return s.suggestion(o), true
		}
	}
	return Suggestion{}, false
}

// MostRemoved returns the recode that removes most violators of those that lose at
// most a share, from 0 to 1, of all detail; ok is false where none of those found
// does.
func (s *Search) MostRemoved(share float64) (best Suggestion, ok bool) {
	kept, limit := s.undominated(), share*s.Detail()
	for i := len(kept) - 1; i >= 0; i-- {
		if kept[i].lost <= limit {
			return s.suggestion(kept[i]), true
		}
	}
	return Suggestion{}, false
}
