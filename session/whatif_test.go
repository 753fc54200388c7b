package session

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// figuresIn returns all figures of an assessment, including record-level ones.
func figuresIn(a *risk.Assessment) map[string]any {
	figures := map[string]any{"violators": a.Violators, "expected": a.Expected, "global": a.Global}
	if a.Households != nil {
		figures["households"] = []float64{a.Households.Expected, a.Households.Global, a.Households.Highest}
	}
	threshold, needed := a.Threshold(0.01)
	figures["threshold"] = []any{threshold, needed}
	var records [][4]float64
	for record := range a.Records {
		sample, population := a.Frequency(record)
		records = append(records, [4]float64{sample, population, a.Risk(record), a.HouseholdRiskOf(record)})
	}
	figures["records"] = records
	return figures
}

func TestWhatIfIsWhatTheStepGives(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		scenario := smallScenario()
		scenario.Rule = rapid.SampledFrom(microdata.Rules()).Draw(t, "rule")
		scenario.Alpha = rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "alpha")
		if rapid.Bool().Draw(t, "no weight") {
			scenario.Weight = ""
		}
		if rapid.Bool().Draw(t, "no age") {
			scenario.Keys = []string{"sex", "region"}
		}
		s := volatile(t, drawText(t), scenario)
		analyst := NewAnalyst()
		for range 5 {
			spec := drawStep(t)
			whatIf, whatIfErr := analyst.WhatIf(ctx, s.Data(), &scenario, spec, nil)
			result, err := s.Prepare(spec).Run(ctx, NewAnalyst(), nil)
			if (err == nil) != (whatIfErr == nil) {
				t.Fatalf("step: %v, what-if: %v", err, whatIfErr)
			}
			if err != nil {
				continue
			}
			if diff := cmp.Diff(result.Report, whatIf.Report); diff != "" {
				t.Fatalf("report (-step +what-if):\n%s", diff)
			}
			if diff := cmp.Diff(figuresIn(assessed(t, NewAnalyst(), result.Data, &scenario)),
				figuresIn(whatIf.Assessment)); diff != "" {
				t.Fatalf("%s: figures (-step +what-if):\n%s", spec.Params, diff)
			}
			// An analyst with a cache, also of undone steps, gives the same.
			remembered, err := s.Prepare(spec).Run(ctx, analyst, nil)
			if err != nil || remembered.Data.Hash() != result.Data.Hash() || remembered.Data.Lineage() != result.Data.Lineage() {
				t.Fatalf("%s %s: an analyst that remembers gives other data, error %v", spec.Step, spec.Params, err)
			}
			must(t, s.Commit(result))
			if rapid.IntRange(0, 2).Draw(t, "undo") == 0 {
				must(t, undo(s))
			}
		}
	})
}

// A recode that is tried uses no memory per record, and is the same as the applied step.
func TestWhatIfOfARecodeSharesTheCodes(t *testing.T) {
	s := volatile(t, smallText, smallScenario())
	scenario := s.Scenario()
	for name, spec := range map[string]StepSpec{"age": ages, "region": regions} {
		analyst := NewAnalyst()
		whatIf, err := analyst.WhatIf(t.Context(), s.Data(), &scenario, spec, nil)
		must(t, err)
		if column, _ := whatIf.Data.Column(name); !column.Categories().Codes.Shared() {
			t.Errorf("%s %s: codes of its own", spec.Step, spec.Params)
		}
		if result, err := s.Prepare(spec).Run(t.Context(), analyst, nil); err != nil || result.Data != whatIf.Data {
			t.Errorf("%s %s: computed again, %v", spec.Step, spec.Params, err)
		}
	}
}

func TestATriedStepIsNotComputedTwice(t *testing.T) {
	ctx := context.Background()
	s := volatile(t, smallText, smallScenario())
	scenario := s.Scenario()
	analyst := NewAnalyst()
	whatIf, err := analyst.WhatIf(ctx, s.Data(), &scenario, two, nil)
	must(t, err)
	result, err := s.Prepare(two).Run(ctx, analyst, nil)
	must(t, err)
	if whatIf.Data != result.Data || whatIf.Assessment != assessed(t, analyst, result.Data, s.scenario) {
		t.Error("the step was computed again")
	}
}

func TestNeedIsWhatSuppressionTakes(t *testing.T) {
	ctx := context.Background()
	s := volatile(t, smallText, smallScenario())
	scenario := s.Scenario()
	analyst := NewAnalyst()
	whatIf, err := analyst.WhatIf(ctx, s.Data(), &scenario, ages, nil)
	must(t, err)
	need, err := analyst.Need(ctx, whatIf, 2, microdata.RuleConservative)
	must(t, err)
	do(t, s, ages)
	result := do(t, s, two)
	if diff := cmp.Diff(result.Report.Suppression, need); diff != "" {
		t.Errorf("need (-suppression +need):\n%s", diff)
	}
	if _, err := analyst.Need(ctx, whatIf, 13, ""); !errors.Is(err, method.ErrUnreachable) {
		t.Errorf("k above the number of records: %v", err)
	}
	now, err := analyst.AfterAll(ctx, s.Data(), &scenario, nil, nil)
	must(t, err)
	if need, err := analyst.Need(ctx, now, 2, ""); err != nil || need.Total != 0 {
		t.Errorf("after the suppression %+v, %v", need, err)
	}
}

