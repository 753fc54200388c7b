package session

import (
	"encoding/json"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/pram"
	"github.com/sdcdesk/sdcdesk/engine/prepare"
)

// Randomised returns the key variables of a scenario that PRAM has drawn anew
// in the given steps, in the scenario's order. As long as there are some,
// k-anonymity and the individual risk do not apply. A variable that got its
// source values back is none of them.
func Randomised(scenario *microdata.Scenario, steps ...StepSpec) []string {
	var drawn []string
	for i := range steps {
		switch steps[i].Step {
		case pram.StepName:
			drawn = append(drawn, variablesOf(steps[i])...)
		case prepare.ResetSpec().Name:
			drawn = slices.DeleteFunc(drawn, func(name string) bool { return slices.Contains(variablesOf(steps[i]), name) })
		}
	}
	var keys []string
	for _, name := range scenario.Keys {
		if slices.Contains(drawn, name) {
			keys = append(keys, name)
		}
	}
	return keys
}

// variablesOf returns the variables that a step names.
func variablesOf(spec StepSpec) []string {
	var named struct {
		Variable  string   `json:"variable"`
		Variables []string `json:"variables"`
	}
	if json.Unmarshal(spec.Params, &named) != nil {
		return nil // the step itself tells what is wrong
	}
	if named.Variable != "" {
		return append(named.Variables, named.Variable)
	}
	return named.Variables
}

// specsOf returns what steps are.
func specsOf(steps []Step) []StepSpec {
	specs := make([]StepSpec, len(steps))
	for i := range steps {
		specs[i] = steps[i].Spec
	}
	return specs
}

// NotApplicable says why the figures of k-anonymity and risk cannot be told of
// the data after the first so many steps, and others on top of them; "" where
// they can.
func (s *Session) NotApplicable(position int, more ...StepSpec) string {
	specs := append(specsOf(s.steps[:position]), more...)
	return pram.NotApplicable(Randomised(s.scenario, specs...))
}

// notApplicable is Session.NotApplicable for a document.
func (d *Document) notApplicable() string {
	return pram.NotApplicable(Randomised(&d.Scenario, specsOf(d.Steps)...))
}
