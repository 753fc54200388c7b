package session

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
)

// The plans are the methods with a strength parameter at each of its values, without duplicates; the evaluation of
// a plan is that of its step.
func TestNumberPlans(t *testing.T) {
	s := openSurvey(t, 10)
	scenario, a, names := s.Scenario(), NewAnalyst(), []string{"income", "savings"}
	plans, err := NumberPlans(catalog.Methods(), method.Input{Data: s.Data(), Scenario: &scenario}, names, 7)
	must(t, err)
	count, titles := map[string]int{}, map[string]bool{}
	for _, plan := range plans {
		count[plan.Step.Step]++
		titles[plan.Title] = true
		worth, err := a.Worth(t.Context(), s.Data(), &scenario, names, plan.Step, nil)
		if err != nil || !worth.Known() || worth.Records == 0 {
			t.Errorf("%s: %+v, %v", plan.Title, worth, err)
		}
		if c, err := plan.Step.in(nil); plan.Step.Step != "" && (err != nil || c.entry.Random(c.method) != (plan.Step.Seed == 7)) {
			t.Errorf("%s has the seed %d: %v", plan.Title, plan.Step.Seed, err)
		}
	}
	for _, name := range []string{"microaggregate", "noise", "rankswap", "topcode-multivariate", "generate"} {
		if count[name] < 8 {
			t.Errorf("%d plans of %s", count[name], name)
		}
	}
	if len(titles) != len(plans) || count[""] != 1 {
		t.Errorf("%d titles of %d plans", len(titles), len(plans))
	}
	at := slices.IndexFunc(plans, func(p NumberPlan) bool { return p.Step.Step == "noise" })
	promised, err := a.Worth(t.Context(), s.Data(), &scenario, names, plans[at].Step, nil)
	must(t, err)
	do(t, s, plans[at].Step)
	got, err := tradeoff.Of(t.Context(), s.Data().Source(), s.Data(), names, false, nil)
	must(t, err)
	if diff := cmp.Diff(promised, got.Worth()); diff != "" {
		t.Errorf("promised and made:\n%s", diff)
	}
}

// Evaluations are stored in the journal by the data they belong to, and are not steps.
func TestTriedStepsAreKept(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	first := TriedStep{step("noise", `{"percent":5}`), tradeoff.RiskLoss{Linkage: 0.5, Interval: 0.25, Loss: 0.1, Records: 9}}
	first.Step.Seed = 11
	must(t, s.KeepTried(s.Data(), first))
	must(t, s.KeepTried(s.Data(), TriedStep{step("noise", `{}`), tradeoff.Unknown()}))
	must(t, s.KeepTried(s.Data(), TriedStep{StepSpec{}, first.Worth})) // the current data, for whatever variables
	other := openSurvey(t, 10).Data()
	if len(s.TriedOn(other)) != 0 {
		t.Errorf("on other data: %+v", s.TriedOn(other))
	}
	steps := len(s.Steps())
	must(t, s.Close())
	again, err := resumed(t, s.identity.Path, s.JournalPath())
	must(t, err)
	defer again.Close()
	if diff := cmp.Diff([]TriedStep{first}, again.TriedOn(again.Data())); diff != "" || len(again.Steps()) != steps {
		t.Errorf("%d steps after %d: %s", len(again.Steps()), steps, diff)
	}
}
