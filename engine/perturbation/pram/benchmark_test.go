package pram_test

import (
	"fmt"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
)

func BenchmarkPRAM(b *testing.B) {
	for _, rows := range []int{5000, 100_000, 1_000_000} {
		for _, same := range [][]string{nil, {"region"}} {
			b.Run(fmt.Sprintf("rows=%d/household=%d", rows, len(same)), func(b *testing.B) {
				in := generated.SurveyInput(b, rows, same...)
				m := pram.New()
				m.Variables = []string{"region"}
				b.ResetTimer()
				for seed := range b.N {
					in.Seed = uint64(seed)
					if _, err := m.Apply(b.Context(), in, nil); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/record")
			})
		}
	}
}

// BenchmarkPRAMByStrata measures PRAM with strata, a condition and shared draws of households: the most expensive
// case.
func BenchmarkPRAMByStrata(b *testing.B) {
	data := generated.Survey(b, 1_000_000, 1, "region", "sex", "age", "hid")
	scenario := microdata.NewScenario()
	scenario.Household, scenario.SameForHousehold = "hid", []string{"region"}
	m := pram.New()
	m.Variables, m.Strata = []string{"region"}, []string{"sex"}
	if err := m.Condition.Set("age above 15"); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for seed := range b.N {
		if _, err := m.Apply(b.Context(), method.Input{Data: data, Scenario: &scenario, Seed: uint64(seed)},
			nil); err != nil {
			b.Fatal(err)
		}
	}
}
