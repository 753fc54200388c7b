package session

import (
	"errors"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
)

// numbersOf returns the numbers of figures, and their number of records.
func numbersOf(f *tradeoff.Figures) []float64 {
	return []float64{f.Interval(), f.Linkage(), f.Loss(), float64(f.Records), float64(f.Incomplete), float64(f.Sample)}
}

// The what-if of a masking step shows risk and information loss against the original data: before the step, which
// may be the second one, and after it. Trying the step on all records gives the same.
func TestWhatIfOfMasking(t *testing.T) {
	s := openSurvey(t, 10)
	scenario, a := s.Scenario(), NewAnalyst()
	spec := func(size int) StepSpec {
		return step("microaggregate", `{"variables":["income","savings"],"size":`+strconv.Itoa(size)+`}`)
	}
	do(t, s, spec(3))
	answer, err := a.WhatIf(t.Context(), s.Data(), &scenario, spec(10), nil)
	must(t, err)
	names := []string{"income", "savings"}
	now, err := tradeoff.Of(t.Context(), s.Data().Source(), s.Data(), names, false, nil)
	must(t, err)
	then, err := tradeoff.Of(t.Context(), s.Data().Source(), answer.Data, names, false, nil)
	must(t, err)
	tried, err := a.TradeOff(t.Context(), s.Data(), &scenario, spec(10), nil)
	must(t, err)
	if diff := cmp.Diff(numbersOf(now), numbersOf(answer.Masking.Now)); diff != "" {
		t.Errorf("before:\n%s", diff)
	}
	for _, other := range []*tradeoff.Figures{answer.Masking.Then, tried} {
		if diff := cmp.Diff(numbersOf(then), numbersOf(other)); diff != "" {
			t.Errorf("after:\n%s", diff)
		}
	}
	if !(now.Loss() > 0) || !(then.Loss() > now.Loss()) || !(then.Linkage() < now.Linkage()) {
		t.Errorf("before %v, after %v", numbersOf(now), numbersOf(then))
	}
	for _, other := range []StepSpec{ages, step("pram", `{"variables":["sex"]}`)} {
		if answer, err := a.WhatIf(t.Context(), s.Data(), &scenario, other, nil); err != nil || answer.Masking != nil {
			t.Errorf("%s: %+v, %v", other.Step, answer, err)
		}
		if _, err := a.TradeOff(t.Context(), s.Data(), &scenario, other, nil); !errors.Is(err, method.ErrInput) {
			t.Errorf("%s: %v", other.Step, err)
		}
	}
}

// A recode that results in numbers is evaluated by their risk and information loss, unless the variable is a key
// variable; the figures are those of the data after the step.
func TestWhatIfOfRecodedNumbers(t *testing.T) {
	s := openSurvey(t, 10)
	scenario, a := s.Scenario(), NewAnalyst()
	for _, c := range []struct {
		spec   StepSpec
		masked bool
	}{
		{step("recode-topbottom", `{"variable":"income","top":20000}`), true},
		{step("recode-round", `{"variable":"income","base":100}`), true},
		{step("recode-intervals", `{"variable":"income","breaks":[0,1000,20000,1000000]}`), false},
		{step("recode-topbottom", `{"variable":"age","top":70}`), false},
	} {
		answer, err := a.WhatIf(t.Context(), s.Data(), &scenario, c.spec, nil)
		must(t, err)
		if masked := answer.Masking != nil; masked != c.masked {
			t.Errorf("%s %s: %v", c.spec.Step, c.spec.Params, masked)
			continue
		}
		if !c.masked {
			continue
		}
		after := openSurvey(t, 10)
		do(t, after, c.spec)
		then, err := tradeoff.Of(t.Context(), after.Data().Source(), after.Data(), []string{"income"}, false, nil)
		must(t, err)
		if diff := cmp.Diff(numbersOf(then), numbersOf(answer.Masking.Then)); diff != "" || answer.Masking.Keys {
			t.Errorf("%s: keys %v\n%s", c.spec.Step, answer.Masking.Keys, diff)
		}
	}
}

// For a large file both sides of the what-if use the same sample, whether the method tries the step on a sample or
// runs it.
func TestWhatIfOfMaskingOnASample(t *testing.T) {
	values := make([]float64, method.SampleAbove+1)
	for i := range values {
		values[i] = float64(i * 7919 % 100_003)
	}
	column := microdata.NewNumeric("a", microdata.Whole, &microdata.Numbers{Values: values})
	original, err := microdata.NewDataset([]*microdata.Column{column})
	must(t, err)
	scenario := microdata.NewScenario()
	for _, spec := range []StepSpec{step("noise", `{"variables":["a"],"percent":5}`),
		step("microaggregate", `{"variables":["a"]}`)} {
		answer, err := NewAnalyst().WhatIf(t.Context(), original, &scenario, spec, nil)
		must(t, err)
		m := answer.Masking
		if m.Now.Sample != method.SampleSize || m.Then.Sample != method.SampleSize || m.Now.Records != m.Then.Records ||
			m.Now.Linkage() != 1 {
			t.Errorf("%s: before %v, after %v", spec.Step, numbersOf(m.Now), numbersOf(m.Then))
		}
		whole, err := NewAnalyst().TradeOff(t.Context(), original, &scenario, spec, nil)
		must(t, err)
		if whole.Sample != 0 || whole.Records != original.Len() ||
			spec.Step == "noise" && !(m.Then.Linkage() > whole.Linkage()) {
			t.Errorf("%s: on all records %v, on the sample %v", spec.Step, numbersOf(whole), numbersOf(m.Then))
		}
	}
}
