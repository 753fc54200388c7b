package suppress

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
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
		first := s.together.copied()
		first.lose(s.deal(first, s.file, stat.InOrder(s.table.Keys()), all))
		own, cost, err := settledOnData(t, s, s, first)
		if err == nil && cost.Total != account.Total {
			other, otherCost, failed := settledOnData(t, s, s.dearer(), s.together.copied())
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
func settledOnData(t *rapid.T, s, by *solving, w *sharing) (lost, *method.Suppression, error) {
	for more := true; more; {
		cells := w.cells(s.in.Data.Len())
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
		keyOf := make([]uint32, len(w.splitting.parts))
		for row, set := range cells {
			at := s.table.RowKeys()[row]
			if set != 0 {
				at = w.losing(at, set)
			}
			keyOf[at] = f.table.RowKeys()[row]
		}
		more, _ = w.lose(s.deal(w, f, keyOf, all))
	}
	if s.restorable(w) {
		if err := s.restore(t.Context(), w); err != nil {
			return nil, nil, err
		}
	}
	sum := emptyAccount(s.in.Scenario.Keys)
	for _, it := range w.solved() {
		it.parts.count(sum, s.ranks.price)
	}
	return w.cells(s.in.Data.Len()), sum, nil
}

// What keys lose is dealt to households of a kind as if each of them took it by itself, one after the other.
func TestHouseholdsTakeTheirTurns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomHouseholds(t)
		s, err := NewKAnonymity().prepare(t.Context(), in)
		if errors.Is(err, method.ErrUnreachable) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		var dealt [2]solved // the same twice: they are used up
		for key, count := range s.table.Counts() {
			for set := uint64(1); count > 0 && set < 4; set++ {
				if n := rapid.IntRange(0, count).Draw(t, "records"); n > 0 {
					count -= n
					for i := range dealt {
						dealt[i].parts = append(dealt[i].parts, part{Key: uint32(key), Set: set, Count: n})
					}
				}
			}
		}
		s.together.households.columns = make([]*microdata.Column, len(in.Scenario.Keys)) // nobody else loses cells
		got := s.together.copied()
		got.lose(s.deal(got, s.file, stat.InOrder(s.table.Keys()), dealt[:1]))
		left, _ := s.byKey(dealt[1:])
		for kind, of := range got.byKind() {
			var want []taken
			if of == nil { // none of the kind loses anything
				of = []taken{{make([]uint64, got.kinds[kind].members.n), int(got.kinds[kind].households.n)}}
			}
			for range s.together.ofKind(uint32(kind)) {
				sets := make([]uint64, len(s.together.keysOf(uint32(kind))))
				for i, key := range s.together.keysOf(uint32(kind)) {
					left[key].take(1, func(set uint64, _ int) { sets[i] = set })
				}
				mostFirst(s.together.keysOf(uint32(kind)), sets)
				want = append(want, taken{sets, 1})
			}
			slices.SortFunc(want, func(a, b taken) int { return slices.Compare(b.sets, a.sets) })
			for _, is := range of {
				for range is.times {
					if !slices.Equal(is.sets, want[0].sets) {
						t.Fatalf("kind %d: lost %v, want %v", kind, is.sets, want[0].sets)
					}
					want = want[1:]
				}
			}
			if len(want) > 0 {
				t.Fatalf("kind %d: %d households are left", kind, len(want))
			}
		}
	})
}
