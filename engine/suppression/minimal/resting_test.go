package minimal

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// crowded makes a problem of records that are often alike, with some missing values.
func crowded(seed uint64, records int, levels ...int) *Problem {
	random := rand.New(rand.NewPCG(seed, 7))
	p := &Problem{K: 2 + random.IntN(3), Levels: levels, Codes: make([][]uint32, len(levels)), TieOrder: upTo(len(levels))}
	seen := map[string]int{}
	for range records {
		row := make([]uint32, len(levels))
		for v := range row {
			if random.IntN(10) > 0 {
				row[v] = uint32(1 + random.IntN(1+random.IntN(1+random.IntN(levels[v]))))
			}
		}
		p.addRecord(seen, row)
	}
	for range levels {
		p.Price = append(p.Price, 1+random.IntN(2))
	}
	return p
}

// searchedWith returns what a search comes to and the work that it counts, with resting bundles left out or not.
func searchedWith(t rapid.TB, p *Problem, leaveOut bool) (s *Solution, work int64, resting int, joined bool) {
	t.Helper()
	e := newEnumeration(p)
	if leaveOut {
		e.resting = newResting(e)
	}
	improve, err := e.search(context.Background(), newProgress(nil))
	if errors.Is(err, errJoining) {
		return nil, 0, 0, true
	}
	if err != nil {
		t.Fatal(err)
	}
	choices := choicesOf(e.in, improve.group)
	if s, err = e.finish(context.Background(), choices, newProgress(nil)); err != nil {
		t.Fatal(err)
	}
	s.Bound = e.total()
	if leaveOut {
		for _, bundles := range e.resting.bundles {
			resting += len(bundles)
		}
	}
	return s, improve.work, resting, false
}

// checkLeftOut fails where it makes a difference that resting bundles are left out. It returns how many there are.
func checkLeftOut(t rapid.TB, p *Problem) (resting int) {
	t.Helper()
	with, work, _, _ := searchedWith(t, p, false)
	without, left, resting, joined := searchedWith(t, p, true)
	if joined {
		return 0
	}
	if diff := cmp.Diff(with, without); diff != "" {
		t.Fatalf("with resting bundles in groups that do not need them (-) and without (+):\n%s", diff)
	}
	if work != left {
		t.Fatalf("work %d with resting bundles, %d without", work, left)
	}
	if nothing := newEnumeration(p).nothingToDo(); nothing != (len(with.Parts) == 0) && !p.Rule.countsWildcards() ||
		nothing && len(with.Parts) > 0 {
		t.Fatalf("nothing to do: %t, but %d parts lose cells", nothing, len(with.Parts))
	}
	return resting
}

func TestRestingBundlesMakeNoDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkLeftOut(t, drawProblem(t, 24, 5)) })
}

// Files of more records, and of so many variables that the sets cannot be gone through.
func TestRestingBundlesMakeNoDifferenceInLargerFiles(t *testing.T) {
	resting := 0
	for seed := range uint64(8) {
		if !longtests.Some(int(seed), 8) {
			continue
		}
		for _, rule := range []Rule{Conservative, Default} {
			p := crowded(seed, 1500, 2, 3, 8, 5, 30)
			p.Rule = rule
			resting += checkLeftOut(t, p)
		}
	}
	p := crowded(1, 300, slices.Repeat([]int{3}, 22)...)
	resting += checkLeftOut(t, p)
	if resting < 100 || longtests.Wanted() && resting < 1000 {
		t.Errorf("only %d bundles rest", resting)
	}
}

// Two variables; 0 is missing, and k is 3.
func TestNothingToDo(t *testing.T) {
	tests := map[string]struct {
		first, second []uint32
		count         []int
		nothing, own  bool // under the conservative rule, and where missing is a category of its own
	}{
		"complete":                 {[]uint32{1, 2}, []uint32{1, 1}, []int{3, 4}, true, true},
		"few complete":             {[]uint32{1, 2}, []uint32{1, 1}, []int{3, 2}, false, false},
		"incomplete that agree":    {[]uint32{1, 0}, []uint32{1, 1}, []int{3, 1}, true, false},
		"incomplete that differ":   {[]uint32{1, 0}, []uint32{1, 2}, []int{3, 2}, false, false},
		"incomplete of one kind":   {[]uint32{1, 0}, []uint32{1, 2}, []int{3, 3}, true, true},
		"missing everywhere":       {[]uint32{1, 0}, []uint32{1, 0}, []int{3, 1}, true, false},
		"one that agrees, another": {[]uint32{1, 0, 0}, []uint32{1, 1, 2}, []int{3, 1, 1}, false, false},
	}
	for name, test := range tests {
		for rule, want := range map[Rule]bool{Conservative: test.nothing, OwnCategory: test.own} {
			p := &Problem{Codes: [][]uint32{test.first, test.second}, Levels: []int{2, 2}, Count: test.count, K: 3,
				Price: []int{1, 1}, TieOrder: []int{0, 1}, Rule: rule}
			if got := newEnumeration(p).nothingToDo(); got != want {
				t.Errorf("%s, rule %d: nothing to do %t, want %t", name, rule, got, want)
			}
		}
	}
}

// One of the keys that differ on a variable of a set alone stands for all of them.
func TestStayingKeysOutsideASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 24, 5)
		e := newEnumeration(p)
		set := rapid.Uint64Range(0, p.full()).Draw(t, "set")
		table := groupTable{keys: e.keys}
		table.reset(set, p.keys())
		few := e.staying.outside(set)
		for _, key := range few {
			table.enter(key)
		}
		for _, key := range e.staying.keys {
			if table.find(table.code(key), key) == unassigned {
				t.Fatalf("key %d agrees with none of %v outside %b", key, few, set)
			}
		}
		for _, key := range few {
			if !slices.Contains(e.staying.keys, key) {
				t.Fatalf("%d does not stay", key)
			}
		}
	})
}
