package inference

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// search is the state of Find.
type search struct {
	version   *measure.Version   // released version
	data      *microdata.Dataset // of version
	keys      []string
	household string
	released  []*microdata.Column // with more than one value
	revealing []*microdata.Column // those with a value that enough records have for a claim
	targets   []*target
	hopeful   []*target // targets that may be inferred, as far as can be judged without a trial
	tried     int
	meter     *progress.Meter

	once       sync.Once
	households *partition // see partition; nil: not computed yet
}

// trial is a target with variables that may reveal it.
type trial struct {
	target  *target
	by      []*microdata.Column
	byLevel []claim // claims of the groups about suppressed cells; nil: there are none
	evidence
	overall     overall
	information float64
	limit       float64
	household   bool // whether by is the household variable
}

// Find finds what the released variables of in.Current reveal about key variables that were recoded or lost cells.
// If in.Original is the same version as in.Current, the original is unknown, and every missing cell of a key
// variable counts as suppressed. meter may be nil.
func Find(ctx context.Context, in measure.Input, meter *progress.Meter) (*Result, error) {
	s, err := newSearch(ctx, in, meter)
	if err != nil {
		return nil, err
	}
	defer s.free()
	trials, err := s.singles(ctx)
	if err != nil {
		return nil, err
	}
	pairs, err := s.pairs(ctx)
	if err != nil {
		return nil, err
	}
	if trials, err = s.against(ctx, append(trials, pairs...)); err != nil {
		return nil, err
	}
	r := &Result{Tried: s.tried}
	if err := s.summarise(ctx, r, trials); err != nil {
		return nil, err
	}
	numbers := newNumbers(in, s.released)
	if r.Sums, err = numbers.sums(ctx, s.data.Len()); err != nil {
		return nil, err
	}
	r.Orders, err = numbers.orders(ctx)
	return r, err
}

// summarise adds the reported trials to r, and counts for each target the cells that any of them reveals.
func (s *search) summarise(ctx context.Context, r *Result, trials []*trial) error {
	of := make([][]*trial, len(s.targets))
	r.Keys, r.revealed = make([]Key, len(s.targets)), make([]*revealedCells, len(s.targets))
	for i, t := range s.targets {
		r.revealed[i] = &revealedCells{variable: t.variable}
		of[i] = slices.DeleteFunc(slices.Clone(trials), func(trial *trial) bool { return trial.target != t })
		slices.SortStableFunc(of[i], func(a, b *trial) int { return cmp.Compare(b.limit, a.limit) })
		for _, one := range of[i] {
			one.household = len(one.by) == 1 && one.by[0].Name() == s.household
			r.Inferred = append(r.Inferred, s.inferred(one))
		}
	}
	return parallel.EachLarge(ctx, len(s.targets), perRow*int64(s.data.Len()), func(_ *struct{}, i int) (err error) {
		r.Keys[i], err = s.inAll(ctx, s.targets[i], of[i], r.revealed[i])
		return err
	})
}

// perRow is the approximate number of bytes per row for summarising a target.
const perRow = 16

// free releases the per-row memory of the targets, which is no longer used.
func (s *search) free() {
	for _, t := range s.targets {
		t.cells.free(s.data.Store())
	}
	if s.households != nil {
		for _, groups := range []*grouping{s.households.rows, s.households.some} {
			if groups != nil {
				store.Free(s.data.Store(), groups.rows)
			}
		}
	}
}

