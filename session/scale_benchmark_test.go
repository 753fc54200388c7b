package session

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/survey"
)

// BenchmarkGroups measures how the work grows with the number of groups and of the records they represent: the
// first figures, those after a recode that is being edited, and how many cells k = 3 needs; with the memory in use
// at that time.
func BenchmarkGroups(b *testing.B) {
	names := strings.Fields("region urbrur age sex marital educ ethnic health occup")
	for _, c := range []struct {
		records   int
		variables int // key variables
	}{{1_000_000, 7}, {10_000_000_000, 7}, {4_000_000, 9}, {40_000_000, 9}} {
		data, err := survey.DrawGroups(c.records, names[:c.variables], 1)
		if err != nil {
			b.Fatal(err)
		}
		scenario := microdata.NewScenario()
		scenario.Keys, scenario.Weight = names[:c.variables], "weight"
		name := fmt.Sprintf("records=%d/keys=%d/groups=%d", c.records, c.variables, data.Len())
		b.Run(name+"/figures", func(b *testing.B) {
			for b.Loop() {
				if _, err := NewAnalyst().Assess(b.Context(), data, &scenario); err != nil {
					b.Fatal(err)
				}
			}
			reportHeap(b)
		})
		analyst := NewAnalyst()
		b.Run(name+"/whatif", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				if _, err := analyst.WhatIf(b.Context(), data, &scenario, agesUpTo(i), nil); err != nil {
					b.Fatal(err)
				}
			}
			reportHeap(b)
		})
		b.Run(name+"/suppress", func(b *testing.B) {
			for b.Loop() {
				s, err := New(Opening{Name: "groups", Data: data, Volatile: true})
				if err == nil {
					err = s.SetScenario(scenario)
				}
				if err != nil {
					b.Fatal(err)
				}
				if _, err := s.Prepare(step("suppress-kanonymity", `{"k":3}`)).Run(b.Context(), NewAnalyst(), nil); err != nil {
					b.Fatal(err)
				}
			}
			reportHeap(b)
		})
	}
}

// reportHeap reports the memory in use after the last garbage collection, in MB.
func reportHeap(b *testing.B) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapInuse)/1e6, "MB-heap")
}
