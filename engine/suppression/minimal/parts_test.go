package minimal

import (
	"context"
	"math/bits"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSubsetsComeByPriceAndOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 6, 7)
		place := make([]int, p.variables())
		for i, v := range p.TieOrder {
			place[v] = i
		}
		written := func(set uint64) []int {
			var places []int
			for ; set != 0; set &= set - 1 {
				places = append(places, place[bits.TrailingZeros64(set)])
			}
			slices.Sort(places)
			return places
		}
		var want []uint64
		for set := range p.full() + 1 {
			want = append(want, set)
		}
		slices.SortFunc(want, func(a, b uint64) int {
			if x, y := p.price(a), p.price(b); x != y {
				return int(x - y)
			}
			return slices.Compare(written(a), written(b))
		})
		var got []uint64
		for sets := newSubsets(p); ; {
			price, batch, complete := sets.next(1 << 10)
			if len(batch) == 0 {
				break
			}
			if !complete || price != p.price(batch[0]) || price != p.price(batch[len(batch)-1]) {
				t.Fatalf("batch of price %d, complete %t: %v", price, complete, batch)
			}
			got = append(got, batch...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestSolutionDoesNotDependOnPacking pretends that variables have many categories, so that keys need several
// words.
func TestSolutionDoesNotDependOnPacking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 24, 5)
		narrow := solve(t, p)
		for v := range p.Levels {
			p.Levels[v] += 1 << 20
		}
		if p.Rule != CategorySize { // would need a count per category
			if diff := cmp.Diff(narrow, solve(t, p)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

// TestClusteringLeavesNoViolator clusters all records, as if there were too many sets to enumerate.
func TestClusteringLeavesNoViolator(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 24, 5)
		if p.Rule.countsWildcards() {
			p.Rule = Conservative
		}
		e := newEnumeration(p)
		for b := range e.bound {
			e.bound[b] = 0
		}
		clusters := newClustering(e)
		if err := clusters.run(t.Context(), newProgress(nil)); err != nil {
			t.Fatal(err)
		}
		e.in.invert()
		s := newSearch(p, e.in, e.greedy.group, e.bound)
		if err := s.run(t.Context(), newProgress(nil)); err != nil {
			t.Fatal(err)
		}
		choices, err := newRestorer(e).run(t.Context(), choicesOf(e.in, s.group))
		if err != nil {
			t.Fatal(err)
		}
		checkSolution(t, p, solutionOf(p, p.missing(), choices))
	})
}

// Without memory for the groups of staying keys other cells stay suppressed, and no record violates k-anonymity.
func TestRestoringWithoutRoomLeavesNoViolator(t *testing.T) {
	restored := func(p *Problem, room int) *Solution {
		e := unfinished(t, p)
		r := newRestorer(e)
		r.room = room
		choices, err := r.run(t.Context(), choicesOf(e.in, e.greedy.group))
		if err != nil {
			t.Fatal(err)
		}
		return solutionOf(p, p.missing(), choices)
	}
	others := 0
	for seed := range uint64(20) {
		p := randomProblem(seed, 150, []int{3, 4, 5, 6})
		p.Rule = Conservative
		s := restored(p, 0)
		file, _ := apply(p, s)
		if n := file.violators(p.K, Conservative, 0); n > 0 {
			t.Errorf("seed %d: %d violators", seed, n)
		}
		if cmp.Diff(s, restored(p, maxAgreed)) != "" {
			others++
		}
	}
	if others == 0 {
		t.Error("the room makes no difference")
	}
}

// unfinished returns an enumeration without bounds, with a greedy solution that assigns every bundle.
func unfinished(t rapid.TB, p *Problem) *enumeration {
	e := newEnumeration(p)
	active := make([]uint32, len(e.bound))
	for b := range active {
		active[b] = uint32(b)
	}
	e.closeBounds(active, 0)
	if err := newClustering(e).run(context.Background(), newProgress(nil)); err != nil {
		t.Fatal(err)
	}
	return e
}
