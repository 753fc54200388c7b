package microaggregation_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// With its default number of iterations the refined method comes within 1.5 % of what 100 s of iterated local
// search reach on the files of the literature.
func TestRefinedLosses(t *testing.T) {
	longtests.Needed(t)
	for _, test := range []struct {
		file    string
		without []string // variables to leave out
		goals   map[int]float64
	}{
		{"Tarragona", nil, map[int]float64{3: 14.48, 4: 17.09, 5: 20.15, 10: 30.12}},
		{"CASCrefmicrodata", nil, map[int]float64{3: 4.70, 4: 6.07, 5: 7.27, 10: 11.35}},
		{"EIA", []string{"UTILNAME", "STATE", "YEAR", "MONTH"}, map[int]float64{3: 0.349, 4: 0.483, 5: 0.734, 10: 1.939}},
		{"EIA", []string{"UTILNAME", "STATE", "YEAR", "MONTH", "UTILITYID"}, map[int]float64{3: 0.361, 5: 0.750, 10: 1.846}},
	} {
		data := golden.Data(t, test.file)
		m := microaggregation.New()
		m.Decimals = numeric.Computed
		m.Method = microaggregation.Refined
		for _, column := range data.Columns() {
			if !slices.Contains(test.without, column.Name()) {
				m.Variables = append(m.Variables, column.Name())
			}
		}
		for size, goal := range test.goals {
			m.Size = size
			loss := apply(t, m, data).Report.Groups.SSEPercent
			t.Logf("%s of %d variables, size %d: %.4f, goal %v", test.file, len(m.Variables), size, loss, goal)
			if most := 14.50; test.file == "Tarragona" && size == 3 && loss > most {
				t.Errorf("Tarragona, size 3: loss %.4f, at most %v", loss, most)
			}
			if loss > 1.015*goal {
				t.Errorf("%s of %d variables, size %d: loss %.4f, want %v and 1.5 %%", test.file, len(m.Variables), size, loss,
					goal)
			}
		}
	}
}

// The refined method is never worse than MDAV, from which it starts.
func TestRefinedIsNoWorseThanMDAV(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := microaggregation.New()
		m.Decimals = numeric.Computed
		m.Variables, m.Iterations = []string{"x", "y", "z"}, rapid.IntRange(0, 60).Draw(t, "iterations")
		m.Size = rapid.IntRange(2, 5).Draw(t, "size")
		scenario := microdata.NewScenario()
		in := method.Input{Data: dataset(randomColumns(t, rapid.IntRange(5, 60).Draw(t, "records"))...), Scenario: &scenario}
		start, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		m.Method = microaggregation.Refined
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if loss, was := out.Report.Groups.SSEPercent, start.Report.Groups.SSEPercent; loss > was+1e-9 {
			t.Fatalf("loss %v, MDAV %v", loss, was)
		}
	})
}

// A continued search reaches the same result as the same number of iterations at once, in strata as well, and the
// result does not get worse by continuing.
func TestRefinedGoesOn(outer *testing.T) {
	rapid.Check(outer, func(t *rapid.T) {
		m := microaggregation.New()
		m.Decimals = numeric.Computed
		m.Variables, m.Method, m.Size = []string{"x", "y", "z"}, microaggregation.Refined, rapid.IntRange(2, 4).Draw(t,
			"size")
		n := rapid.IntRange(20, 60).Draw(t, "records")
		data := dataset(randomColumns(t, n)...)
		stratum := make([]string, n)
		for i := range stratum {
			stratum[i] = string(rune('a' + i%2))
		}
		data, err := data.Append(golden.Column(outer, "s", stratum))
		if err != nil {
			t.Fatal(err)
		}
		if m.Strata = []string{"s"}; rapid.Bool().Draw(t, "whole") {
			m.Strata = nil
		}
		scenario := microdata.NewScenario()
		in := method.Input{Data: data, Scenario: &scenario}
		search, err := m.Search(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		loss := math.Inf(1)
		for _, more := range rapid.SliceOfN(rapid.IntRange(0, 20), 1, 4).Draw(t, "more") {
			if err := search.Continue(cancelled, more); err == nil {
				t.Fatal("no error of the context")
			}
			out, err := search.Output(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			m.Iterations = search.Iterations()
			whole, err := m.Apply(t.Context(), in, nil)
			if err != nil {
				t.Fatal(err)
			}
			if whole.Data.Hash() != out.Data.Hash() || whole.Report.Title != out.Report.Title {
				t.Fatalf("after %d iterations another result than by as many at once", m.Iterations)
			}
			if now := out.Report.Groups.SSEPercent; now > loss+1e-9 && m.Strata == nil {
				t.Fatalf("loss %v, before %v", now, loss)
			} else {
				loss = now
			}
		}
	})
}
