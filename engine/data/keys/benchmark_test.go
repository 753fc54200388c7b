package keys_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
)

// BenchmarkCounts measures the counts of a what-if: age regrouped into classes of varying width, frequencies under
// three rules, violators of 2, 3 and 5.
func BenchmarkCounts(b *testing.B) {
	for _, rows := range []int{5000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			data := generated.Survey(b, rows, 7, append(generated.Keys(), "weight")...)
			columns := golden.Columns(data, generated.Keys()...)
			scenario := microdata.Scenario{Weight: "weight"}
			weights, err := scenario.Weights(data)
			if err != nil {
				b.Fatal(err)
			}
			table := build(b, columns, weights)
			runtime.GC() // the garbage of building the data is gone, so memory is reused as in the program
			for round := 0; b.Loop(); round++ {
				counts(b, table, 2+round%9)
			}
			b.ReportMetric(float64(table.Keys()), "keys")
		})
	}
}

func counts(b *testing.B, table *keys.Table, width int) {
	const age = 3
	mapping := make([]uint32, table.Levels(age)+1)
	for code := 1; code < len(mapping); code++ {
		mapping[code] = uint32(1 + (code-1)/width)
	}
	regrouped, err := table.Regroup(context.Background(), age, int(mapping[len(mapping)-1]), mapping)
	if err != nil {
		b.Fatal(err)
	}
	for _, rule := range []microdata.Rule{microdata.RuleDefault, microdata.RuleConservative, microdata.RuleOwnCategory} {
		f, err := regrouped.Frequencies(context.Background(), rule, 1)
		if err != nil {
			b.Fatal(err)
		}
		for _, k := range []int{2, 3, 5} {
			regrouped.Violators(f, k)
		}
	}
}

// BenchmarkSuppressed measures the compatible records of a file in which violators of 3 have one or two suppressed
// cells, so that most missing-value patterns occur.
func BenchmarkSuppressed(b *testing.B) {
	for _, rows := range []int{5000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			data := generated.Survey(b, rows, 7, generated.Keys()...)
			columns := golden.Columns(data, generated.Keys()...)
			table := build(b, suppressed(b, columns), nil)
			mapping := []uint32{0, 1, 2}
			for b.Loop() {
				// A regrouped table has no cached compatible records.
				same, err := table.Regroup(context.Background(), 1, 2, mapping)
				if err == nil {
					_, err = same.Compatible(context.Background())
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(table.Keys()), "keys")
		})
	}
}

func suppressed(b *testing.B, columns []*microdata.Column) []*microdata.Column {
	table := build(b, columns, nil)
	cells := make([]*microdata.Bits, len(columns))
	for j := range cells {
		cells[j] = microdata.NewBits(table.Records())
	}
	random := rand.New(rand.NewPCG(1, 2))
	for record := range table.Records() {
		if table.Counts()[table.Key(record)] < 3 {
			for range 1 + random.IntN(2) {
				cells[random.IntN(len(cells))].Set(record)
			}
		}
	}
	out := make([]*microdata.Column, len(columns))
	for j, column := range columns {
		out[j] = column.Suppress(cells[j])
	}
	return out
}

// BenchmarkManyPatterns measures the compatible records of files with cells missing at random, which have hundreds
// to thousands of missing-value patterns.
func BenchmarkManyPatterns(b *testing.B) {
	for _, c := range []struct{ n, variables, percent int }{{20_000, 12, 10}, {20_000, 12, 30}, {100_000, 12, 3}} {
		b.Run(fmt.Sprintf("rows=%d/missing=%d", c.n, c.percent), func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, 2))
			var columns []*microdata.Column
			for v := range c.variables {
				cats := &microdata.Categories{Codes: microdata.NewCodes(c.n, 8)}
				for i := range 8 {
					cats.Levels = append(cats.Levels, microdata.Level{Label: fmt.Sprint("l", i), Value: math.NaN()})
				}
				for r := range c.n {
					if random.IntN(100) >= c.percent {
						cats.Codes.Set(r, uint32(1+min(7, int(random.ExpFloat64()*2))))
					}
				}
				columns = append(columns, microdata.NewCategorical(fmt.Sprint("v", v), microdata.Category, cats))
			}
			table := build(b, columns, nil)
			for b.Loop() {
				same, err := table.Regroup(context.Background(), 1, 8, []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8})
				if err == nil {
					_, err = same.Compatible(context.Background())
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(table.Keys()), "keys")
		})
	}
}
