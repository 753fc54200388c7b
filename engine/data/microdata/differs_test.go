package microdata_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
)

// Cells differ by value, not by spelling, also between numbers and categories or texts.
func TestCellsDifferByValue(t *testing.T) {
	numbers := golden.Column(t, "x", []string{"1", "1.0", "2", ""})
	texts := golden.Column(t, "x", []string{"1", "1", "2", "x"})
	levels := []microdata.Level{{Label: "1.00", Value: 1}, {Label: "3", Value: 3}}
	if got := fmt.Sprint(microdata.SameLabels(numbers.Categories().Levels, levels)); got != "[0 1 0]" {
		t.Errorf("codes of the same levels: %s", got)
	}
	was, named := numbers.Categories(), []microdata.Level{{Label: "1", Value: math.NaN()}, {Label: "2", Value: math.NaN()}}
	for want, other := range map[string]*microdata.Column{
		"[false false true false]": numbers.Regroup(numbers, levels, []uint32{0, 1, 2}, true),
		"[false false false false]": numbers.WithCategories(microdata.Category,
			&microdata.Categories{Levels: named, Codes: was.Codes}),
		"[false false false true]": texts,
	} {
		var differ []bool
		for row := range numbers.Len() {
			differ = append(differ, numbers.Differs(other, row))
		}
		if got := fmt.Sprint(differ); got != want {
			t.Errorf("cells that differ: %s, want %s", got, want)
		}
	}
}
