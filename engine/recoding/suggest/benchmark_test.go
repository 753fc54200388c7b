package suggest_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
)

func groupOf(variable string, levels ...string) *recode.Group {
	return &recode.Group{Variable: variable, Levels: levels}
}

// BenchmarkSearch measures a whole search over seven key variables, of which
// some values are missing.
func BenchmarkSearch(b *testing.B) {
	for _, rows := range []int{5000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			bench(b, generated.Survey(b, rows, 7, generated.Keys()...))
		})
	}
	b.Run("survey", func(b *testing.B) { bench(b, golden.Data(b, "survey")) })
}

func bench(b *testing.B, data *microdata.Dataset) {
	scenario := microdata.NewScenario()
	scenario.Keys = generated.Keys()
	a := assess(b, data, &scenario)
	var search *suggest.Search
	for b.Loop() {
		var err error
		if search, err = suggest.New(data, &scenario, a, 3); err != nil {
			b.Fatal(err)
		}
		if err := search.Continue(context.Background(), time.Hour); err != nil {
			b.Fatal(err)
		}
	}
	_, all := search.Tried()
	b.ReportMetric(float64(all), "candidates")
	b.ReportMetric(float64(a.Table().Keys()), "keys")
}

// BenchmarkProtect measures the recodes that would protect one record.
func BenchmarkProtect(b *testing.B) {
	for _, rows := range []int{5000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			data := generated.Survey(b, rows, 7, generated.Keys()...)
			scenario := microdata.NewScenario()
			scenario.Keys = generated.Keys()
			a := assess(b, data, &scenario)
			records := a.RecordsAtRisk(100, 3)
			for i := 0; b.Loop(); i++ {
				suggest.Protect(data, &scenario, a, 3, records[i%len(records)], 2)
			}
		})
	}
}
