package cellkey_test

import (
	"errors"
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/tables/cellkey"
)

// transition returns a table.
func transition(t *testing.T, most int, variance float64, never int) *cellkey.Transition {
	t.Helper()
	table, err := cellkey.New(cellkey.Parameters{Most: most, Variance: variance, Never: never})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestProbabilities compares with those of R package ptable, which are published with five decimals.
func TestProbabilities(t *testing.T) {
	small, large := transition(t, 2, 1.08, 1), transition(t, 5, 3, 2)
	for _, c := range []struct {
		table *cellkey.Transition
		count int
		want  []cellkey.Outcome
	}{
		{small, 0, []cellkey.Outcome{{0, 1}}},
		{small, 1, []cellkey.Outcome{{0, .51333}, {2, .46}, {3, .02667}}},
		{small, 2, []cellkey.Outcome{{0, .16561}, {2, .54635}, {3, .24487}, {4, .04317}}},
		{large, 1, []cellkey.Outcome{{0, .73447}, {3, .13672}, {4, .07280}, {5, .03743}, {6, .01858}}},
	} {
		got := c.table.Row(c.count)
		if len(got) != len(c.want) {
			t.Errorf("%d: %v, want %v", c.count, got, c.want)
			continue
		}
		for i, o := range got {
			if o.Count != c.want[i].Count || math.Abs(o.Probability-c.want[i].Probability) > 1e-5 {
				t.Errorf("%d: %v, want %v", c.count, o, c.want[i])
			}
		}
	}
}

// TestMoments holds that the changes of every count have mean 0 and the variance.
func TestMoments(t *testing.T) {
	table := transition(t, 5, 3, 2)
	for count := 1; count < 20; count++ {
		var sum, mean, variance float64
		for _, o := range table.Row(count) {
			d := float64(o.Count - count)
			sum, mean, variance = sum+o.Probability, mean+o.Probability*d, variance+o.Probability*d*d
			if o.Count == 1 || o.Count == 2 {
				t.Errorf("%d becomes %d", count, o.Count)
			}
		}
		if math.Abs(sum-1) > 1e-9 || math.Abs(mean) > 1e-9 || math.Abs(variance-3) > 1e-9 {
			t.Errorf("%d: sum %v, mean %v, variance %v", count, sum, mean, variance)
		}
	}
}

// TestLookUp perturbs the worked example of R package cellKey.
func TestLookUp(t *testing.T) {
	table := transition(t, 5, 3, 2)
	for _, c := range []struct {
		keys []float64
		want int
	}{
		{[]float64{.11, .25, .93, .42, .68, .07, .51, .33, .79, .96}, 7},
		{[]float64{.11, .93}, 0},
		{[]float64{.42, .68}, 0},
		{[]float64{.07, .51, .33, .79, .96}, 6},
		{[]float64{.07, .51}, 3},
		{[]float64{.33, .79, .96}, 0},
	} {
		sum := uint64(0)
		for _, key := range c.keys {
			sum += uint64(key * (1 << 64))
		}
		if got := table.Perturbed(len(c.keys), cellkey.Key(sum)); got != c.want {
			t.Errorf("%v: %d, want %d", c.keys, got, c.want)
		}
	}
	if table.Perturbed(0, 0.99) != 0 {
		t.Error("an empty cell has a count")
	}
	for key := 0.0; key < 1; key += 0.01 {
		if got, near := table.Perturbed(1000, key), table.Perturbed(100, key); got-near != 900 {
			t.Errorf("%v: %d and %d", key, got, near)
		}
	}
}

// TestImpossible refuses a variance that changes of that size cannot have.
func TestImpossible(t *testing.T) {
	for _, p := range []cellkey.Parameters{{2, 5, 0}, {2, 0.1, 1}, {0, 1, 0}, {2, 1, 2}, {2, math.NaN(), 0}} {
		if _, err := cellkey.New(p); !errors.Is(err, cellkey.ErrParameters) {
			t.Errorf("%v: %v", p, err)
		}
	}
}
