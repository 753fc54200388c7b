package suggest

import (
	"cmp"
	"slices"
)

// Frontier is the recodes a search has found so far that no other dominates: none
// loses as little detail and leaves as few violators.
type Frontier struct {
	Suggestions []*Suggestion // in order of detail lost, and so of violators left, from many to few
	Before      int           // violators now

	// Detail is what all searched variables tell, in bits: the sum of their
	// entropies. Shares of detail lost refer to it, so that those of different
	// variables can be compared.
	Detail float64
}

// Frontier returns that of the recodes found so far.
func (s *Search) Frontier() Frontier {
	f := Frontier{Before: s.before}
	for _, v := range s.variables {
		f.Detail += v.detail
	}
	for _, o := range s.undominated() {
		f.Suggestions = append(f.Suggestions, s.suggestion(o))
	}
	return f
}

func (s *Search) undominated() []*outcome {
	sorted := slices.Clone(s.found)
	slices.SortFunc(sorted, func(a, b *outcome) int {
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
// violators that it removes times the part of its variable's detail that it keeps.
// A recode that does next to nothing is worth next to nothing, however cheap it is,
// and so is one that leaves next to nothing of its variable. 0 without violators.
func (f *Frontier) Worth(of *Suggestion) float64 {
	if f.Before == 0 || !(of.Detail > 0) {
		return 0
	}
	return float64(of.Removed()) / float64(f.Before) * (1 - of.Lost/of.Detail)
}

// Share returns the part of all detail that a suggestion costs, from 0 to 1.
func (f *Frontier) Share(of *Suggestion) float64 { return of.Lost / f.Detail }

// Worthwhile returns the suggestions in the order of what they are worth.
func (f *Frontier) Worthwhile() []*Suggestion {
	best := slices.Clone(f.Suggestions)
	slices.SortStableFunc(best, func(a, b *Suggestion) int { return cmp.Compare(f.Worth(b), f.Worth(a)) })
	return best
}

// LeastLost returns the suggestion that loses least detail of those that leave at
// most so many violators; nil where none of those found does.
func (f *Frontier) LeastLost(violators int) *Suggestion {
	at := slices.IndexFunc(f.Suggestions, func(s *Suggestion) bool { return s.After <= violators })
	if at < 0 {
		return nil
	}
	return f.Suggestions[at]
}

// MostRemoved returns the suggestion that removes most violators of those that lose
// at most a share, from 0 to 1, of all detail; nil where none of those found does.
func (f *Frontier) MostRemoved(share float64) *Suggestion {
	for _, one := range slices.Backward(f.Suggestions) {
		if one.Lost <= share*f.Detail {
			return one
		}
	}
	return nil
}
