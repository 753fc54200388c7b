package keys_test

import (
	"context"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// billions draws rows of two variables, with missing values, that stand for numbers of records around powers of
// two, whose sums exceed 32 bits; each record has weight 2.
func billions(t *rapid.T) *keys.Groups {
	g := &keys.Groups{Levels: []int{2, 3}, Codes: make([][]uint32, 2)}
	for range rapid.IntRange(1, 25).Draw(t, "rows") {
		for v, levels := range g.Levels {
			g.Codes[v] = append(g.Codes[v], uint32(rapid.IntRange(0, levels).Draw(t, "code")))
		}
		about := 1 << rapid.SampledFrom([]int{2, 31, 32, 33, 40}).Draw(t, "power")
		g.Counts = append(g.Counts, about+rapid.IntRange(-3, 3).Draw(t, "records"))
		g.Weights = append(g.Weights, 2*float64(g.Counts[len(g.Counts)-1]))
	}
	return g
}

// frequency counts the records compatible with a row independently, with big integers.
func frequency(g *keys.Groups, row int, rule microdata.Rule) *big.Int {
	sum := new(big.Int)
	for other, count := range g.Counts {
		identical, agree, complete := true, true, true
		for _, codes := range g.Codes {
			a, b := codes[row], codes[other]
			identical, agree, complete = identical && a == b, agree && (a == b || a == 0 || b == 0), complete && b != 0
		}
		empty := g.Codes[0][row] == 0 && g.Codes[1][row] == 0
		if identical || empty || agree && (rule == microdata.RuleDefault || complete) {
			if rule != microdata.RuleOwnCategory || identical {
				sum.Add(sum, big.NewInt(int64(count)))
			}
		}
	}
	return sum
}

// If rows stand for more records than 32 bits hold, counts of keys, frequencies, weights and violators equal those
// computed with big integers, also after a recode.
func TestBillionsOfRecords(tb *testing.T) {
	rapid.Check(tb, func(t *rapid.T) {
		g := billions(t)
		table, err := keys.FromGroups(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		checkBillions(t, g, table)
		mapping := []uint32{0, 1, 1, 2}
		recoded, err := table.Regroup(context.Background(), 1, 2, mapping)
		if err != nil {
			t.Fatal(err)
		}
		after := *g
		after.Levels, after.Codes = []int{2, 2}, [][]uint32{g.Codes[0], make([]uint32, len(g.Counts))}
		for row, code := range g.Codes[1] {
			after.Codes[1][row] = mapping[code]
		}
		checkBillions(t, &after, recoded)
	})
}

func checkBillions(t *rapid.T, g *keys.Groups, table *keys.Table) {
	all := new(big.Int)
	for _, count := range g.Counts {
		all.Add(all, big.NewInt(int64(count)))
	}
	if all.Cmp(big.NewInt(int64(table.Records()))) != 0 {
		t.Fatalf("%d records, want %d", table.Records(), all)
	}
	k := rapid.SampledFrom([]int{3, 1 << 32, 1 << 33}).Draw(t, "k")
	for _, rule := range []microdata.Rule{microdata.RuleDefault, microdata.RuleConservative, microdata.RuleOwnCategory} {
		f, err := table.Frequencies(context.Background(), rule, 1)
		if err != nil {
			t.Fatal(err)
		}
		violators := new(big.Int)
		for row, count := range g.Counts {
			want := frequency(g, row, rule)
			own := frequency(g, row, microdata.RuleOwnCategory)
			key := table.Key(row)
			wanted, _ := new(big.Float).SetInt(want).Float64()
			if f.Sample[key] != wanted || !(math.Abs(f.Population[key]-2*wanted) <= 1e-15*wanted) {
				t.Fatalf("%s: f %v, F %v, want %d", rule, f.Sample[key], f.Population[key], want)
			}
			if g.Codes[0][row]+g.Codes[1][row] != 0 && own.Cmp(big.NewInt(int64(table.Counts()[key]))) != 0 {
				t.Fatalf("%d records of a key, want %d", table.Counts()[key], own)
			}
			if want.Cmp(big.NewInt(int64(k))) < 0 {
				violators.Add(violators, big.NewInt(int64(count)))
			}
		}
		if got := table.Violators(f, k); violators.Cmp(big.NewInt(int64(got))) != 0 {
			t.Fatalf("%s: %d violators of %d, want %d", rule, got, k, violators)
		}
	}
}
