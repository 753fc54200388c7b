package publish_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
)

// TestSmallestSum finds 15 = 10 + 3 + x + y: empty cells are published, so x and y are 1. Protection suppresses the 3.
func TestSmallestSum(t *testing.T) {
	const text = `{"by":[{"variable":"a"}],"cells":true,"response":"n","rules":["frequency:2,0%s"],"protect":"%s"}`
	data := parse(t, "a,n", "Total,15", "p,10", "q,3", "r,1", "s,1", "t,0")
	table := evaluate(t, data, fmt.Sprintf(text, "", "none"))
	if s := table.Safety(); !slices.Equal(s.Open, []int{3, 4}) || !strings.Contains(table.WhyOpen(3), "[r]* + [s]*") {
		t.Errorf("%+v, %s", s, table.WhyOpen(3))
	}
	for _, protect := range []string{"gauss", ""} {
		table = evaluate(t, data, fmt.Sprintf(text, "", protect))
		if s := table.Safety(); len(s.Open) > 0 || !table.Suppressed(2) || table.Suppressed(1) || table.Suppressed(0) {
			t.Errorf("%q: %+v", protect, s)
		}
	}
	table = evaluate(t, data, fmt.Sprintf(text, ",zeros", "none"))
	found, err := table.Intervals(t.Context(), false)
	if err != nil || len(table.Safety().Open) > 0 || len(found.OneInteger) > 0 || len(found.TooNarrow) > 0 {
		t.Errorf("with suppressed empty cells: %+v, %v", found, err) // 0 + 2 + 0, 1 + 1 + 0, …
	}
}

// otherValues reports for each cell of a table whether values below and above the true one are possible. It tries all tables whose
// inner cells differ by at most 1: no table of two variables, of which one has groups, needs more.
func otherValues(t *publish.Table) (below, above []bool) {
	below, above = make([]bool, len(t.Cells)), make([]bool, len(t.Cells))
	changes, equations := make([]int, len(t.Cells)), t.Equations()
	var inner []int
	for cell := range t.Cells {
		if t.Inner(cell) && t.Suppressed(cell) {
			inner = append(inner, cell)
		}
	}
	var try func(rest []int)
	try = func(rest []int) {
		if len(rest) > 0 {
			for change := -1; change <= 1; change++ {
				if changes[rest[0]] = change; t.Cells[rest[0]].N+change > 0 {
					try(rest[1:])
				}
			}
			changes[rest[0]] = 0
			return
		}
		sums := slices.Clone(changes)
		for i := equations.Len() - 1; i >= 0; i-- {
			cells, sum := equations.At(i), 0
			for _, c := range cells[1:] {
				sum += sums[c]
			}
			sums[cells[0]] = sum
		}
		for cell, sum := range sums {
			if sum != 0 && !t.Suppressed(cell) {
				return
			}
		}
		for cell, sum := range sums {
			below[cell], above[cell] = below[cell] || sum < 0, above[cell] || sum > 0
		}
	}
	try(inner)
	return below, above
}

// sparse returns random records of which most categories have few.
func sparse(t *testing.T, random *rand.Rand) *microdata.Dataset {
	lines := []string{"g,a,b"}
	columns := 2 + random.IntN(2)
	for a := range 2 + random.IntN(3) {
		for b := range columns {
			for range []int{0, 1, 1, 1, 2, 3, 5}[random.IntN(7)] {
				lines = append(lines, fmt.Sprintf("g%d,a%d,b%d", a/2, a, b))
			}
		}
	}
	return parse(t, append(lines, "g0,a0,b0")...)
}

// TestSparseTables compares the audit of random tables with all possible tables, and protects them.
func TestSparseTables(t *testing.T) {
	closed, revealed := 0, 0
	for seed := range uint64(300) {
		data := sparse(t, rand.New(rand.NewPCG(1, seed)))
		for _, protect := range []string{"none", "gauss", ""} {
			table := evaluate(t, data, `{"by":[{"variable":"a","nested":["g"]},{"variable":"b"}],"rules":["frequency:3"],"protect":"`+protect+`"}`)
			found, err := table.Intervals(t.Context(), false)
			if err != nil {
				t.Fatal(err)
			}
			below, above := otherValues(table)
			known := slices.Concat(table.Safety().Open, found.OneInteger)
			for cell := range table.Cells {
				if !table.Sensitive(cell) {
					continue
				}
				is := slices.Contains(known, cell)
				if is != (!below[cell] && !above[cell]) {
					t.Errorf("%d %q: %v is known: %v, below %v, above %v", seed, protect, table.Codes(cell), is, below[cell], above[cell])
				}
				if is {
					revealed++
				}
				if protect == "" && (is || slices.Contains(found.TooNarrow, cell) || !above[cell]) {
					t.Errorf("%d: %v is not protected", seed, table.Codes(cell))
				}
				closed++
			}
		}
	}
	if revealed < 100 || revealed > closed/2 {
		t.Errorf("%d of %d cells are known", revealed, closed)
	}
}

