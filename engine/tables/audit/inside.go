package audit

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// inside is a table in which the unknowns of a component are off their bounds, except those that cannot leave them, or
// need not.
type inside struct {
	value []float64  // by unknown
	seen  []Interval // by unknown: its values in the tables on the way
	fixed []int32    // unknowns that cannot change
}

// insideOf finds such a table. Again and again it moves together all unknowns that have stayed at a bound, unless their
// interval is wide enough, each by 1 at most; the table is the mean of those found. If none of them moves, they are fixed.
// A true table in which many unknowns are at their bounds needs many steps without a move for each search; one inside
// needs few.
func insideOf(ctx context.Context, first *simplex, cells []int32, enough Enough) *inside {
	in := &inside{value: first.value}
	for _, value := range first.value {
		in.seen = append(in.seen, Interval{value, value})
	}
	sum := slices.Clone(first.value)
	for tables := 1.0; ; {
		var stays []coefficient // times what moves off the bound
		for u := range first.value {
			low, high := enough.of(int(cells[u]), in.seen[u])
			switch {
			case first.lower[u] == first.upper[u]:
			case !high && in.value[u] <= first.lower[u]+least:
				stays = append(stays, coefficient{int32(u), 1})
			case !low && in.value[u] >= first.upper[u]-least:
				stays = append(stays, coefficient{int32(u), -1})
			}
		}
		if len(stays) == 0 || ctx.Err() != nil {
			return in
		}
		s := first.clone()
		copy(s.value, in.value)
		for _, t := range stays {
			s.charge(t.unknown, -t.factor)
			if t.factor > 0 {
				s.upper[t.unknown] = min(s.upper[t.unknown], s.lower[t.unknown]+1)
			} else {
				s.lower[t.unknown] = max(s.lower[t.unknown], s.upper[t.unknown]-1)
			}
		}
		s.minimise(func() bool { s.see(in.seen); return ctx.Err() != nil })
		moved := 0.0
		for _, t := range stays {
			moved += t.factor * (s.value[t.unknown] - in.value[t.unknown])
		}
		if moved <= least {
			for _, t := range stays {
				in.fixed = append(in.fixed, t.unknown)
			}
			return in
		}
		tables++
		in.value = make([]float64, len(sum))
		for u := range sum {
			sum[u] += s.value[u]
			in.value[u] = sum[u] / tables
		}
	}
}

// inside finds a table inside for each component. It returns by cell the values, those seen on the way, and the cells that
// cannot change. Errors are those of the context.
func (s *system) inside(ctx context.Context, values func(cell int) float64, b Bounds, enough Enough) (
	value map[int32]float64, seen map[int32]Interval, fixed map[int32]bool, err error) {
	parts := s.components()
	found := make([]*inside, len(parts))
	err = parallel.Each(ctx, len(parts), func(i int) error {
		found[i] = insideOf(ctx, s.program(&parts[i], values, b), parts[i].cells, enough)
		return ctx.Err()
	})
	if err != nil {
		return nil, nil, nil, err
	}
	value, seen, fixed = map[int32]float64{}, map[int32]Interval{}, map[int32]bool{}
	for i, in := range found {
		for u, cell := range parts[i].cells {
			value[cell], seen[cell] = in.value[u], in.seen[u]
		}
		for _, u := range in.fixed {
			fixed[parts[i].cells[u]] = true
		}
	}
	return value, seen, fixed, nil
}
