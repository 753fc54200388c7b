package session

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/survey"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// eachSize runs a benchmark on synthetic surveys of several sizes.
func eachSize(b *testing.B, f func(b *testing.B, s *Session)) {
	for _, rows := range []int{5000, 100000, 1000000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			var text bytes.Buffer
			if err := survey.WriteCSV(&text, rows, 1); err != nil {
				b.Fatal(err)
			}
			data, report, err := fileio.ReadBytes(context.Background(), "survey.csv", text.Bytes(), fileio.NewFormat(), nil)
			if err != nil {
				b.Fatal(err)
			}
			text.Reset()
			s, err := New(Opening{Source: NewDemonstration("survey", report.Format), Data: data,
				Journal: filepath.Join(b.TempDir(), "journal")})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			scenario := microdata.NewScenario()
			scenario.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
			scenario.Weight, scenario.Household = "weight", "hid"
			if err := s.SetScenario(scenario); err != nil {
				b.Fatal(err)
			}
			f(b, s)
		})
	}
}

// agesUpTo returns a recode by intervals with one variable break.
func agesUpTo(moving int) StepSpec {
	return step("recode-intervals", fmt.Sprintf(`{"variable":"age","breaks":[-1,4,14,%d,34,44,54,64,120]}`, 20+moving%10))
}

// BenchmarkWhatIf measures the figures after a recode that is being edited.
func BenchmarkWhatIf(b *testing.B) {
	eachSize(b, func(b *testing.B, s *Session) {
		analyst, scenario := NewAnalyst(), s.Scenario()
		if _, err := analyst.Assess(context.Background(), s.Data(), &scenario); err != nil {
			b.Fatal(err)
		}
		for i := 0; b.Loop(); i++ {
			if _, err := analyst.WhatIf(context.Background(), s.Data(), &scenario, agesUpTo(i), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkMaskingWhatIf measures the what-if of a step that masks three numeric variables: the first one, with
// only the figures on the screen cached, and the next ones, each with another value of a parameter.
func BenchmarkMaskingWhatIf(b *testing.B) {
	eachSize(b, func(b *testing.B, s *Session) {
		scenario := s.Scenario()
		whatIf := func(b *testing.B, a *Analyst, name, params string, i int) {
			b.Helper()
			params = fmt.Sprintf(`{"variables":["income","expend","savings"],"decimals":"source",`+params+`}`, 3+i%90)
			if _, err := a.WhatIf(b.Context(), s.Data(), &scenario, step(name, params), nil); err != nil {
				b.Fatal(err)
			}
		}
		for _, m := range []struct{ name, step, params string }{
			{"mdav", "microaggregate", `"size":%d`}, {"onedims", "microaggregate", `"method":"onedims","size":%d`},
			{"additive", "noise", `"percent":%d`}, {"correlated2", "noise", `"method":"correlated2","delta":0.1%d`},
			{"romm", "noise", `"method":"romm","p":0.1%d`}, {"rankswap", "rankswap", `"p":0.0%02d`},
			{"normal", "generate", `"method":"normal","seed":%d`},
		} {
			b.Run(m.name+"/first", func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					b.StopTimer()
					a := NewAnalyst()
					if _, err := a.Assess(b.Context(), s.Data(), &scenario); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
					whatIf(b, a, m.step, m.params, i)
				}
			})
			b.Run(m.name+"/next", func(b *testing.B) {
				a := NewAnalyst()
				whatIf(b, a, m.step, m.params, -1)
				for i := 0; b.Loop(); i++ {
					whatIf(b, a, m.step, m.params, i)
				}
			})
		}
	})
}

// BenchmarkStep measures a recode from pressing enter to the new figures, including journal and undo.
func BenchmarkStep(b *testing.B) {
	eachSize(b, func(b *testing.B, s *Session) {
		for i := 0; b.Loop(); i++ {
			result, err := s.Prepare(agesUpTo(i)).Run(context.Background(), NewAnalyst(), nil)
			if err == nil {
				err = s.Commit(result)
			}
			if err == nil {
				err = undo(s)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkOpen measures New: the hash of the base.
func BenchmarkOpen(b *testing.B) {
	eachSize(b, func(b *testing.B, s *Session) {
		columns := make([]*microdata.Column, len(s.Base().Columns()))
		for b.Loop() {
			for i, column := range s.Base().Columns() {
				columns[i] = column.WithDescription(nil) // without its cached hash
			}
			data, err := microdata.NewDataset(columns)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := New(Opening{Name: "survey", Data: data, Volatile: true}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
