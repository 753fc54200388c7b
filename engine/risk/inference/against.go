package inference

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// against tries again what is promising, against the best guess from the other key
// variables, and returns what is reported.
func (s *search) against(ctx context.Context, trials []*trial) ([]*trial, error) {
	trials, err := s.stillPromising(ctx, trials)
	if err != nil {
		return nil, err
	}
	var kept []*trial
	s.meter.Start(int64(len(trials)))
	for _, t := range s.targets { // one after the other: what the base is guessed from is large
		of := slices.DeleteFunc(slices.Clone(trials), func(o *trial) bool { return o.target != t })
		reported, err := s.againstBase(ctx, t, of)
		if err != nil {
			return nil, err
		}
		kept = append(kept, reported...)
	}
	return kept, nil
}

// againstBase is against for trials of one target.
func (s *search) againstBase(ctx context.Context, t *target, trials []*trial) (kept []*trial, err error) {
	if len(trials) == 0 {
		return nil, nil
	}
	if t.basis, err = newBasis(ctx, s.data, t, s.keys); err != nil {
		return nil, err
	}
	defer func() { t.basis = nil }()
	reported := make([]bool, len(trials))
	err = parallel.Each(ctx, len(trials), func(task int) error {
		defer s.meter.Add(1)
		o := trials[task]
		shown, err := o.target.withBase(ctx, o.by)
		if err != nil {
			return err
		}
		if len(o.by) == 2 {
			for part, bit := range []uint32{byFirst, bySecond} {
				if err := o.target.markGuessed(ctx, o.by[part:part+1], shown, bit); err != nil {
					return err
				}
			}
		}
		o.overall = newCounter(o.target).overall(shown)
		err = o.inform(ctx, s.partition(o.by), shown, s.least(o.by))
		reported[task] = err == nil && s.reported(o)
		return err
	})
	for i, o := range trials {
		if reported[i] {
			kept = append(kept, o)
		}
	}
	return kept, err
}

// stillPromising returns the trials without those of pairs, which were screened on a sample, that the most frequent
// category explains on all rows.
func (s *search) stillPromising(ctx context.Context, trials []*trial) (kept []*trial, err error) {
	promising := make([]bool, len(trials))
	err = parallel.Each(ctx, len(trials), func(task int) (err error) {
		o := trials[task]
		if promising[task] = len(o.by) == 1; !promising[task] {
			promising[task], err = s.promising(ctx, o, partitionBy(o.by))
		}
		return err
	})
	for task, o := range trials {
		if promising[task] {
			kept = append(kept, o)
		}
	}
	return kept, err
}

// withBase returns what rows show, with the bit of the best guess from the key variables
// that are no part of Z.
func (t *target) withBase(ctx context.Context, by []*microdata.Column) (showing, error) {
	shown := t.marked()
	if t.basis == nil {
		return shown, nil
	}
	var without []string
	for _, column := range by {
		without = append(without, column.Name())
	}
	right, err := t.basis.right(ctx, t, without)
	if err != nil {
		return shown, err
	}
	for row, key := range t.basis.table.RowKeys() {
		if right[key] {
			shown.of[row] |= 1 << byKeys
		}
	}
	return shown, nil
}

// inAll returns what is told of a target in all: each cell by the first of the trials that
// tells it. It adds the cells that are told rightly to those that are revealed.
func (s *search) inAll(ctx context.Context, t *target, trials []*trial, revealed *revealed) (Key, error) {
	key := Key{Variable: t.variable, Recoded: t.recoded, Cells: t.asked(), Estimated: !t.known}
	done, shown := microdata.NewBits(len(t.cells)), t.plain()
	for _, o := range trials {
		c, least := newCounter(t), s.least(o.by)
		var told [probably + 1]tally
		tell := func(rows []uint32) {
			c.judge(least)
			for _, row := range rows {
				show := shown.at(row)
				claim := c.claimed[show]
				if claim.right && claim.blanked && show != 0 {
					revealed.add(t, row, done.Has(int(row)), o.determining())
				}
				if show == 0 || claim.sure == silent || claim.blanked == t.recoded || done.Has(int(row)) {
					continue
				}
				if o.evidence.leftOut[exactly].claims == 0 {
					claim.sure = probably
				}
				done.Set(int(row))
				one := tally{claims: t.records(row)}
				if claim.right {
					one.right = one.claims
				}
				told[claim.sure].add(one)
			}
		}
		p, err := s.partition(o.by), error(nil)
		if t.recoded {
			err = c.eachOf(ctx, p.groups(), shown, least, tell)
		} else {
			err = c.eachBlanked(ctx, p, shown, least, tell)
		}
		if err != nil {
			return key, err
		}
		key.Exactly = key.Exactly.plus(o.inAll(exactly, told[exactly]))
		key.Probably = key.Probably.plus(o.inAll(probably, told[probably]))
	}
	return key, ctx.Err()
}

// determining reports whether what tells is the household, or determines the category and was not masked.
func (o *trial) determining() bool {
	masked := slices.ContainsFunc(o.by, func(column *microdata.Column) bool { return column.Origin() != 0 })
	return o.household || o.evidence.determines() && !masked
}

// inAll returns claims with the right ones of them.
func (o *trial) inAll(sure sureness, of tally) Claims {
	if !o.target.known {
		return o.shared(sure, of.claims)
	}
	return Claims{of.right, of.claims - of.right}
}
