package tui

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// trial is a candidate: a step tried on the current data.
type trial struct {
	views.Trial
	step session.StepSpec
	of   measureInput // the data and scenario it was tried on
}

// presetCandidate is a common candidate: method, parameters and a short name.
type presetCandidate struct{ step, params, brief string }

// usualForKeys are the common candidates for key variables.
var usualForKeys = []presetCandidate{
	{"suppress-kanonymity", `"k":3`, "k = 3"}, {"suppress-kanonymity", `"k":5`, "k = 5"},
	{"local-recoding", `"k":3`, "k = 3"}, {"mondrian", `"k":3`, "k = 3"},
}

// usualForNumbers are the common candidates for numeric key variables.
var usualForNumbers = []presetCandidate{
	{"microaggregate", `"method":"mdav","size":3`, "MDAV, 3"}, {"microaggregate", `"method":"mdav","size":5`, "MDAV, 5"},
	{"microaggregate", `"method":"mdav","size":10`, "MDAV, 10"},
	{"microaggregate", `"method":"onedims","size":3`, "individual ranking, 3"},
	{"microaggregate", `"method":"onedims","size":10`, "individual ranking, 10"},
	{"noise", `"method":"additive","percent":10`, "additive, 10 %"},
	{"noise", `"method":"additive","percent":50`, "additive, 50 %"},
	{"noise", `"method":"correlated2","delta":0.3`, "correlated2, 0.3"},
	{"rankswap", `"p":0.05`, "within 5 %"}, {"rankswap", `"p":0.15`, "within 15 %"},
}

// tryUsual adds the common candidates.
func (m *Model) tryUsual() {
	b := m.bench
	if len(b.scenario.Keys)+len(b.scenario.Numeric) == 0 {
		m.say("candidates need key variables or numeric key variables: press v to choose some")
		return
	}
	variables, err := json.Marshal(b.scenario.Numeric)
	if m.failed(err) {
		return
	}
	add := func(candidates []presetCandidate, before string) {
		for _, u := range candidates {
			step := session.StepSpec{Step: u.step, Params: []byte("{" + before + u.params + "}"), Seed: session.NewSeed()}
			if notOnGroups(u.step)(m) == "" {
				m.try(step, u.brief)
			}
		}
	}
	if len(b.scenario.Keys) > 0 {
		add(usualForKeys, "")
	}
	if len(b.scenario.Numeric) > 0 {
		add(usualForNumbers, `"variables":`+string(variables)+",")
	}
}

// try adds a candidate unless it is on the list. brief distinguishes it from others of its method.
func (m *Model) try(step session.StepSpec, brief string) {
	b := m.bench
	if !slices.ContainsFunc(b.utility.trials, func(t *trial) bool { return t.step.Same(step) }) {
		b.utility.trials = append(b.utility.trials,
			&trial{step: step, Trial: views.Trial{Title: strings.TrimSuffix(m.stepTitle(step)+": "+brief, ": ")}})
	}
	m.tryNext()
}

// trialsBehind marks candidates that were tried on other data. They are tried again when candidates are added.
func (m *Model) trialsBehind() {
	now := measureInput{m.bench.doc.Data(), m.bench.scenario}
	for _, t := range m.bench.utility.trials {
		t.Stale = (t.Figures != nil || t.Err != nil) && !t.of.is(now)
	}
}

// tryNext tries the next candidate on the current data.
func (m *Model) tryNext() {
	b := m.bench
	now := measureInput{b.doc.Data(), b.scenario}
	at := slices.IndexFunc(b.utility.trials, func(t *trial) bool { return t.Figures == nil && t.Err == nil || t.Stale })
	if at < 0 || m.trying.Runs() {
		return
	}
	t, analyst, specs := b.utility.trials[at], b.analyst, b.openSpecs()
	t.Counting = true
	m.begin(&m.trying, t, func(ctx context.Context, meter *progress.Meter) func() {
		found, err := analyst.Try(ctx, now.data, now.scenario, t.step, specs, meter)
		return func() {
			t.Counting, t.of, t.Stale, t.Figures, t.Err, t.Meanings = false, now, false, nil, nil, nil
			if err != nil {
				t.Err = m.screenError(err, t.step)
			} else {
				t.Figures, t.Meanings = found.Figures.Numbers(), found.Meanings
				if t.step.Seed == 0 || !strings.Contains(t.Title, ": ") {
					t.Title = found.Report.Title
				}
			}
			m.trialsBehind()
			m.tryNext()
		}
	})
}

// applyTrial applies the step of a candidate.
func (m *Model) applyTrial(at int) {
	trials := m.bench.utility.trials
	if at >= len(trials) || trials[at].Err != nil && !trials[at].Stale {
		return
	}
	m.apply(trials[at].step, nil)
}

// dropTrial removes a candidate from the list.
func (m *Model) dropTrial(at int) {
	trials := m.bench.utility.trials
	if at >= len(trials) {
		return
	}
	if m.trying.RunsFor(trials[at]) {
		m.trying.Drop()
	}
	m.bench.utility.trials = slices.Delete(trials, at, at+1)
	m.tryNext()
}
