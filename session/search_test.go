package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/survey"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// The figures of a search are those of its step, computed without a cache.
func TestSearchIsWhatItsStepGives(t *testing.T) {
	var text bytes.Buffer
	if err := survey.WriteCSV(&text, 1500, 3); err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "sex", "age", "marital", "educ"}
	s := volatile(t, text.String(), scenario)
	spec := step("suppress-kanonymity", `{"k":3,"algorithm":"thorough"}`)
	ctx := context.Background()
	search, err := NewAnalyst().Search(ctx, s.Data(), &scenario, spec)
	must(t, err)
	first, err := search.Account(ctx)
	must(t, err)
	must(t, search.ContinueFor(ctx, 30*time.Millisecond))
	whatIf, err := search.WhatIf(ctx)
	must(t, err)
	found, err := search.Step()
	must(t, err)
	result, err := s.Prepare(found).Run(ctx, nil, nil)
	must(t, err)
	if diff := cmp.Diff(result.Report, whatIf.Report); diff != "" {
		t.Errorf("report (-step +search):\n%s", diff)
	}
	if result.Data.Hash() != whatIf.Data.Hash() {
		t.Error("the step gives other data than the search")
	}
	if result.Report.Price > first.Price {
		t.Errorf("the search began with price %d and ended with %d", first.Price, result.Report.Price)
	}
}

// A refined microaggregation continued in pieces, and its step replayed from the journal, give identical data; the
// loss never increases.
func TestSearchOfMicroaggregation(t *testing.T) {
	var text bytes.Buffer
	must(t, survey.WriteCSV(&text, 600, 3))
	scenario := microdata.NewScenario()
	s := volatile(t, text.String(), scenario)
	spec := step("microaggregate", `{"variables":["income","expend","savings"],"method":"refined"}`)
	ctx := context.Background()
	search, err := NewAnalyst().Search(ctx, s.Data(), &scenario, spec)
	must(t, err)
	first, err := search.Account(ctx)
	must(t, err)
	must(t, search.ContinueFor(ctx, 10*time.Millisecond))
	must(t, search.Continue(ctx, 7))
	then, err := search.Account(ctx)
	must(t, err)
	must(t, search.ContinueFor(ctx, 10*time.Millisecond))
	whatIf, err := search.WhatIf(ctx)
	must(t, err)
	last := whatIf.Report.Groups.SSEPercent
	if search.Done() || then.Groups.SSEPercent > first.Groups.SSEPercent || last > then.Groups.SSEPercent ||
		last >= first.Groups.SSEPercent {
		t.Errorf("done %t, loss %v, then %v, then %v", search.Done(), first.Groups.SSEPercent, then.Groups.SSEPercent, last)
	}
	found, err := search.Step()
	must(t, err)
	if made := fmt.Sprintf(`"iterations":%d`, search.Iterations()); search.Iterations() < 7 ||
		!strings.Contains(string(found.Params), made) {
		t.Errorf("params %s, made %s", found.Params, made)
	}
	result, err := s.Prepare(found).Run(ctx, nil, nil)
	must(t, err)
	if diff := cmp.Diff(result.Report, whatIf.Report); diff != "" {
		t.Errorf("report (-step +search):\n%s", diff)
	}
	if result.Data.Hash() != whatIf.Data.Hash() {
		t.Error("the step gives other data than the search")
	}
	if _, err := NewAnalyst().Search(ctx, s.Data(), &scenario, step("microaggregate",
		`{"variables":["income"]}`)); !errors.Is(err, method.ErrParam) {
		t.Errorf("mdav searches: %v", err)
	}
}

// If all records are one group, no improvement is possible.
func TestSearchOfOneGroupIsDone(t *testing.T) {
	s := volatile(t, "x,y\n1,5\n2,7\n3,1\n4,4\n5,9\n", microdata.NewScenario())
	scenario := s.Scenario()
	for params, done := range map[string]bool{
		`{"variables":["x","y"],"method":"refined"}`:          true,
		`{"variables":["x","y"],"method":"refined","size":2}`: false,
	} {
		search, err := NewAnalyst().Search(t.Context(), s.Data(), &scenario, step("microaggregate", params))
		must(t, err)
		must(t, search.ContinueFor(t.Context(), time.Millisecond))
		if search.Done() != done || done != (search.Iterations() == 0) {
			t.Errorf("%s: done %t after %d iterations", params, search.Done(), search.Iterations())
		}
	}
}

func TestSearchIsCancelled(t *testing.T) {
	s := volatile(t, smallText, smallScenario())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	scenario := s.Scenario()
	if _, err := NewAnalyst().Search(ctx, s.Data(), &scenario, step("suppress-kanonymity",
		`{"k":2,"algorithm":"thorough"}`)); err == nil {
		t.Error("a search begins that was cancelled")
	}
}
