package audit_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// drawTree draws a small hierarchy.
func drawTree(t *rapid.T, name string) *tabular.Tree {
	var paths [][]string
	for i := range rapid.IntRange(1, 4).Draw(t, name) {
		code := fmt.Sprintf("%s%d", name, i)
		below := rapid.IntRange(0, 3).Draw(t, code)
		for j := range below {
			paths = append(paths, []string{fmt.Sprintf("%s-%d", code, j), code})
		}
		if below == 0 {
			paths = append(paths, []string{code})
		}
	}
	tree, err := tabular.NewTree(name, paths)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// drawTable draws a table of counts with small cells.
func drawTable(t *rapid.T) *tabular.Table {
	table, err := tabular.New(drawTree(t, "a"), drawTree(t, "b"))
	if err != nil {
		t.Fatal(err)
	}
	err = table.Sum(func(yield func(*tabular.Contribution) bool) {
		for at := range table.Cells {
			n := rapid.IntRange(0, 6).Draw(t, "n")
			c := tabular.Contribution{Nodes: []int{table.Node(at, 0), table.Node(at, 1)}, N: n, Value: float64(n), Weight: 1}
			if table.Inner(at) && n > 0 && !yield(&c) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestAttack compares what can be recalculated, and the intervals, with linear algebra and a simplex method of gonum.
func TestAttack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := drawTable(t)
		hidden := map[int32]int{}
		var cells []int32
		for at := range table.Cells {
			if rapid.IntRange(0, 9).Draw(t, "hide") < 4 {
				hidden[int32(at)] = len(cells)
				cells = append(cells, int32(at))
			}
		}
		if len(cells) == 0 {
			return
		}
		equations := table.Equations()
		known := audit.Solve(equations, func(cell int32) bool { _, is := hidden[cell]; return is }, nil)
		var rows [][]float64
		var sides []float64
		for i := range equations.Len() {
			row, side, any := make([]float64, len(cells)), 0.0, false
			for k, cell := range equations.At(i) {
				sign := -1.0
				if k == 0 {
					sign = 1
				}
				if place, is := hidden[cell]; is {
					row[place], any = sign, true
				} else {
					side -= sign * table.Cells[cell].Value
				}
			}
			if any {
				rows, sides = append(rows, row), append(sides, side)
			}
		}
		got, err := known.Intervals(t.Context(), func(cell int) float64 { return table.Cells[cell].Value },
			audit.Positive(false), nil)
		if err != nil {
			t.Fatal(err)
		}
		rows, sides = independent(rows, sides)
		for place, cell := range cells {
			unit := make([]float64, len(cells))
			unit[place] = 1
			exact := len(rows) > 0 && rank(append(rows[:len(rows):len(rows)], unit)) == len(rows)
			if known.Exact(int(cell)) != exact {
				t.Fatalf("%v: exact %v, want %v", table.Codes(int(cell)), known.Exact(int(cell)), exact)
			}
			low, high := extreme(t, rows, sides, place, 1), -extreme(t, rows, sides, place, -1)
			if one, is := got[int(cell)]; is && (math.Abs(one.Low-low) > 1e-6 || one.High != high && math.Abs(one.High-high) > 1e-6) {
				t.Fatalf("%v: %v, want [%v, %v]", table.Codes(int(cell)), one, low, high)
			}
		}
	})
}

// independent keeps equations that do not follow from earlier ones.
func independent(rows [][]float64, sides []float64) ([][]float64, []float64) {
	var kept [][]float64
	var of []float64
	for i, row := range rows {
		if rank(append(kept[:len(kept):len(kept)], row)) > len(kept) {
			kept, of = append(kept, row), append(of, sides[i])
		}
	}
	return kept, of
}

func rank(rows [][]float64) int {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		m.SetRow(i, row)
	}
	var svd mat.SVD
	svd.Factorize(m, mat.SVDNone)
	n := 0
	for _, v := range svd.Values(nil) {
		if v > 1e-9 {
			n++
		}
	}
	return n
}

// extreme returns the smallest value of sign times an unknown.
func extreme(t *rapid.T, rows [][]float64, sides []float64, place int, sign float64) float64 {
	if len(rows) == 0 {
		return math.Inf(-1)
	}
	if len(rows) == len(rows[0]) { // one table only
		m := mat.NewDense(len(rows), len(rows), nil)
		for i, row := range rows {
			m.SetRow(i, row)
		}
		var x mat.VecDense
		if err := x.SolveVec(m, mat.NewVecDense(len(sides), sides)); err != nil {
			t.Fatal(err)
		}
		return sign * x.AtVec(place)
	}
	objective := make([]float64, len(rows[0]))
	objective[place] = sign
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		m.SetRow(i, row)
	}
	best, _, err := lp.Simplex(objective, m, sides, 1e-10, nil)
	if errors.Is(err, lp.ErrUnbounded) {
		return math.Inf(-1)
	}
	if err != nil {
		t.Skip(err)
	}
	return best
}
