package recordswap

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

// quota is the number of swaps that a smallest area still needs.
type quota struct {
	units []int // units of the area, in random order
	next  int   // first unit not tried yet
	lacks int   // negative if more units have swapped

	fraction float64 // fractional part of its share
}

// swapAtRandom swaps random units of the smallest areas until the rate is reached, including partners: first
// between areas that both need swaps, then with any area.
func (s *application) swapAtRandom(ctx context.Context, meter *progress.Meter) error {
	areas, all := s.quotas()
	for _, area := range all {
		s.short += max(0, area.lacks)
		meter.Add(int64(len(area.units)))
	}
	smallest := s.areas[len(s.areas)-1]
	lacking := func(unit int) bool { return areas[smallest[unit]].lacks > 0 }
	for _, allowed := range []func(int) bool{lacking, anywhere} {
		if err := s.fill(ctx, areas, all, allowed); err != nil {
			return err
		}
	}
	if s.short == 1 {
		s.short = 0 // units swap in pairs
	}
	return ctx.Err()
}

// fill swaps units of the areas, starting with the area that needs most swaps.
func (s *application) fill(ctx context.Context, areas map[uint32]*quota, all []*quota, allowed func(int) bool) error {
	last := len(s.areas) - 1
	for _, area := range all {
		area.next = 0
	}
	for tries := 0; s.short > 1; tries++ {
		if tries%steps == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		area := slices.MaxFunc(all, func(a, b *quota) int { return cmp.Compare(a.open(), b.open()) })
		if area.open() == 0 {
			break
		}
		unit := area.units[area.next]
		area.next++
		if s.partners[unit] < 0 && s.swap(unit, last, allowed) {
			area.lacks--
			areas[s.areas[last][s.partners[unit]]].lacks--
			s.short -= 2
			s.random += 2
		}
	}
	return nil
}

// open returns the number of swaps needed, or 0 if all units of the area were tried.
func (q *quota) open() int {
	if q.next == len(q.units) {
		return 0
	}
	return max(0, q.lacks)
}

// quotas returns the swaps needed by the smallest areas, by area and in random order. Each area gets its units
// times the rate, rounded so that the total matches the rate.
func (s *application) quotas() (map[uint32]*quota, []*quota) {
	areas, units := map[uint32]*quota{}, 0
	var order []*quota
	for unit, area := range s.areas[len(s.areas)-1] {
		if area == nowhere {
			continue
		}
		q := areas[area]
		if q == nil {
			q = &quota{}
			areas[area], order = q, append(order, q)
		}
		q.units = append(q.units, unit)
		if units++; s.partners[unit] >= 0 {
			q.lacks--
		}
	}
	random.Shuffle(s.stream, order)
	rest := int(math.Round(s.Rate * float64(units)))
	for _, q := range order {
		random.Shuffle(s.stream, q.units)
		want, fraction := math.Modf(s.Rate * float64(len(q.units)))
		q.lacks, q.fraction = q.lacks+int(want), fraction
		rest -= int(want)
	}
	byRest := slices.Clone(order)
	slices.SortStableFunc(byRest, func(a, b *quota) int { return cmp.Compare(b.fraction, a.fraction) })
	for i := range rest {
		byRest[i].lacks++
	}
	return areas, order
}
