package keys

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// ErrRule is wrapped by errors of an unknown rule or an alpha outside [0,1].
var ErrRule = errors.New("unknown rule for missing values")

// Frequencies holds the sample and population frequencies of all keys under one of the five rules. Its slices must
// not be modified.
type Frequencies struct {
	Rule       microdata.Rule
	Alpha      float64   // of the rule default; otherwise unused
	Sample     []float64 // sample frequency f by key; at least 1
	Population []float64 // population frequency F by key: the same with weights; can be less than f
	Identical  []int     // records with the same key
}

// Frequencies returns the frequencies of the keys under a rule; see the package comment. It takes time in the
// number of keys.
func (t *Table) Frequencies(ctx context.Context, rule microdata.Rule, alpha float64) (*Frequencies, error) {
	f := &Frequencies{Rule: rule, Alpha: alpha, Identical: t.counts}
	switch {
	case !rule.Valid():
		return nil, fmt.Errorf("%w: %q", ErrRule, rule)
	case rule == microdata.RuleDefault && !(alpha >= 0 && alpha <= 1):
		return nil, fmt.Errorf("%w: alpha is %v and must be in [0,1]", ErrRule, alpha)
	case rule == microdata.RuleOwnCategory:
		f.Sample, f.Population = t.samples(), t.Weights()
		return f, ctx.Err()
	}
	c, err := t.Compatible(ctx)
	if err != nil {
		return nil, err
	}
	f.Sample, f.Population = make([]float64, t.Keys()), make([]float64, t.Keys())
	switch rule {
	case microdata.RuleDefault:
		err = t.count(ctx, f, c, alpha, alpha)
	case microdata.RuleConservative:
		err = t.count(ctx, f, c, 0, 0)
	case microdata.RuleConservative2:
		err = t.count(ctx, f, c, 0, 1)
	case microdata.RuleCategorySize:
		if err = t.count(ctx, f, c, 0, 1); err == nil {
			err = t.countByShares(ctx, f)
		}
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// samples returns the number of records by key as frequencies.
func (t *Table) samples() []float64 {
	samples := make([]float64, len(t.counts))
	for key, count := range t.counts {
		samples[key] = float64(count)
	}
	return samples
}

// count adds the compatible records of each key to its own. Incomplete records are multiplied by ofComplete or
// ofIncomplete, depending on the key. A key with every value missing counts all records.
func (t *Table) count(ctx context.Context, f *Frequencies, c *Compatible, ofComplete, ofIncomplete float64) error {
	workers := parallel.Workers(t.Keys(), runtime.GOMAXPROCS(0))
	err := parallel.Blocks(ctx, t.Keys(), workers, func(_, from, to int) {
		for key := from; key < to; key++ {
			factor := ofIncomplete
			if ofComplete != ofIncomplete && t.groups.sets[t.groups.of[key]] == 0 {
				factor = ofComplete
			}
			f.Sample[key] = float64(int64(t.counts[key])+c.Complete[key]) + float64(factor*float64(c.Incomplete[key]))
			units := float64(t.units[key]+c.completeUnits[key]) + float64(factor*float64(c.incompleteUnits[key]))
			f.Population[key] = units / t.scale
		}
	})
	if t.empty() {
		f.Sample[0] = float64(t.records)
		f.Population[0] = float64(t.units[0]+c.completeUnits[0]+c.incompleteUnits[0]) / t.scale
	}
	return err
}

// empty reports whether a key has every value missing: its codes are 0, so it is the first.
func (t *Table) empty() bool {
	return t.Keys() > 0 && !slices.ContainsFunc(t.codes[:t.layout.words()], func(word uint64) bool { return word != 0 })
}