func newSearch(ctx context.Context, in measure.Input, meter *progress.Meter) (*search, error) {
	scenario := in.Current.Scenario
	s := &search{version: in.Current, data: in.Current.Data(), household: scenario.Household, keys: scenario.Keys, meter: meter}
	columns := s.data.Columns()
	err := parallel.Each(ctx, len(columns), func(task int) error { // computes the categories of numeric variables
		columns[task].Unlabelled()
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, column := range columns {
		if !slices.Contains(scenario.Remove, column.Name()) && column.Unlabelled().Occurring() > 1 {
			s.released = append(s.released, column)
			if slices.Max(column.Unlabelled().Counts()[1:]) > s.least([]*microdata.Column{column}) {
				s.revealing = append(s.revealing, column)
			}
		}
	}
	targets := make([][]*target, len(s.keys))
	err = parallel.Each(ctx, len(s.keys), func(i int) (err error) {
		now, ok := s.data.Column(s.keys[i])
		if !ok {
			return nil
		}
		var before *microdata.Column
		if in.Original != in.Current {
			before, _ = in.Original.Data().Column(now.Name())
		}
		if before != nil && before.Len() != now.Len() {
			before = nil
		}
		targets[i], err = targetsOf(ctx, now, before)
		return err
	})
	if s.targets = slices.Concat(targets...); err != nil {
		return nil, err
	}
	for _, t := range s.targets {
		for _, column := range s.revealing {
			if column.Name() != t.variable {
				s.tried++
			}
		}
		s.tried += s.pairsOf(t)
	}
	s.hopeful = slices.DeleteFunc(slices.Clone(s.targets), s.hopeless)
	return s, nil
}

// least returns the minimum number of others for a claim.
func (s *search) least(by []*microdata.Column) int {
	if len(by) == 1 && by[0].Name() == s.household {
		return leastMembers
	}
	return leastOthers
}

// singles tests each released variable with each target and returns the trials that the most frequent category
// does not explain.
func (s *search) singles(ctx context.Context) ([]*trial, error) {
	found := make([][]*trial, len(s.revealing))
	s.meter.Start(int64(len(s.revealing)))
	err := parallel.Each(ctx, len(s.revealing), func(task int) error {
		by := s.revealing[task : task+1 : task+1]
		p := s.partition(by[0])
		for _, t := range p.asked {
			if t.variable == by[0].Name() {
				continue
			}
			one := &trial{target: t, by: by}
			promising, err := s.promising(ctx, one, p)
			if err != nil {
				return err
			}
			if promising {
				found[task] = append(found[task], one)
			}
		}
		s.meter.Add(1)
		return ctx.Err()
	})
	return slices.Concat(found...), err
}

// reported sets the limit of a trial and reports whether it is above all its rivals, as described in the package
// comment. Records left out usually have more key variables than suppressed ones, so if suppressed cells can be
// verified, the guess from keys counts on these only.
func (s *search) reported(o *trial) bool {
	leftOut, suppressed := all(&o.leftOut), all(&o.suppressed)
	against := byKeys
	decisive := s.decisive(o.target)
	if !decisive {
		against = byKeys + 1
	}
	o.limit = s.limit(&leftOut)
	if leftOut.claims > 0 && !leftOut.beaten(o.limit, &o.overall.leftOut, against) {
		return false
	}
	if decisive {
		return leftOut.claims > 0 && (o.target.recoded || suppressed.claims > 0)
	}
	o.limit = s.limit(&suppressed)
	return suppressed.beaten(o.limit, &o.overall.suppressed, byKeys)
}

// decisive reports whether the records left out decide, because claims about suppressed cells cannot be verified.
func (s *search) decisive(t *target) bool { return t.recoded || !t.known }

// limit returns the lower confidence limit of the share of right claims.
func (s *search) limit(t *tally) float64 {
	return stat.LowerLimit(t.right, t.claims, errorShare/float64(max(1, s.tried)))
}

// beaten reports whether a share is above those of the rivals from index from on, both of the cells with a claim
// and of all cells.
func (t *tally) beaten(share float64, overall *tally, from int) bool {
	for rival := from; rival < rivals; rival++ {
		if !(share > t.rival(rival, overall)) {
			return false
		}
	}
	return true
}

// rival returns the share of cells that a rival reveals correctly, of those with a claim or of all, whichever is
// higher.
func (t *tally) rival(rival int, overall *tally) float64 {
	return max(t.share(t.rivals[rival]), overall.share(overall.rivals[rival]))
}

// share returns right as a share of the claims, or NaN without claims.
func (t *tally) share(right int) float64 { return float64(right) / float64(t.claims) }

// inferred converts a trial for the result.
func (s *search) inferred(o *trial) Inferred {
	t := Inferred{Variable: o.target.variable, Recoded: o.target.recoded, Kind: Variable, Cells: o.target.asked(),
		Limit: o.limit, Bits: o.information, Estimated: !o.target.known, Determines: o.determining()}
	for _, column := range o.by {
		t.By = append(t.By, column.Name())
	}
	switch {
	case len(o.by) == 2:
		t.Kind = Pair
	case t.By[0] == s.household:
		t.Kind = Household
	}
	sum, overall := all(&o.leftOut), &o.overall.leftOut
	if !t.Recoded && !t.Estimated {
		sum, overall = all(&o.suppressed), &o.overall.suppressed
	}
	t.Share = sum.share(sum.right)
	t.Base = max(sum.rival(byKeys, overall), sum.rival(byMost, overall))
	t.Exactly, t.Probably = o.claims(exactly), o.claims(probably)
	return t
}

// claims returns the claims of a kind about the target's cells.
func (o *trial) claims(sure confidence) Claims {
	of := o.suppressed[sure]
	switch {
	case o.target.recoded:
		of = o.leftOut[sure]
	case !o.target.known:
		return o.shared(sure, of.claims)
	}
	return Claims{of.right, of.claims - of.right}
}

// shared splits claims into right and wrong ones in the proportion of the records left out.
func (o *trial) shared(sure confidence, claims int) Claims {
	of := o.leftOut[sure]
	if of.claims == 0 {
		of = all(&o.leftOut)
	}
	right := int(math.Round(float64(claims) * of.share(of.right)))
	return Claims{right, claims - right}
}
