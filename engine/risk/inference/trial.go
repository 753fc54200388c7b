package inference

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// guess returns a rival's guess for a row, or 0 for none.
type guess func(row uint32) uint32

// promising reports whether a trial is reported with the most frequent category as its only rival. If claims about
// suppressed cells decide, these are tested first, because they are quick to count.
func (s *search) promising(ctx context.Context, o *trial, p *partition) (bool, error) {
	if len(o.target.gone) > 0 {
		some, err := o.claim(ctx, p, s.least(o.by))
		if err != nil || !some && !s.decisive(o.target) {
			return false, err
		}
		o.judge(p, [rivalBits]guess{})
		suppressed := all(&o.suppressed)
		if !s.decisive(o.target) && !suppressed.beaten(s.limit(&suppressed), &o.overall.suppressed, byKeys) {
			return false, nil
		}
	}
	if err := newLearner(o.target, o.target.plain(), s.least(o.by)).learn(ctx, o, p); err != nil {
		return false, err
	}
	return s.reported(o), nil
}

// hopeless reports whether so few cells of a target are suppressed that even if all were inferred correctly, the
// limit would not exceed the share of the most frequent category.
func (s *search) hopeless(t *target) bool {
	best, most := tally{claims: t.asked()}, 0
	if cell := int(t.categories + 1 + t.modes[0].of); t.modes[0].of > 0 {
		most = t.counts[cell]
	}
	best.right = best.claims
	return !s.decisive(t) && !(s.limit(&best) > best.share(most))
}

// claim computes the groups' claims about suppressed cells, and reports whether there are any.
func (o *trial) claim(ctx context.Context, p *partition, least int) (some bool, err error) {
	c := newCounter(o.target)
	o.byLevel = make([]claim, p.levels+1)
	err = c.eachSuppressed(ctx, p, least, func(level int) {
		o.byLevel[level] = claim{c.leaders[0].claim(least), c.leaders[0].of}
		some = some || o.byLevel[level].sure != silent
	})
	return some, err
}

// judge counts the claims about suppressed cells, and the rivals' right guesses of them. A nil guess guesses
// nothing.
func (o *trial) judge(p *partition, guesses [rivalBits]guess) {
	t := o.target
	o.evidence.suppressed, o.overall.suppressed = [probably + 1]tally{}, tally{}
	for _, row := range t.gone {
		truth, _ := t.category(t.cells.at(row))
		one, records := tally{claims: t.records(row)}, t.records(row)
		for rival, of := range guesses {
			if of != nil && truth > 0 && of(row) == truth {
				one.rivals[rival] = records
			}
		}
		if truth > 0 && t.mode(truth, true).of == truth {
			one.rivals[byMost] = records
		}
		o.overall.suppressed.add(one)
		if claim := o.byLevel[p.at(row)]; claim.sure != silent {
			if claim.of == truth {
				one.right = records
			}
			o.evidence.suppressed[claim.sure].add(one)
		}
	}
	if !o.proven() {
		doubt(&o.evidence.suppressed)
	}
}

// learner learns about records of a target that have a value, with one partition after the other.
type learner struct {
	*counter
	shown     visibleCells
	least     int
	baseline  tally // right guesses of rivals about all of these records
	unanimous *unanimousRows
}

func newLearner(t *target, shown visibleCells, least int) *learner {
	l := &learner{counter: newCounter(t), shown: shown, least: least}
	l.baseline, l.unanimous = l.overall(shown), newUnanimous(l.counter, shown, least)
	return l
}

// learn counts the groups' claims about records with a value, each left out in turn, and computes the mutual
// information, to which small groups also contribute.
func (l *learner) learn(ctx context.Context, o *trial, p *partition) error {
	known := &information{records: make([]int, l.target.categories+1)}
	o.evidence.leftOut, o.enough, o.overall.leftOut = [probably + 1]tally{}, 0, l.baseline
	err := l.each(ctx, p, l.shown, 0, l.unanimous.add, func(int) {
		known.add(l.counter)
		l.tally(l.least, &o.evidence)
	})
	l.unanimous.tally(&o.evidence, known)
	if !o.proven() {
		doubt(&o.evidence.leftOut)
	}
	o.information = known.bits(l.target)
	return err
}

// guessing returns a guess by the most frequent category of the other records with the same value of a variable.
// It sets the bit of this rival in the rows with a category for which the guess is right.
func (t *target) guessing(ctx context.Context, by *microdata.Column, shown visibleCells, rival int) (guess, error) {
	p, c, width := partitionBy(by, []*target{t}), newCounter(t), len(t.counts)
	of, right := make([]uint32, p.levels+1), microdata.NewBits((p.levels+1)*width)
	err := c.each(ctx, p, t.plain(), 0, nil, func(level int) {
		of[level] = c.guess(t.categories + 1)
		for _, show := range c.shown {
			if cell := show >> rivalBits; cell <= t.categories && c.guess(cell) == cell {
				right.Set(level*width + int(cell))
			}
		}
	})
	for first, levels := range p.blocks() {
		for i, level := range levels {
			if right.Has(int(level)*width + int(t.cells.at(uint32(first+i)))) {
				shown.of.wide[first+i] |= 1 << rival
			}
		}
	}
	return func(row uint32) uint32 { return of[p.at(row)] }, err
}
