package session

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/survey"
)

// What a search shows is what its step gives, made anew without any memory.
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
	must(t, search.Continue(ctx, 30*time.Millisecond))
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

func TestSearchIsCancelled(t *testing.T) {
	s := volatile(t, smallText, smallScenario())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	scenario := s.Scenario()
	if _, err := NewAnalyst().Search(ctx, s.Data(), &scenario, step("suppress-kanonymity", `{"k":2,"algorithm":"thorough"}`)); err == nil {
		t.Error("a search begins that was cancelled")
	}
}
