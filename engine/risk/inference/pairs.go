package inference

import (
	"cmp"
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// partial returns the variables that can be part of a pair for a target.
func (s *search) partial(t *target) (parts []*microdata.Column) {
	for _, column := range s.revealing {
		if len(column.Unlabelled().Levels) <= mostCategories && column.Name() != t.variable {
			parts = append(parts, column)
		}
	}
	return parts
}

// pairsOf returns the number of pairs tested for a target.
func (s *search) pairsOf(t *target) int {
	n := len(s.partial(t))
	return n * (n - 1) / 2
}

// sample has the rows on which pairs are screened.
type sample struct {
	search  *search
	rows    []uint32
	columns []*microdata.Column
	by      []*partition // by column
	targets []*target
}

// pairFilter is the gain of a pair in the sample: how many more cells it reveals than the better of its variables,
// as a share of the cells with a value.
type pairFilter struct {
	trial *trial
	gain  float64
}

// pairs returns the pairs of variables, with their targets, that reveal most beyond what their variables reveal,
// judged on a sample of the rows.
func (s *search) pairs(ctx context.Context) ([]*trial, error) {
	p := s.sampled()
	single, err := p.singles(ctx)
	if err != nil {
		return nil, err
	}
	found := make([][]pairFilter, len(p.columns))
	s.meter.Start(int64(len(p.columns)))
	err = parallel.Each(ctx, len(p.columns), func(a int) error {
		defer s.meter.Add(1)
		learners := p.learners()
		for b := a + 1; b < len(p.columns); b++ {
			g := p.by[a].with(p.by[b])
			for i := range p.targets {
				more, err := p.screen(ctx, learners[i], i, a, b, g, max(single[a][i], single[b][i]))
				if err != nil {
					return err
				}
				found[a] = append(found[a], more...)
			}
		}
		return nil
	})
	all := slices.Concat(found...)
	slices.SortStableFunc(all, func(a, b pairFilter) int { return cmp.Compare(b.gain, a.gain) })
	var trials []*trial
	for _, one := range all[:min(len(all), mostPairs)] {
		trials = append(trials, one.trial)
	}
	return trials, err
}

// sampled returns equally spaced rows, few enough to screen all pairs quickly.
func (s *search) sampled() *sample {
	visits := 1
	p := &sample{search: s}
	for _, t := range s.targets {
		visits += s.pairsOf(t)
	}
	n := s.data.Len()
	size := min(n, screened, max(leastScreened, mostVisits/visits))
	for i := range size {
		p.rows = append(p.rows, uint32(i*n/size))
	}
	for _, column := range s.revealing {
		if categories := column.Unlabelled(); len(categories.Levels) <= mostCategories {
			codes := make([]uint32, len(p.rows))
			for i, row := range p.rows {
				codes[i] = categories.Codes.At(int(row))
			}
			p.columns = append(p.columns, column)
			p.by = append(p.by, newPartition(microdata.CodesOf(codes), len(categories.Levels), nil))
		}
	}
	for _, t := range s.targets {
		of := *t
		of.cells = t.cells.picked(p.rows)
		if t.weights != nil {
			of.weights = picked(p.rows, t.weights)
		}
		p.targets = append(p.targets, of.completed())
	}
	for _, by := range p.by {
		by.asked = p.targets
	}
	return p
}

// picked returns the elements of of at the given rows.
func picked[T any](rows []uint32, of []T) []T {
	some := make([]T, len(rows))
	for i, row := range rows {
		some[i] = of[row]
	}
	return some
}

// singles returns, by variable and target, how many records each variable reveals correctly, each left out in
// turn.
func (p *sample) singles(ctx context.Context) ([][]int, error) {
	right := make([][]int, len(p.columns))
	err := parallel.Each(ctx, len(p.columns), func(a int) error {
		right[a] = make([]int, len(p.targets))
		for i, l := range p.learners() {
			of := &trial{target: p.targets[i]}
			if err := l.learn(ctx, of, p.by[a]); err != nil {
				return err
			}
			right[a][i] = all(&of.leftOut).right
		}
		return nil
	})
	return right, err
}

// learners returns a learner for each target.
func (p *sample) learners() (learners []*learner) {
	for _, t := range p.targets {
		learners = append(learners, newLearner(t, t.plain(), leastOthers))
	}
	return learners
}

// screen screens a pair for a target. better is the number of records that the better of its variables reveals.
func (p *sample) screen(ctx context.Context, l *learner, target, a, b int, g *partition, better int) ([]pairFilter, error) {
	by, t := []*microdata.Column{p.columns[a], p.columns[b]}, l.target
	if t.variable == by[0].Name() || t.variable == by[1].Name() {
		return nil, nil
	}
	of := &trial{target: t}
	if err := l.learn(ctx, of, g); err != nil {
		return nil, err
	}
	leftOut := all(&of.leftOut)
	if leftOut.right <= better || !leftOut.beaten(p.search.limit(&leftOut), &of.overall.leftOut, byKeys) {
		return nil, nil
	}
	whole := &trial{target: p.search.targets[target], by: by}
	return []pairFilter{{whole, leftOut.share(leftOut.right-better) * float64(leftOut.claims) / float64(of.overall.leftOut.claims)}}, nil
}
