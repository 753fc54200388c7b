package plan_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/plan"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// BenchmarkPlans measures a whole search of the survey, and the first round for a file of 30,162 records and nine
// key variables.
func BenchmarkPlans(b *testing.B) {
	b.Run("survey", func(b *testing.B) { bench(b, survey(b), plan.DefaultRounds) })
	b.Run("adult/first", func(b *testing.B) { bench(b, adult(b), 1) })
}

func bench(b *testing.B, in method.Input, rounds int) {
	var search *plan.Search
	for b.Loop() {
		search = found(b, in, rounds, plan.Options{K: 3})
	}
	b.ReportMetric(float64(search.Found().Tried), "combinations")
	b.ReportMetric(float64(len(search.Found().Frontier)), "points")
}

// adult returns the extract of the census file that is distributed with ARX.
func adult(tb testing.TB) method.Input {
	path := filepath.Join(golden.Root(tb), "..", "shared", "data", "adult.csv")
	if _, err := os.Stat(path); err != nil {
		tb.Skip("adult.csv is not in ../shared/data")
	}
	format, err := fileio.GuessFile(context.Background(), path, nil)
	if err != nil {
		tb.Fatal(err)
	}
	data, _, err := fileio.Read(context.Background(), path, format, nil)
	if err != nil {
		tb.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"sex", "age", "race", "marital-status", "education", "native-country", "workclass",
		"occupation", "salary-class"}
	return method.Input{Data: data, Scenario: &scenario}
}

// A large file has a complete frontier after the first round, and a replay confirms its points.
func TestFirstFrontierOfALargeFile(t *testing.T) {
	longtests.Needed(t)
	in := adult(t)
	search, err := plan.New(context.Background(), in.Data, in.Scenario, plan.Options{K: 3})
	if err == nil {
		err = search.Continue(context.Background(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	points := search.Found().Frontier
	if len(points) < 8 || len(points[0].Recodes) != 0 || points[len(points)-1].Cells != 0 {
		t.Errorf("%d points, from %d recodes to %d cells", len(points), len(points[0].Recodes), points[len(points)-1].Cells)
	}
	p := points[len(points)/2]
	if _, account := replayed(t, in, p); account.Total != p.Cells || *account.Bound != *p.Bound {
		t.Errorf("a replay blanks %d cells, not %d", account.Total, p.Cells)
	}
}

// BenchmarkSingle measures a search of single recodes of seven key variables with some missing values.
func BenchmarkSingle(b *testing.B) {
	for _, rows := range []int{5000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			scenario := microdata.NewScenario()
			scenario.Keys = generated.Keys()
			in := method.Input{Data: generated.Survey(b, rows, 7, generated.Keys()...), Scenario: &scenario}
			for b.Loop() {
				found(b, in, 1, plan.Options{K: 3, Single: true})
			}
		})
	}
}

// BenchmarkProtect measures finding the recodes that protect one record.
func BenchmarkProtect(b *testing.B) {
	for _, rows := range []int{5000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			data := generated.Survey(b, rows, 7, generated.Keys()...)
			scenario := microdata.NewScenario()
			scenario.Keys = generated.Keys()
			a := assess(b, data, &scenario)
			records := a.RecordsAtRisk(100, 3)
			for i := 0; b.Loop(); i++ {
				plan.Protect(data, &scenario, a, 3, records[i%len(records)], 2)
			}
		})
	}
}
