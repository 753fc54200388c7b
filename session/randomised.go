package session

import (
	"encoding/json"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/pram"
	"github.com/sdcdesk/sdcdesk/engine/prepare"
)

// Randomised returns the key variables of a scenario that PRAM has drawn anew
// in the given steps, in the scenario's order. As long as there are some,
// k-anonymity and the individual risk do not apply. A variable that was made of
// one that was drawn is one of them, and stays so; one that got its source values
// back is none.
func Randomised(scenario *microdata.Scenario, steps ...StepSpec) []string {
	drawn, made := map[string]bool{}, map[string]bool{}
	is := func(name string) bool { return drawn[name] || made[name] }
	for i := range steps {
		switch steps[i].Step {
		case pram.StepName:
			for _, name := range variablesOf(steps[i]) {
				drawn[name] = true
			}
		case prepare.ResetSpec().Name:
			for _, name := range variablesOf(steps[i]) {
				delete(drawn, name)
			}
		default:
			if name, of := makes(steps[i]); name != "" {
				made[name] = slices.ContainsFunc(of, is)
			}
		}
	}
	var keys []string
	for _, name := range scenario.Keys {
		if is(name) {
			keys = append(keys, name)
		}
	}
	return keys
}

// maker is a method that makes a variable of others.
type maker interface {
	Makes() (name string, of []string)
}

// makes returns the variable that a step makes and those that it is made of; ""
// where it makes none.
func makes(spec StepSpec) (name string, of []string) {
	if entry, ok := catalog.Find(spec.Step); !ok {
		return "", nil
	} else if _, ok := entry.New().(maker); !ok {
		return "", nil
	}
	_, m, err := spec.Method()
	if err != nil {
		return "", nil // the step itself tells what is wrong
	}
	return m.(maker).Makes()
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
