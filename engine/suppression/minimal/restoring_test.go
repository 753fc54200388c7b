package minimal

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestGivingBackKnowsWhatCounts restores cells at random and compares the maintained frequencies with a recount,
// after attempts that succeed, that fail and that are undone.
func TestGivingBackKnowsWhatCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 20, 4)
		var combinations []Combination
		for range rapid.IntRange(1, 3).Draw(t, "combinations") {
			combinations = append(combinations, Combination{rapid.Uint64Range(1, p.full()).Draw(t, "set"),
				rapid.IntRange(1, 4).Draw(t, "k")})
		}
		var parts []Part
		for key, count := range p.Count {
			for range count {
				parts = append(parts, Part{uint32(key), p.full(), 1})
			}
		}
		r := restoringOf(t, p, combinations, parts)
		if !r.holdsAll() {
			return
		}
		for range 40 {
			v := rapid.IntRange(0, p.variables()-1).Draw(t, "variable")
			var some []int
			for range rapid.IntRange(1, 3).Draw(t, "together") {
				at := rapid.IntRange(0, len(parts)-1).Draw(t, "part")
				if !slices.Contains(some, at) && parts[at].Set>>v&1 == 1 && p.Codes[v][parts[at].Key] != 0 {
					some = append(some, at)
				}
			}
			if len(some) == 0 {
				continue
			}
			var given []Part
			after := slices.Clone(parts)
			for _, at := range some {
				given = append(given, parts[at])
				after[at].Set &^= 1 << v
			}
			does, should := r.GiveBack(v, given...), restoringOf(t, p, combinations, after).holdsAll()
			if does != should {
				t.Fatalf("giving variable %d back to %v: %v, counted anew %v", v, given, does, should)
			}
			switch {
			case does && rapid.Bool().Draw(t, "taken back"):
				r.TakeBack(v)
			case does:
				parts = after
			}
			compareKnown(t, r, restoringOf(t, p, combinations, parts))
		}
	})
}

func restoringOf(t *rapid.T, p *Problem, combinations []Combination, parts []Part) *Restoring {
	r, err := NewRestoring(t.Context(), p, combinations, parts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// holdsAll reports whether no record violates, according to the maintained frequencies.
func (r *Restoring) holdsAll() bool {
	for _, f := range r.within {
		for row, size := range f.rows.size {
			if size > 0 && !f.enough(f.rows.set[row], f.known[row]) {
				return false
			}
		}
	}
	return true
}

func compareKnown(t *rapid.T, r, fresh *Restoring) {
	for i, f := range r.within {
		for row, size := range fresh.within[i].rows.size {
			want := fresh.within[i].known[row]
			at, exists := f.rows.find(fresh.within[i].rows.key[row], fresh.within[i].rows.set[row])
			if !exists || f.rows.size[at] != size {
				t.Fatalf("%d records of a row, counted anew %d", f.rows.size[at], size)
			}
			got := f.known[at]
			if suppressed := f.rows.set[at]; f.everywhere(suppressed) || f.shares != nil && suppressed == f.outside {
				got.partial, want.partial = 0, 0 // not needed by the rule
				if f.everywhere(suppressed) {
					got.exact = want.exact
				}
			}
			if got.exact != want.exact || f.alpha > 0 && got.partial != want.partial || got.sized > want.sized+tolerance {
				t.Fatalf("known %+v, counted anew %+v", got, want)
			}
		}
		for v := range f.shares {
			if !slices.Equal(f.shares[v], fresh.within[i].shares[v]) {
				t.Fatalf("shares %v, counted anew %v", f.shares[v], fresh.within[i].shares[v])
			}
		}
	}
}
