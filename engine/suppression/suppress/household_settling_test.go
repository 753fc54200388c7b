package suppress

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Households lose what they lose where the data are made anew without the cells of
// each round, one way after the other.
func TestSettlingIsThatOfDataWithoutTheCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomHouseholds(t)
		m := NewKAnonymity()
		m.K = rapid.IntRange(2, min(4, in.Data.Len())).Draw(t, "k")
		m.Rule = string(rapid.SampledFrom(microdata.Rules()).Draw(t, "rule"))
		if rapid.Bool().Draw(t, "strata") {
			m.Strata = in.Scenario.Keys[:1]
		}
		s, err := m.prepare(t.Context(), in)
		if errors.Is(err, method.ErrUnreachable) {
			return // strata of fewer than k records
		}
		if err != nil {
			t.Fatal(err)
		}
		all, account, err := s.run(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, cells := s.lose(s.in, all)
		own, cost, err := settledOnData(t, s, s, s.households.spread(cells))
		if err == nil && cost.Total != account.Total {
			other, otherCost, failed := settledOnData(t, s, s.dearer(), make(lost, len(cells)))
			if err = failed; err == nil && otherCost.Price < cost.Price {
				own = other
			}
		}
		got, failed := s.settle(t.Context(), all, account)
		if (err != nil) != (failed != nil) {
			t.Fatalf("%v, should be %v", failed, err)
		}
		if err == nil && !slices.Equal(own, got.cells) {
			t.Fatalf("lost\n%b, should be\n%b", got.cells, own)
		}
	})
}

// settledOnData settles by the prices of another, and returns what that costs.
func settledOnData(t *rapid.T, s, by *solving, cells lost) (lost, *method.Suppression, error) {
	for {
		f, err := fileOf(t.Context(), cells.without(s.in), s.strataNames())
		if err != nil {
			return nil, nil, err
		}
		again := *by
		again.file = f
		all, err := again.solveAll(t.Context(), nil)
		if err != nil {
			return nil, nil, err
		}
		_, more := f.lose(s.in, all)
		if slices.Max(more) == 0 {
			break
		}
		cells.add(s.households.spread(more))
	}
	split := s.split(cells)
	if s.restorable(split) {
		if err := s.restore(t.Context(), split); err != nil {
			return nil, nil, err
		}
	}
	sum := emptyAccount(s.in.Scenario.Keys)
	for _, it := range split.solved() {
		it.parts.count(sum, s.ranks.price)
	}
	return split.lost(), sum, nil
}
