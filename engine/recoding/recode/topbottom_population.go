package recode

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// weigh computes the threshold of a side from its population: the highest value, or ordered level, with at least
// that population above it, or the lowest with at least that population below it. Missing values are ignored. An
// error wraps method.ErrInput if the population is smaller.
func (m *TopBottom) weigh(in method.Input, target *microdata.Column, s *side) error {
	if s.threshold != nil || s.level != "" {
		return method.ParamError("%q and \"%s_population\" are both given; give one of them", s.name, s.name)
	}
	weights, err := in.Scenario.Weights(in.Data)
	if err != nil {
		return fmt.Errorf("recode-topbottom %w: %w", method.ErrInput, err)
	}
	level, err := m.innermost(target, populationOf(target.Categories(), weights), *s)
	if target.Numeric() {
		s.threshold = &level.Value
	} else {
		s.level = level.Label
	}
	return err
}

// populationOf returns the estimated population by code.
func populationOf(categories *microdata.Categories, weights []float64) []float64 {
	if weights != nil {
		return categories.Sums(weights)
	}
	sums := make([]float64, len(categories.Levels)+1)
	for code, count := range categories.Counts() {
		sums[code] = float64(count)
	}
	return sums
}

// innermost returns the first level, counted from the end of a side, for which the levels between it and the end
// have at least the population.
func (m *TopBottom) innermost(target *microdata.Column, sums []float64, s side) (microdata.Level, error) {
	levels := target.Categories().Levels
	order := stat.InOrder(len(levels))
	if target.Numeric() {
		slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(levels[a].Value, levels[b].Value) })
	}
	if s.sign > 0 {
		slices.Reverse(order)
	}
	sum := 0.0
	for k, i := range order {
		if k > 0 && sum >= *s.population && (!target.Numeric() || levels[i].Value != levels[order[k-1]].Value) {
			return levels[i], nil
		}
		sum += sums[i+1]
	}
	return microdata.Level{}, fmt.Errorf("recode-topbottom %w: no threshold of %q leaves %s of the population beyond it and at least one value "+
		"within; choose a smaller number",
		method.ErrInput, m.Variable, wording.Amount(*s.population))
}
