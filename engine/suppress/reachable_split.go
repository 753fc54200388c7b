package suppress

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// split protects every category of the variable by itself, so that it loses the
// cells alone that k takes in any case, and keeps that if it is better than what
// was found for the same k.
func (r *reaching) split(ctx context.Context, all sizes, k int) error {
	if cells, possible := all.need(k); !possible || cells > r.most {
		return nil
	}
	r.o.K = k
	own := microdata.NewBits(r.table.Records())
	for i, it := range r.strata {
		r.spend(it, &all[i], k, own)
	}
	cells, err := r.byCategory(ctx, own)
	if err != nil {
		return err
	}
	taken := make([]solved, len(r.strata))
	for i, it := range r.strata {
		taken[i].parts = cells.parts(it)
		violators, err := taken[i].parts.violators(ctx, it, k, r.o)
		if err != nil || violators > 0 {
			return err
		}
	}
	taken[0].bound = r.price
	return r.keep(ctx, k, cells, taken)
}

// spend marks the cells of the variable that a stratum loses for k.
func (r *reaching) spend(it *stratum, s *stratumSizes, k int, own *microdata.Bits) {
	_, more, whole, _ := s.need(k)
	codes := it.codes[r.variable]
	left := make([]int, it.levels[r.variable]+1) // records of a category that can lose their cell
	chosen := -1
	for key, code := range codes {
		left[code] += int(it.counts[key])
	}
	for code := range left {
		switch size := left[code]; {
		case code == 0:
			left[code] = 0
		case size < k: // all
		case whole:
			if left[code] = 0; chosen < 0 && size == more {
				left[code], chosen = size, code
			}
		default:
			taken := min(size-k, more)
			left[code], more = taken, more-taken
		}
	}
	for i, key := range it.keys {
		if code := codes[key]; left[code] > 0 {
			left[code]--
			own.Set(it.record(i))
		}
	}
}

// byCategory returns the cells that all variables lose where the file, without
// some cells of the variable, is solved in strata of that variable. What is too
// small to be solved by itself loses everything.
func (r *reaching) byCategory(ctx context.Context, own *microdata.Bits) (blanks, error) {
	name := r.names[r.variable]
	column, _ := r.in.Data.Column(name)
	in := method.Input{Data: r.in.Data.With(column.Suppress(own)), Scenario: r.in.Scenario}
	columns, err := keyColumns(in)
	if err != nil {
		return nil, err
	}
	t, err := keys.New(ctx, columns, nil)
	if err != nil {
		return nil, err
	}
	defining := slices.Clone(r.defining)
	if !slices.Contains(defining, name) {
		defining = append(defining, name)
	}
	every, err := stratify(ctx, in, t, columns, defining)
	if err != nil {
		return nil, err
	}
	cells := make(blanks, len(columns))
	var strata []*stratum
	for _, it := range every {
		if it.size >= r.o.K {
			strata = append(strata, it)
			continue
		}
		for i := range it.size {
			for v := range columns {
				if record := it.record(i); !columns[v].Missing(record) {
					cells.set(record, v, t.Records())
				}
			}
		}
	}
	all, err := r.protect(ctx, strata)
	if err != nil {
		return nil, err
	}
	for v, more := range r.blanks(strata, all, t.Records()) {
		cells[v] = cells[v].Union(more)
	}
	cells[r.variable] = cells[r.variable].Union(own)
	return cells, nil
}

// violators counts the records of a stratum that violate k after a suppression,
// under the rule of the options.
func (p parts) violators(ctx context.Context, s *stratum, k int, o NeedOptions) (int, error) {
	after, err := keys.FromGroups(ctx, p.groups(s))
	if err != nil {
		return 0, err
	}
	return countViolators(ctx, after, k, o.Rule, o.Alpha)
}