// TestLargeSparseTable protects a table of three variables with levels, in which sums of single records go up several levels.
func TestLargeSparseTable(t *testing.T) {
	lines := []string{"g,a,h,b,c"}
	random := rand.New(rand.NewPCG(3, 1))
	few := func(n int) int { return int(float64(n) * math.Pow(random.Float64(), 1.5)) }
	for range 2000 {
		a, b := few(16), few(10)
		lines = append(lines, fmt.Sprintf("g%d,a%d,h%d,b%d,c%d", a/4, a, b/5, b, few(5)))
	}
	table := evaluate(t, parse(t, lines...), `{"by":[{"variable":"a","nested":["g"]},{"variable":"b","nested":["h"]},{"variable":"c"}],"rules":["frequency:3"]}`)
	found, err := table.Intervals(t.Context(), true)
	if s := table.Safety(); err != nil || s.Sensitive < 200 || s.Recalculable() > 0 || len(found.OneInteger) > 0 || len(found.TooNarrow) > 0 {
		t.Errorf("%d cells, %d sensitive; %d open, %d by a contributor, %d with one integer, %d too narrow; %v",
			len(table.Cells), s.Sensitive, len(s.Open), len(s.Insiders), len(found.OneInteger), len(found.TooNarrow), err)
	}
	if l := table.Loss(); l.SecondaryValue > 0.3*l.Value {
		t.Errorf("%+v", l)
	}
}

// TestGivenBackSum finds what remains if records give one of three suppressed cells back: 2 = x + y.
func TestGivenBackSum(t *testing.T) {
	lines := append([]string{"a"}, strings.Split(strings.Repeat("p ", 10)+"q q q r s", " ")...)
	data := parse(t, lines...)
	table := evaluate(t, data, `{"by":[{"variable":"a"}],"rules":["frequency:2,0"],"protect":"gauss"}`)
	a, _ := data.Column("a")
	rare := microdata.NewBits(data.Len())
	for row := data.Len() - 2; row < data.Len(); row++ {
		rare.Set(row)
	}
	given, err := table.GivenBack(t.Context(), data.With(a.Suppress(rare)))
	if err != nil || len(given) != 2 || len(table.Safety().Open) > 0 {
		t.Errorf("%d cells are given back, %v; open before: %v", len(given), err, table.Safety().Open)
	}
}

// TestOptimal protects random tables at no higher cost than otherwise, and proves most optima.
func TestOptimal(t *testing.T) {
	proven, better := 0, 0
	for seed := range uint64(60) {
		data := sparse(t, rand.New(rand.NewPCG(2, seed)))
		costs := map[string]float64{}
		for _, protect := range []string{"", "optimal"} {
			table := evaluate(t, data, `{"by":[{"variable":"a","nested":["g"]},{"variable":"b"}],"rules":["frequency:3"],"protect":"`+protect+`"}`)
			found, err := table.Intervals(t.Context(), true)
			safety, loss := table.Safety(), table.Loss()
			if err != nil || safety.Recalculable() > 0 || len(found.TooNarrow) > 0 {
				t.Errorf("%d %q: %+v, %+v, %v", seed, protect, safety, found, err)
			}
			if costs[protect] = loss.Cost; loss.Cost != loss.SecondaryValue || loss.Bound > loss.Cost || protect == "" && loss.Bound != 0 {
				t.Errorf("%d %q: %+v", seed, protect, loss)
			}
			if loss.Bounded() == "optimal (proven)" {
				proven++
			}
		}
		if costs["optimal"] > costs[""] {
			t.Errorf("%d: %v", seed, costs)
		} else if costs["optimal"] < costs[""] {
			better++
		}
	}
	if proven < 25 || better < 5 {
		t.Errorf("%d proven, %d better", proven, better)
	}
}

// TestOptimalLimit refuses to search for the optimum of a table of more than 500 cells.
func TestOptimalLimit(t *testing.T) {
	lines := []string{"a,b"}
	for i := range 23 * 23 {
		lines = append(lines, fmt.Sprintf("a%d,b%d", i/23, i%23))
	}
	d := definition(t, `{"by":[{"variable":"a"},{"variable":"b"}],"rules":["frequency:3"],"protect":"optimal"}`)
	_, err := publish.Evaluate(t.Context(), parse(t, lines...), d, nil)
	if err == nil || !strings.Contains(err.Error(), "up to 500 cells, and the table has 576") {
		t.Error(err)
	}
}
