package loss_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/utility/loss"
)

// oneColumn returns a dataset of one column.
func oneColumn(t tester, column *microdata.Column) *microdata.Dataset {
	data, err := microdata.NewDataset([]*microdata.Column{column})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Categories are compared with what recodes made of them, whatever other steps did to single records. Recodes,
// suppressions and changed codes in any order are compared with a map from the labels of the source that only
// recodes change.
func TestCountsAreComparedByTheRecodesMade(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		cells := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b", "c", "d"}), 1, 20).Draw(r, "cells")
		source := golden.Column(t, "v", cells)
		column, made := source, map[string]string{"": "", "a": "a", "b": "b", "c": "c", "d": "d"}
		for step := range rapid.IntRange(1, 5).Draw(r, "steps") {
			switch rapid.SampledFrom([]string{"recode", "suppress", "perturb"}).Draw(r, "step") {
			case "recode":
				levels, n := []microdata.Level{}, rapid.IntRange(1, 3).Draw(r, "levels")
				for i := range n {
					levels = append(levels, microdata.Level{Label: fmt.Sprint("level ", step, i), Value: math.NaN()})
				}
				was := column.Categories().Levels
				mapping, becomes := make([]uint32, len(was)+1), map[string]string{"": ""}
				for code := 1; code < len(mapping); code++ {
					to := rapid.IntRange(1, n).Draw(r, "to")
					mapping[code], becomes[was[code-1].Label] = uint32(to), levels[to-1].Label
				}
				column = column.Regroup(column, levels, mapping, false)
				for from, now := range made {
					made[from] = becomes[now]
				}
			case "suppress":
				cells := microdata.NewBits(column.Len())
				for row := range column.Len() {
					if rapid.Bool().Draw(r, "cell") {
						cells.Set(row)
					}
				}
				column = column.Suppress(cells)
			case "perturb":
				codes := column.Categories().Codes.Copy()
				for row := range column.Len() {
					if codes.At(row) > 0 {
						codes.Set(row, uint32(rapid.IntRange(1, len(column.Categories().Levels)).Draw(r, "code")))
					}
				}
				column = column.WithCodes(codes)
			}
		}
		off, zeros := map[string]int{}, 0
		before, after := map[string]int{}, map[string]int{}
		for row, label := range cells {
			before[made[label]]++
			after[column.Text(row)]++
			off[made[label]]--
			off[column.Text(row)]++
		}
		sum := 0.0
		for label, d := range off {
			sum += math.Abs(float64(d))
			if before[label] > 0 && after[label] == 0 {
				zeros++
			}
		}
		was, now := oneColumn(r, source), oneColumn(r, column)
		tables := compute(r, loss.CategoricalSpec(), &loss.Categorical{Variables: []string{"v"}, Margins: 1}, was, now)
		if got := value(r, &tables, "table_sum", "m1").Number; got != sum {
			r.Fatalf("counts are off by %v, by the recodes %v: %v", got, sum, off)
		}
		one := compute(r, loss.CellsSpec(), &loss.Cells{Variables: []string{"v"}, Margins: 1, Counts: loss.CountRecords,
			Zeros: true, Listed: 1}, was, now)
		if got := one.Value("false_zeros", 0).Number; got != float64(zeros) {
			r.Fatalf("%v false zeros, by the recodes %d: %v became %v", got, zeros, before, after)
		}
	})
}

// b and c are grouped, then all their records are suppressed: the counts are 3 and 0 with 2 missing, before 3 and
// 2. One category lost its count, the group, not b and c; counts differ by 2 (group) + 2 (missing) in 3 cells.
func TestAGroupThatIsSuppressedIsOneFalseZero(t *testing.T) {
	source := golden.Column(t, "v", []string{"a", "a", "a", "b", "c"})
	levels := []microdata.Level{{Label: "a", Value: math.NaN()}, {Label: "b, c", Value: math.NaN()}}
	cells := microdata.NewBits(5)
	cells.Set(3)
	cells.Set(4)
	now := source.Regroup(source, levels, []uint32{0, 1, 2, 2}, false).Suppress(cells)
	e := compute(t, loss.CellsSpec(), &loss.Cells{Variables: []string{"v"}, Margins: 1, Counts: loss.CountRecords, Zeros: true,
		Listed: 1}, oneColumn(t, source), oneColumn(t, now))
	if zeros, off := e.Value("false_zeros", 0).Number, e.Value("cells_absolute", 0).Number; zeros != 1 || off != 4.0/3 {
		t.Errorf("%v false zeros, counts off by %v, want 1 and 4/3", zeros, off)
	}
}
