package prepare_test

import (
	"fmt"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
)

// BenchmarkPreparation runs each step on nine variables, including household and weight.
func BenchmarkPreparation(b *testing.B) {
	for _, rows := range []int{5000, 100000, 1000000} {
		scenario := microdata.NewScenario()
		scenario.Household, scenario.Weight = "hid", "weight"
		in := method.Input{Scenario: &scenario, Seed: 1}
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			if rows > 100000 && testing.Short() {
				b.Skip("takes long")
			}
			in.Data = generated.Survey(b, rows, 7, append(generated.Keys(), "hid", "weight")...)
			for _, column := range in.Data.Columns() {
				column.Categories() // computed on first use
			}
			for _, m := range []method.Method{
				&prepare.Convert{Variable: "age", To: prepare.ToCategory, Invalid: prepare.InvalidError,
					Decimal: prepare.DecimalPoint},
				&prepare.SetMissing{Variable: "age", Levels: []string{"90"}},
				&prepare.MakeStratum{Variables: []string{"region", "sex"}, Separator: "/"},
				&prepare.Reset{Variable: "age"},
				&prepare.NewIdentifiers{Variables: []string{"hid"}},
				prepare.ShuffleRecordsSpec().New(),
				prepare.SubsetSpec().New(),
			} {
				b.Run(fmt.Sprintf("%T", m)[len("*prepare."):], func(b *testing.B) {
					for b.Loop() {
						if _, err := method.Apply(b.Context(), m, in, nil); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}
