package panes

import (
	"runtime"
	"testing"
	"weak"

	"github.com/sdcdesk/sdcdesk/views"
	dataview "github.com/sdcdesk/sdcdesk/views/data"
	numericview "github.com/sdcdesk/sdcdesk/views/numeric"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// Caches of columns do not keep columns of discarded steps.
func TestColumnsAreLetGo(t *testing.T) {
	s := viewtest.MaskedSurvey(t)
	numbers, correlations, keys := numericview.NewNumericVariables(), numericview.NewNumericCorrelations(), dataview.NewDistinctKeys()
	grid := dataview.NewRecords("", 0)
	for _, p := range []views.Pane{numbers, correlations, keys, grid} {
		viewtest.Sees(t, p, s, 200, 30)
	}
	masked := weak.Make(s.Current.Column("income"))
	s.Current = s.Original
	for _, p := range []views.Pane{numbers, correlations, keys, grid} {
		viewtest.Sees(t, p, s, 200, 30)
	}
	runtime.GC()
	if masked.Value() != nil {
		t.Error("the masked column is still kept")
	}
	if numbers.Known() == 0 || correlations.Known() == 0 {
		t.Error("nothing is remembered")
	}
	runtime.KeepAlive([]any{numbers, correlations, keys, grid})
}
