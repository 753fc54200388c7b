package suppress

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/survey"
)

// syntheticSurvey returns the seven key variables of a synthetic survey, ages
// in years, with their dictionaries made.
func syntheticSurvey(b *testing.B, persons int) method.Input {
	b.Helper()
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	reader, writer := io.Pipe()
	go func() { writer.CloseWithError(survey.WriteCSV(writer, persons, 7)) }()
	columns := make([]*microdata.Column, len(scenario.Keys))
	for v, cells := range readColumns(b, reader, scenario.Keys) {
		columns[v] = golden.Column(b, scenario.Keys[v], cells)
		columns[v].Categories()
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		b.Fatal(err)
	}
	return method.Input{Data: data, Scenario: &scenario}
}

// readColumns reads the named columns; equal cells share their text.
func readColumns(b *testing.B, from io.Reader, names []string) [][]string {
	b.Helper()
	records := csv.NewReader(from)
	records.ReuseRecord = true
	header, err := records.Read()
	if err != nil {
		b.Fatal(err)
	}
	places := make([]int, len(names))
	for v, name := range names {
		places[v] = slices.Index(header, name)
	}
	columns, texts := make([][]string, len(names)), map[string]string{}
	for {
		record, err := records.Read()
		if errors.Is(err, io.EOF) {
			return columns
		}
		if err != nil {
			b.Fatal(err)
		}
		for v, place := range places {
			text, known := texts[record[place]]
			if !known {
				text = string([]byte(record[place]))
				texts[text] = text
			}
			columns[v] = append(columns[v], text)
		}
	}
}

func BenchmarkKAnonymity(b *testing.B) {
	for _, persons := range []int{5000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", persons), func(b *testing.B) {
			in := syntheticSurvey(b, persons)
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

func BenchmarkSDCMicroOrder(b *testing.B) {
	for _, persons := range []int{5000, 100_000} {
		b.Run(fmt.Sprintf("rows=%d", persons), func(b *testing.B) {
			in := syntheticSurvey(b, persons)
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
			in := syntheticSurvey(b, persons)
			table := inputTable(b, in)
			for b.Loop() {
				if _, err := Need(b.Context(), table, in.Scenario.Keys, NeedOptions{K: 3, Alpha: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSubsets(b *testing.B) {
	for _, persons := range []int{5000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", persons), func(b *testing.B) {
			in := syntheticSurvey(b, persons)
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

// Strata of key variables, about fifty, beside the same file without.
func BenchmarkStrata(b *testing.B) {
	for _, persons := range []int{100_000, 1_000_000} { // of fewer, some strata are smaller than k
		for _, strata := range [][]string{{}, {"region", "marital"}} {
			b.Run(fmt.Sprintf("rows=%d/strata=%d", persons, len(strata)), func(b *testing.B) {
				in := syntheticSurvey(b, persons)
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
	in := syntheticSurvey(b, 1_000_000)
	t := inputTable(b, in)
	for b.Loop() {
		if _, err := stratify(b.Context(), in, t, []string{"region", "marital"}); err != nil {
			b.Fatal(err)
		}
	}
}