// With strata, the cells needed after a recode without data are those that the step suppresses after it.
func TestNeedInStrataIsWhatSuppressionTakes(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		scenario := smallScenario()
		scenario.Strata = rapid.SampledFrom([][]string{{"sex"}, {"region"}, {"region", "sex"}}).Draw(t, "strata")
		if rapid.Bool().Draw(t, "no key") {
			scenario.Keys = []string{"age", "sex"}
		}
		if rapid.Bool().Draw(t, "whole households") {
			scenario.SameForHousehold = []string{"region", "sex"}
		}
		s := volatile(t, drawText(t), scenario)
		for range 2 {
			spec := drawStep(t)
			analyst := NewAnalyst()
			whatIf, err := analyst.WhatIf(ctx, s.Data(), &scenario, spec, nil)
			if err != nil {
				continue
			}
			need, failed := analyst.Need(ctx, whatIf, 2, microdata.RuleConservative)
			do(t, s, spec)
			result, err := s.Prepare(two).Run(ctx, nil, nil)
			if (err == nil) != (failed == nil) {
				t.Fatalf("step: %v, need: %v", err, failed)
			}
			if err != nil {
				continue
			}
			if diff := cmp.Diff(result.Report.Suppression, need); diff != "" {
				t.Fatalf("need (-suppression +need):\n%s", diff)
			}
		}
	})
}

func TestNoKeyVariablesNoFigures(t *testing.T) {
	ctx := context.Background()
	s := volatile(t, smallText, microdata.NewScenario())
	scenario := s.Scenario()
	analyst := NewAnalyst()
	whatIf, err := analyst.WhatIf(ctx, s.Data(), &scenario, ages, nil)
	must(t, err)
	if whatIf.Assessment != nil || whatIf.Report.Changed == 0 {
		t.Errorf("what-if %+v", whatIf)
	}
	if _, err := analyst.Need(ctx, whatIf, 3, ""); !errors.Is(err, method.ErrInput) {
		t.Errorf("need: %v", err)
	}
	do(t, s, ages)
	if s.Steps()[0].Violators != nil {
		t.Error("figures without key variables")
	}
	if _, err := s.Prepare(two).Run(ctx, analyst, nil); err == nil {
		t.Error("suppression without key variables")
	}
}

func TestAnalystKnowsFiguresAfterUndo(t *testing.T) {
	ctx := context.Background()
	s := volatile(t, smallText, smallScenario())
	scenario := s.Scenario()
	analyst := NewAnalyst()
	first, err := analyst.Assess(ctx, s.Data(), &scenario)
	must(t, err)
	do(t, s, ages)
	second, err := analyst.Assess(ctx, s.Data(), &scenario)
	must(t, err)
	if first == second {
		t.Fatal("figures of other data")
	}
	must(t, undo(s))
	if again, err := analyst.Assess(ctx, s.Data(), &scenario); err != nil || again != first {
		t.Errorf("computed again: %v", err)
	}
	scenario.Alpha = 0
	if other, err := analyst.Assess(ctx, s.Data(), &scenario); err != nil || other == first {
		t.Errorf("figures of another alpha: %v", err)
	}
}

// The preview of a method on a sample is compared with the same sample before, and is not used as the step.
func TestPreviewOnASample(t *testing.T) {
	s := volatile(t, smallText, smallScenario())
	ctx, analyst := context.Background(), NewAnalyst()
	in := method.Input{Data: s.Data(), Scenario: s.scenario}
	c, err := ages.in(nil)
	must(t, err)
	of := in.Data.Select([]uint32{0, 1, 2, 3, 4, 5})
	output, err := method.Apply(ctx, c.method, method.Input{Data: of, Scenario: in.Scenario}, nil)
	must(t, err)
	answer, err := analyst.ofSample(ctx, in, method.Preview{Of: of, Output: output})
	must(t, err)
	if answer == nil || answer.Sample != 6 || answer.Data.Len() != 6 || answer.Table != nil {
		t.Fatalf("%+v", answer)
	}
	if before, after := answer.Before.Value("kanonymity", "violators", 2), answer.Figures.Value("kanonymity", "violators",
		2); before.Of != 6 || after.Of != 6 || after.Number > before.Number {
		t.Errorf("%v before, %v after", before, after)
	}
	if answer, err = analyst.previewed(ctx, in, c, nil); answer != nil || err != nil {
		t.Errorf("without a preview: %v, %v", answer, err)
	}
	if len(analyst.memo.entries) == 0 {
		t.Fatal("nothing was remembered")
	}
	for key, entry := range analyst.memo.entries {
		if _, isStep := entry.value.(*outcome); isStep {
			t.Errorf("a preview was kept as the step: %q", key)
		}
	}
}
