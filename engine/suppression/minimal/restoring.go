package minimal

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Combination is a set of variables within which K records are not to be told apart.
type Combination struct {
	Set uint64
	K   int
}

// Restoring gives cells back that a suppression took, as long as no record violates in any of some combinations of
// variables under the rule of a [Problem], whose K plays no part.
type Restoring struct {
	missing []uint64
	within  []*frequencies
	given   []choice // reused
}

// NewRestoring begins from what is done to the records, all of them, none of which may violate.
func NewRestoring(ctx context.Context, p *Problem, combinations []Combination, parts []Part) (*Restoring, error) {
	r := &Restoring{missing: p.missing(), within: make([]*frequencies, len(combinations))}
	choices, keys := make([]choice, len(parts)), pack(p)
	for i, part := range parts {
		choices[i] = r.choice(part)
	}
	err := parallel.Each(ctx, len(combinations), func(i int) (err error) {
		r.within[i], err = newFrequencies(ctx, p, keys, combinations[i].Set, combinations[i].K, choices)
		return err
	})
	return r, err
}

// choice is what a part makes of its key.
func (r *Restoring) choice(p Part) choice {
	return choice{key: p.Key, set: p.Set | r.missing[p.Key], count: int64(p.Count)}
}

// GiveBack gives the cells of a variable back to all of some parts together, which have lost it, unless a record
// violates then. It reports whether it did.
func (r *Restoring) GiveBack(variable int, parts ...Part) bool {
	r.given = r.given[:0]
	for _, p := range parts {
		r.given = append(r.given, r.choice(p))
	}
	for i, f := range r.within {
		if f.outside>>variable&1 == 0 && !f.giveBack(variable, r.given...) {
			r.takeBack(variable, r.within[:i])
			return false
		}
	}
	return true
}

// TakeBack takes back what the last call of GiveBack gave.
func (r *Restoring) TakeBack(variable int) { r.takeBack(variable, r.within) }

func (r *Restoring) takeBack(variable int, within []*frequencies) {
	for _, f := range within {
		if f.outside>>variable&1 == 0 {
			f.takeBack()
		}
	}
}

// Spare returns how many records of a part can get a variable back while the rest of it does not violate.
func (r *Restoring) Spare(variable int, p Part) int {
	c := r.choice(p)
	for _, f := range r.within {
		if f.outside>>variable&1 == 0 {
			c.count = min(c.count, f.spare(variable, c))
		}
	}
	return int(c.count)
}

// spare returns how many records of a choice can get a variable back while the rest of it does not violate.
func (f *frequencies) spare(v int, c choice) int64 {
	blank := c.set | f.outside
	if f.everywhere(blank) || blank&^(1<<v) == f.outside && !f.own() || f.alpha > 0 {
		return c.count // those that get it still agree with the rest
	}
	row, _ := f.rows.find(c.key, blank)
	return max(0, f.known[row].exact-f.k)
}
