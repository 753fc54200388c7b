package risk_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// file is a file similar to the survey, ready to be assessed.
type file struct {
	columns    []*microdata.Column
	weights    []float64
	households *microdata.Households
	options    risk.Options
}

func eachSize(b *testing.B, measure func(b *testing.B, f *file)) {
	for _, rows := range []int{5000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			data := generated.Survey(b, rows, 7, append(generated.Keys(), "weight", "hid")...)
			scenario := microdata.NewScenario()
			scenario.Weight = "weight"
			weights, err := scenario.Weights(data)
			if err != nil {
				b.Fatal(err)
			}
			columns := golden.Columns(data, generated.Keys()...)
			for _, column := range columns {
				column.Categories()
			}
			households := microdata.NewHouseholds(golden.Columns(data, "hid")[0])
			measure(b, &file{columns, weights, households, risk.OptionsOf(&scenario)})
		})
	}
}

func (f *file) assess(b *testing.B, table *keys.Table, err error) {
	if err == nil {
		_, err = risk.Assess(context.Background(), table, f.households, f.options)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkAssess measures a full assessment from the columns.
func BenchmarkAssess(b *testing.B) {
	eachSize(b, func(b *testing.B, f *file) {
		for b.Loop() {
			table, err := keys.New(context.Background(), f.columns, f.weights)
			f.assess(b, table, err)
		}
	})
}

// BenchmarkLiveUpdate measures all figures of a what-if in which age is regrouped into bands of varying width.
func BenchmarkLiveUpdate(b *testing.B) {
	const age = 3
	eachSize(b, func(b *testing.B, f *file) {
		table, err := keys.New(context.Background(), f.columns, f.weights)
		if err != nil {
			b.Fatal(err)
		}
		mapping := make([]uint32, table.Levels(age)+1)
		for round := 0; b.Loop(); round++ {
			width := 2 + round%9
			for code := 1; code < len(mapping); code++ {
				mapping[code] = uint32(1 + (code-1)/width)
			}
			regrouped, err := table.Regroup(context.Background(), age, int(mapping[len(mapping)-1]), mapping)
			f.assess(b, regrouped, err)
		}
	})
}
