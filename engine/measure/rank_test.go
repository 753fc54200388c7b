package measure_test

import (
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// A row counts with its multiplicity.
func TestRanksCountRecords(t *testing.T) {
	figures := []float64{0.5, 0.1, math.NaN(), 0.5, 0.9}
	figure := func(row int) float64 { return figures[row] }
	data := golden.Numbers(t, [][]float64{{1, 2, 3, 4, 5}})
	if got := measure.RankOf(data, figure, 0); got != (measure.Rank{Higher: 1, Of: 4}) {
		t.Errorf("of records: %+v", got)
	}
	grouped, err := microdata.NewGrouped(data.Columns(), []int{3, 5, 7, 11, 13})
	if err != nil {
		t.Fatal(err)
	}
	if got := measure.RankOf(grouped, figure, 1); got != (measure.Rank{Higher: 27, Of: 32}) {
		t.Errorf("of grouped rows: %+v", got)
	}
}
