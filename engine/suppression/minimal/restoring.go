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
	p        *Problem
	missing  []uint64
	choices  []choice       // of all records, as Run leaves them
	within   []*frequencies // per combination
	hopeless bool           // the last attempt will never succeed
	given    []choice       // reused
}

// NewRestoring begins from what is done to the records, all of them, none of which may violate.
func NewRestoring(ctx context.Context, p *Problem, combinations []Combination, parts []Part) (*Restoring, error) {
	r := &Restoring{p: p, missing: p.missing()}
	for _, part := range parts {
		r.choices = append(r.choices, r.choice(part))
	}
	return r, r.begin(ctx, pack(p), combinations)
}

// begin enters the choices.
func (r *Restoring) begin(ctx context.Context, keys *packing, combinations []Combination) error {
	r.within = make([]*frequencies, len(combinations))
	return parallel.Each(ctx, len(combinations), func(i int) (err error) {
		r.within[i], err = newFrequencies(ctx, r.p, keys, combinations[i].Set, combinations[i].K, r.choices)
		return err
	})
}

// Run gives back all cells that can be, and returns what is done to the records then.
func (r *Restoring) Run(ctx context.Context) ([]Part, error) {
	if err := r.run(ctx, newProgress(nil)); err != nil {
		return nil, err
	}
	parts := make([]Part, len(r.choices))
	for i, c := range r.choices {
		parts[i] = Part{c.key, c.set &^ r.missing[c.key], int(c.count)}
	}
	return parts, nil
}

// run gives back cells, dearest first: to all records of a choice together, then one by one, until none is left that
// can be.
func (r *Restoring) run(ctx context.Context, report *progress) error {
	done, order := 0, r.p.DearestFirst()
	for changed := true; changed; {
		changed = false
		for _, together := range []bool{true, false} {
			for _, v := range order {
				given, err := r.giveBackAll(ctx, v, together)
				if err != nil {
					return err
				}
				changed = changed || given
				done++
				report.at(int64(done), int64(2*len(order)+1)) // what later passes find is little
			}
		}
		r.choices = gather(r.choices)
	}
	return nil
}

// giveBackAll gives back cells of variable v and reports whether it gave any.
func (r *Restoring) giveBackAll(ctx context.Context, v int, together bool) (given bool, err error) {
	for i := range r.choices {
		if i%64 == 0 && ctx.Err() != nil {
			return given, ctx.Err()
		}
		c := &r.choices[i]
		if (c.set&^r.missing[c.key]&^c.hopeless)>>v&1 == 0 || c.count == 0 || !together && c.count == 1 {
			continue
		}
		// What is hopeless for some values is so for more of them.
		back := choice{key: c.key, set: c.set &^ (1 << v), hopeless: c.hopeless}
		some := choice{key: c.key, set: c.set, count: 1}
		if together {
			some.count = c.count
		}
		for back.count < c.count && r.giveBack(v, some) {
			back.count += some.count
		}
		if r.hopeless {
			c.hopeless |= 1 << v
		}
		if back.count == 0 {
			continue
		}
		given = true
		c.count -= back.count
		r.choices = append(r.choices, back)
	}
	return given, nil
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
	return r.giveBack(variable, r.given...)
}

func (r *Restoring) giveBack(variable int, choices ...choice) bool {
	r.hopeless = false
	for i, f := range r.within {
		if f.outside>>variable&1 == 0 && !f.giveBack(variable, choices...) {
			r.hopeless = f.hopeless
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
