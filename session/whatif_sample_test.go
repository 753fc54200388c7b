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

// The what-if of a slow method uses a sample of a large file, says so, and has the records of the sample before
// and after.
func TestWhatIfOfASample(t *testing.T) {
	values := make([]float64, method.SampleAbove+1)
	for i := range values {
		values[i] = float64(i * 7919 % 100_003)
	}
	column := microdata.NewNumeric("x", microdata.Whole, &microdata.Numbers{Values: values})
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

// Every masking method is tried on the sample of a large file, even if it is fast, because risk and information
// loss take longer than the method.
func TestWhatIfOfMaskingTriesASample(t *testing.T) {
	numbers := func(name string, of func(i int) int) *microdata.Column {
		values := make([]float64, method.SampleAbove+1)
		for i := range values {
			values[i] = float64(of(i))
		}
		column := microdata.NewNumeric(name, microdata.Whole, &microdata.Numbers{Values: values})
		return column
	}
	data, err := microdata.NewDataset([]*microdata.Column{
		numbers("x", func(i int) int { return i * 7919 % 100_003 }), numbers("y", func(i int) int { return i * 31 % 977 })})
	if err != nil {
		t.Fatal(err)
	}
	scenario, tried := microdata.NewScenario(), map[string]bool{}
	for _, spec := range []session.StepSpec{
		{Step: "noise", Params: []byte(`{"variables":["x","y"]}`)},
		{Step: "noise", Params: []byte(`{"variables":["x","y"],"method":"romm"}`)},
		{Step: "microaggregate", Params: []byte(`{"variables":["x","y"],"method":"onedims"}`)},
		{Step: "microaggregate", Params: []byte(`{"variables":["x","y"],"method":"simple"}`)},
		{Step: "generate", Params: []byte(`{"variables":["x","y"],"method":"normal"}`)},
		{Step: "rankswap", Params: []byte(`{"variables":["x","y"]}`)},
		{Step: "shuffle", Params: []byte(`{"responses":["x"],"predictors":["y"]}`)},
		{Step: "topcode-multivariate", Params: []byte(`{"variables":["x","y"]}`)},
	} {
		tried[spec.Step] = true
		answer, err := session.NewAnalyst().WhatIf(t.Context(), data, &scenario, spec, nil)
		if err != nil {
			t.Errorf("%s %s: %v", spec.Step, spec.Params, err)
		} else if answer.Sample != method.SampleSize || answer.Masking == nil || answer.Masking.Then.Sample != method.SampleSize {
			t.Errorf("%s %s: tried on a sample of %d records", spec.Step, spec.Params, answer.Sample)
		}
	}
	for _, spec := range catalog.Methods() {
		if _, masks := method.Masked(spec.New()); masks && !tried[spec.Name] {
			t.Errorf("%s masks numbers and was not tried", spec.Name)
		}
	}
}
