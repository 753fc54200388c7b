package risk_test

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"pgregory.net/rapid"
)

// TestDisagreementIsThatOfAllPairs compares with all pairs of records.
func TestDisagreementIsThatOfAllPairs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		file := drawHouseholds(rt, t)
		households := microdata.NewHouseholds(file.data.Columns()[0])
		for _, column := range file.data.Columns() {
			differing, partly := map[int]bool{}, map[int]bool{}
			for a := range column.Len() {
				for b := range a {
					if households.Of(a) != households.Of(b) {
						continue
					}
					switch {
					case column.Missing(a) != column.Missing(b):
						partly[households.Of(a)] = true
					case column.Text(a) != column.Text(b):
						differing[households.Of(a)] = true
					}
				}
			}
			if got := households.Differing(column); got != len(differing) {
				rt.Errorf("%s: %d households differ, want %d", column.Name(), got, len(differing))
			}
			if got := households.PartlyMissing(column); got != len(partly) {
				rt.Errorf("%s: %d households partly missing, want %d", column.Name(), got, len(partly))
			}
		}
	})
}
