package inference

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// against compares the promising trials with the best guess from the other key variables and returns those to
// report.
func (s *search) against(ctx context.Context, trials []*trial) ([]*trial, error) {
	trials, err := s.stillPromising(ctx, trials)
	if err != nil {
		return nil, err
	}
	var kept []*trial
	s.meter.Start(int64(len(trials)))
	for _, t := range s.targets { // sequentially, because a basis is large
		of := slices.DeleteFunc(slices.Clone(trials), func(o *trial) bool { return o.target != t })
		reported, err := s.againstBase(ctx, t, of)
		if err != nil {
			return nil, err
		}
		kept = append(kept, reported...)
	}
	return kept, nil
}

// againstBase is against for the trials of one target.
func (s *search) againstBase(ctx context.Context, t *target, trials []*trial) (kept []*trial, err error) {
	if len(trials) == 0 {
		return nil, nil
	}
	b, err := s.newBasis(ctx, t)
	if err != nil {
		return nil, err
	}
	reported := make([]bool, len(trials))
	err = parallel.Each(ctx, len(trials), func(task int) (err error) {
		defer s.meter.Add(1)
		reported[task], err = s.stands(ctx, trials[task], b)
		return err
	})
	for i, o := range trials {
		if reported[i] {
			kept = append(kept, o)
		}
	}
	return kept, err
}

// stands reports whether a trial is reported in view of all its rivals. The claims on records with a value are
// counted again only if a rival depends on these records: the variables of a pair, or the guess from keys if these
// records are decisive.
func (s *search) stands(ctx context.Context, o *trial, b *basis) (bool, error) {
	t, p := o.target, s.partitionOf(o)
	var guesses [rivalBits]guess
	guessed, err := b.guesses(ctx, t, o.by, !s.decisive(t))
	if err != nil {
		return false, err
	}
	if guessed != nil {
		guesses[byKeys] = func(row uint32) uint32 { return guessed[b.table.Key(int(row))] }
	}
	if byRecords := s.decisive(t) && guessed != nil; byRecords || len(o.by) == 2 {
		shown := t.marked()
		if byRecords {
			t.markRight(b.table.RowKeys(), guessed, shown)
		}
		for part := 0; part < len(o.by) && len(o.by) == 2; part++ {
			rival := byFirst + part
			if guesses[rival], err = t.guessing(ctx, o.by[part], shown, rival); err != nil {
				return false, err
			}
		}
		if err := newLearner(t, shown, s.least(o.by)).learn(ctx, o, p); err != nil {
			return false, err
		}
	}
	o.judge(p, guesses)
	return s.reported(o), ctx.Err()
}

// stillPromising drops trials of pairs, which were screened on a sample, if the most frequent category explains
// them on all rows.
func (s *search) stillPromising(ctx context.Context, trials []*trial) (kept []*trial, err error) {
	promising := make([]bool, len(trials))
	err = parallel.Each(ctx, len(trials), func(task int) (err error) {
		o := trials[task]
		if promising[task] = len(o.by) == 1; !promising[task] && !s.hopeless(o.target) {
			promising[task], err = s.promising(ctx, o, s.partitionOf(o))
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

// markRight sets the bit of the guess from the other key variables in the rows for which it is right.
func (t *target) markRight(keys, guessed []uint32, shown visibleCells) {
	for row, key := range keys {
		if cell := t.cells.at(uint32(row)); cell > 0 && cell <= t.categories && guessed[key] == cell {
			shown.of.wide[row] |= 1 << byKeys
		}
	}
}

// inAll returns the total of what can be inferred of a target, using for each cell the first trial that reveals
// it. It adds correctly inferred cells to revealed.
func (s *search) inAll(ctx context.Context, t *target, trials []*trial, revealed *revealedCells) (Key, error) {
	key := Key{Variable: t.variable, Recoded: t.recoded, Cells: t.asked(), Estimated: !t.known}
	done := microdata.NewBits(t.cells.len())
	for _, o := range trials {
		var inferred [probably + 1]tally
		err := s.eachInferred(ctx, o, func(row uint32, sure confidence, right bool) {
			if right && !t.recoded {
				revealed.add(t, row, done.Has(int(row)), o.determining())
			}
			if done.Has(int(row)) {
				return
			}
			if o.evidence.leftOut[exactly].claims == 0 {
				sure = probably
			}
			done.Set(int(row))
			one := tally{claims: t.records(row)}
			if right {
				one.right = one.claims
			}
			inferred[sure].add(one)
		})
		if err != nil {
			return key, err
		}
		key.Exactly = key.Exactly.plus(o.inAll(exactly, inferred[exactly]))
		key.Probably = key.Probably.plus(o.inAll(probably, inferred[probably]))
	}
	return key, ctx.Err()
}

// eachInferred calls f for the target's cells that a trial makes a claim about.
func (s *search) eachInferred(ctx context.Context, o *trial, f func(row uint32, sure confidence, right bool)) error {
	t, p := o.target, s.partitionOf(o)
	for _, row := range t.gone {
		if claim := o.byLevel[p.at(row)]; claim.sure != silent {
			truth, _ := t.category(t.cells.at(row))
			f(row, claim.sure, claim.of == truth)
		}
	}
	if !t.recoded {
		return ctx.Err()
	}
	c, least := newCounter(t), s.least(o.by)
	return c.eachOf(ctx, p.groups(), t.plain(), least, nil, func(_ int, rows []uint32) {
		for _, row := range rows {
			if category := t.cells.at(row); category > 0 {
				others := c.others(category, false)
				if sure := others.claim(least); sure != silent {
					f(row, sure, others.of == category)
				}
			}
		}
	})
}

// determining reports whether the trial uses the household, or variables that determine the category and were not
// masked.
func (o *trial) determining() bool {
	masked := slices.ContainsFunc(o.by, func(column *microdata.Column) bool { return column.Origin() != 0 })
	return o.household || o.evidence.determines() && !masked
}

// inAll splits claims into right and wrong ones.
func (o *trial) inAll(sure confidence, of tally) Claims {
	if !o.target.known {
		return o.shared(sure, of.claims)
	}
	return Claims{of.right, of.claims - of.right}
}
