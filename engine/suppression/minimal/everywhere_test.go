package minimal

import (
	"math/rand/v2"
	"testing"
)

// TestRecordsMissingEverywhereAreLikeAll has a file without staying keys: suppressing everything in one record is
// sufficient, because that record then counts all four.
func TestRecordsMissingEverywhereAreLikeAll(t *testing.T) {
	p := &Problem{
		Codes: [][]uint32{{1, 2}, {0, 1}}, Levels: []int{2, 1}, Count: []int{3, 1},
		K: 3, Price: []int{1, 1}, TieOrder: []int{0, 1},
	}
	for rule, want := range map[Rule]int64{Conservative: 2, OwnCategory: 5} {
		p.Rule = rule
		if best := optimum(p); best != want {
			t.Errorf("rule %d: optimum %d, should be %d", rule, best, want)
		}
		for _, s := range []*Solution{solve(t, p), solutionAfter(t, searched(t, p, blockIterations, blockIterations))} {
			if s.Price != want || s.Bound > want {
				t.Errorf("rule %d: price %d, bound %d, should be %d", rule, s.Price, s.Bound, want)
			}
			checkSolution(t, p, s)
		}
	}
}

// tinyProblem draws a file of a few records, many with missing values, under a rule that has a bound.
func tinyProblem(random *rand.Rand) *Problem {
	q := 1 + random.IntN(3)
	p := &Problem{Codes: make([][]uint32, q), K: 2 + random.IntN(2), Rule: Rule(random.IntN(2))}
	for v := range q {
		p.Levels, p.Price, p.TieOrder = append(p.Levels, 3), append(p.Price, 1+random.IntN(2)), append(p.TieOrder, v)
	}
	seen := map[string]int{}
	for range p.K + random.IntN(6-p.K) {
		row := make([]uint32, q)
		for v := range row {
			row[v] = uint32(random.IntN(4))
		}
		p.addRecord(seen, row)
	}
	return p
}

// TestBoundsOfTinyFiles compares the bound with the optimum over all suppressions.
func TestBoundsOfTinyFiles(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 67))
	for range 900 {
		p := tinyProblem(random)
		best := optimum(p)
		minimal := solve(t, p)
		thorough := solutionAfter(t, searched(t, p, blockIterations, blockIterations))
		for _, s := range []*Solution{minimal, thorough} {
			if s.Bound > best || s.Price < best {
				t.Fatalf("%+v: bound %d, price %d, optimum %d", p, s.Bound, s.Price, best)
			}
			checkSolution(t, p, s)
		}
	}
}
