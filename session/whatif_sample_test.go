package session_test

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/rankswap"
	"github.com/sdcdesk/sdcdesk/session"
)

// The what-if of a method that costs more than a moment looks at a sample of a large
// file, says so, and has the records of the sample before and after.
func TestWhatIfOfASample(t *testing.T) {
	values := make([]float64, method.SampleAbove+1)
	for i := range values {
		values[i] = float64(i * 7919 % 100_003)
	}
	column, err := microdata.NewNumeric("x", microdata.Whole, &microdata.Numbers{Values: values})
	if err != nil {
		t.Fatal(err)
	}
	data, err := microdata.NewDataset([]*microdata.Column{column})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	m := rankswap.New()
	m.Variables = []string{"x"}
	spec, err := session.NewSpec(rankswap.StepName, m, 3)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := session.NewAnalyst().With(catalog.Measures()).WhatIf(t.Context(), data, &scenario, spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Sample != method.SampleSize || answer.Of == nil || answer.Of.Len() != method.SampleSize ||
		answer.Data.Len() != method.SampleSize {
		t.Fatalf("a sample of %d records: %v", answer.Sample, answer.Of)
	}
	if !strings.Contains(strings.Join(answer.Report.Warnings, ";"), "sample of 20,000 records") {
		t.Errorf("warnings %q", answer.Report.Warnings)
	}
	before, _ := answer.Of.Column("x")
	after, _ := answer.Data.Column("x")
	if before.Float(0) != values[0] || before.Len() != after.Len() || !answer.Of.SameRecords(answer.Data) {
		t.Error("the records before are others than those after")
	}
	small, err := session.NewAnalyst().With(catalog.Measures()).WhatIf(t.Context(), data.Select([]uint32{1, 2, 3}),
		&scenario, spec, nil)
	if err != nil || small.Of != nil || small.Sample != 0 {
		t.Errorf("of three records: %v, %v", small, err)
	}
}
