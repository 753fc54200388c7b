package minimal

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Combination is a set of variables on which every record must be indistinguishable from K records.
type Combination struct {
	Set uint64
	K   int
}

// Restoring restores suppressed cells as long as no record violates the K of any of several combinations of
// variables, under the rule of a [Problem]. The problem's own K is ignored.
type Restoring struct {
	p        *Problem
	missing  []uint64
	choices  []choice       // of all records
	within   []*frequencies // per combination
	hopeless bool           // the last attempt can never succeed
	given    []choice       // reused
}

// NewRestoring starts from the suppressions of all records. No record may violate at the start.
func NewRestoring(ctx context.Context, p *Problem, combinations []Combination, parts []Part) (*Restoring, error) {
	r := &Restoring{p: p, missing: p.missing()}
	for _, part := range parts {
		r.choices = append(r.choices, r.choice(part))
	}
	return r, r.begin(ctx, pack(p), combinations)
}

// begin counts the frequencies of the choices.
func (r *Restoring) begin(ctx context.Context, keys *packing, combinations []Combination) error {
	r.within = make([]*frequencies, len(combinations))
	return parallel.Each(ctx, len(combinations), func(i int) (err error) {
		r.within[i], err = newFrequencies(ctx, r.p, keys, combinations[i].Set, combinations[i].K, r.choices)
		return err
	})
}

// Run restores all cells that it can and returns the remaining suppressions.
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

// run restores cells, most expensive first: in all records of a choice together, then one by one, until no more
// can be restored.
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
				report.at(int64(done), int64(2*len(order)+1)) // later passes find little
			}
		}
		r.choices = gather(r.choices)
	}
	return nil
}

// giveBackAll restores cells of variable v and reports whether it restored any.
func (r *Restoring) giveBackAll(ctx context.Context, v int, together bool) (given bool, err error) {
	for i := range r.choices {
		if i%64 == 0 && ctx.Err() != nil {
			return given, ctx.Err()
		}
		c := &r.choices[i]
		if (c.set&^r.missing[c.key]&^c.hopeless)>>v&1 == 0 || c.count == 0 || !together && c.count == 1 {
			continue
		}
		// A variable that can never be restored cannot be restored with fewer cells missing either.
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

// choice converts a part to a choice.
func (r *Restoring) choice(p Part) choice {
	return choice{key: p.Key, set: p.Set | r.missing[p.Key], count: int64(p.Count)}
}

// GiveBack restores a variable in all records of the parts, which must have lost it, unless a record would then
// violate. It reports whether it did.
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

// TakeBack undoes the last call of GiveBack.
func (r *Restoring) TakeBack(variable int) { r.takeBack(variable, r.within) }

func (r *Restoring) takeBack(variable int, within []*frequencies) {
	for _, f := range within {
		if f.outside>>variable&1 == 0 {
			f.takeBack()
		}
	}
}
