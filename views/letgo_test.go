package views

import (
	"runtime"
	"testing"
	"weak"
)

// What is remembered of columns does not keep those of steps that were let go.
func TestColumnsAreLetGo(t *testing.T) {
	s := maskedSurvey(t)
	numbers, correlations, keys := NewNumericVariables(), NewNumericCorrelations(), NewDistinctKeys()
	grid := NewRecords("", 0)
	for _, p := range []Pane{numbers, correlations, keys, grid} {
		sees(t, p, s, 200, 30)
	}
	masked := weak.Make(s.Current.column("income"))
	s.Current = s.Original
	for _, p := range []Pane{numbers, correlations, keys, grid} {
		sees(t, p, s, 200, 30)
	}
	runtime.GC()
	if masked.Value() != nil {
		t.Error("the masked column is still kept")
	}
	if len(numbers.found) == 0 || len(correlations.found) == 0 {
		t.Error("nothing is remembered")
	}
	runtime.KeepAlive([]any{numbers, correlations, keys, grid})
}
