package suppress

import (
	"fmt"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
)

func BenchmarkKAnonymity(b *testing.B) {
	for _, persons := range []int{5000, 100_000, 1_000_000} {
		for _, same := range [][]string{nil, {"region", "urbrur"}} {
			b.Run(fmt.Sprintf("rows=%d/household=%d", persons, len(same)), func(b *testing.B) {
				in := generated.SurveyInput(b, persons, same...)
				for b.Loop() {
					out, err := NewKAnonymity().Apply(b.Context(), in, nil)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(out.Report.Total), "cells")
					b.ReportMetric(float64(out.Report.Price)/float64(*out.Report.Bound), "price/bound")
				}
			})
		}
	}
}

func BenchmarkBudget(b *testing.B) {
	for _, persons := range []int{5000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", persons), func(b *testing.B) {
			in, cells := generated.SurveyInput(b, persons), 1000.0
			m := NewKAnonymity()
			m.Budget = &cells
			for b.Loop() {
				if _, err := m.Apply(b.Context(), in, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSDCMicroOrder(b *testing.B) {
	for _, persons := range []int{5000, 100_000} {
		b.Run(fmt.Sprintf("rows=%d", persons), func(b *testing.B) {
			in := generated.SurveyInput(b, persons)
			m := &KAnonymity{K: 3, Algorithm: SDCMicro, Rule: string(microdata.RuleDefault)}
			for b.Loop() {
				if _, err := m.Apply(b.Context(), in, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNeed(b *testing.B) {
	for _, persons := range []int{5000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", persons), func(b *testing.B) {
			in := generated.SurveyInput(b, persons)
			table := inputTable(b, in)
			for b.Loop() {
				if _, err := NewKAnonymity().Need(b.Context(), table, in.Scenario, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSubsets(b *testing.B) {
	for _, persons := range []int{5000, 100_000, 1_000_000} {
		for _, same := range [][]string{nil, {"region", "urbrur"}} {
			b.Run(fmt.Sprintf("rows=%d/household=%d", persons, len(same)), func(b *testing.B) {
				in := generated.SurveyInput(b, persons, same...)
				m := NewKAnonymity()
				m.Subsets = Subsets{{3, 3}, {2, 5}}
				for b.Loop() {
					out, err := m.Apply(b.Context(), in, nil)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(out.Report.Total), "cells")
					b.ReportMetric(float64(out.Report.Price)/float64(*out.Report.Bound), "price/bound")
				}
			})
		}
	}
}

// BenchmarkStrata compares about fifty strata with the same file without strata.
func BenchmarkStrata(b *testing.B) {
	for _, persons := range []int{100_000, 1_000_000} { // with fewer persons, some strata are smaller than k
		for _, strata := range [][]string{{}, {"region", "marital"}} {
			b.Run(fmt.Sprintf("rows=%d/strata=%d", persons, len(strata)), func(b *testing.B) {
				in := generated.SurveyInput(b, persons)
				m := NewKAnonymity()
				m.K, m.Strata = 3, strata
				for b.Loop() {
					out, err := m.Apply(b.Context(), in, nil)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(out.Report.Total), "cells")
					b.ReportMetric(float64(max(1, len(out.Report.Strata))), "strata")
				}
			})
		}
	}
}

func BenchmarkStratify(b *testing.B) {
	in := generated.SurveyInput(b, 1_000_000)
	for b.Loop() {
		if _, err := fileOf(b.Context(), in, []string{"region", "marital"}); err != nil {
			b.Fatal(err)
		}
	}
}
