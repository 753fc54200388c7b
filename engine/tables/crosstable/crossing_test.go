package crosstable

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sdcdesk/sdcdesk/house/longtests"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
)

// The cells of consecutive tables equal those that a count of texts finds, whether they are numbered in order or
// by first occurrence, with or without missing values.
func TestCellsAgainstTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 30).Draw(t, "rows")
		g, weights := &keys.Groups{}, make([]float64, rows)
		for range 4 {
			levels := rapid.SampledFrom([]int{1, 3, 70_000}).Draw(t, "levels")
			codes := rapid.SliceOfN(rapid.Uint32Range(0, uint32(min(levels, 3))), rows, rows).Draw(t, "codes")
			g.Levels, g.Codes = append(g.Levels, levels), append(g.Codes, codes)
		}
		for row := range weights {
			weights[row] = float64(row + 1)
		}
		c := Crossing{Groups: g, Missing: rapid.Bool().Draw(t, "missing"), Dense: rapid.IntRange(0, 20).Draw(t, "dense")}
		for range 5 {
			variables := Variables(rapid.Uint64Range(1, 15).Draw(t, "set"))
			cells := c.Cells(variables)
			texts := make([]string, rows)
			for row := range rows {
				for _, v := range variables {
					texts[row] += fmt.Sprint(g.Codes[v][row], " ")
				}
				if none := slices.ContainsFunc(variables, func(v int) bool { return g.Codes[v][row] == 0 }); none && !c.Missing {
					texts[row] = ""
				}
				if (texts[row] == "") != (cells.Of[row] == 0) || int(cells.Of[row]) > cells.Numbers {
					t.Fatalf("variables %v: row %d, %q, is in cell %d of %d", variables, row, texts[row], cells.Of[row], cells.Numbers)
				}
			}
			records, sums := Sums[int, int](cells, nil, nil), Sums[float64](cells, weights, nil)
			for row, cell := range cells.Of {
				n, sum := 0, 0.0
				for other := range rows {
					if texts[other] == texts[row] {
						n, sum = n+1, sum+weights[other]
					}
				}
				if records[cell] != n || sums[cell] != sum {
					t.Fatalf("variables %v: %d records of weight %v in cell %q, want %d of %v", variables, records[cell], sums[cell],
						texts[row], n, sum)
				}
			}
		}
	})
}

// The cells of a small table are in the order of its categories, missing first; those of any other table are in
// the order of first occurrence.
func TestOrderOfCells(t *testing.T) {
	g := &keys.Groups{Levels: []int{2, 2}, Codes: [][]uint32{{2, 1, 0, 2}, {2, 0, 1, 2}}}
	for _, test := range []struct {
		missing bool
		dense   int
		want    []uint32
		numbers int
	}{
		{true, 9, []uint32{9, 4, 2, 9}, 9}, {true, 8, []uint32{1, 2, 3, 1}, 3},
		{false, 4, []uint32{4, 0, 0, 4}, 4}, {false, 3, []uint32{1, 0, 0, 1}, 1},
	} {
		c := Crossing{Groups: g, Missing: test.missing, Dense: test.dense}
		if cells := c.Cells([]int{0, 1}); !slices.Equal(cells.Of, test.want) || cells.Numbers != test.numbers {
			t.Errorf("missing %v, most %d: cells %v of %d", test.missing, test.dense, cells.Of, cells.Numbers)
		}
	}
}
