package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
)

// kinds are the masking variants that are tried besides the defaults of each method.
var kinds = []struct {
	step string
	set  [][2]string // parameters with their values, as typed
}{
	{"microaggregate", [][2]string{{"method", "onedims"}}},
	{"noise", [][2]string{{"method", "correlated2"}}},
	{"generate", [][2]string{{"method", "hybrid"}, {"similarity", "0.5"}}},
}

// NumberPlan is a candidate step for masking plans.
type NumberPlan struct {
	Step  StepSpec // without a name: the data stay as they are
	Title string   // distinguishes it from the others
}

// NumberPlans returns the candidate steps for masking plans of numeric variables: first the unchanged data, then
// each method with a strength parameter at each of its values, starting with values that are far apart. Random
// methods use the seed. The error wraps method.ErrParam if the variables fit no method.
func NumberPlans(methods method.Catalog, in method.Input, variables []string, seed uint64) ([]NumberPlan, error) {
	var byKind [][]NumberPlan
	for _, spec := range methods {
		if spec.Grades == nil {
			continue
		}
		set := [][][2]string{nil}
		for _, kind := range kinds {
			if kind.step == spec.Name {
				set = append(set, kind.set)
			}
		}
		for _, one := range set {
			steps, err := gradesOf(spec, one, in, variables, seed)
			if err != nil {
				return nil, err
			}
			byKind = append(byKind, steps)
		}
	}
	steps := []NumberPlan{{Title: "no masking"}}
	for _, first := range []int{0, 1} {
		for _, of := range byKind {
			for i := first; i < len(of); i += 2 {
				steps = append(steps, of[i])
			}
		}
	}
	return steps, nil
}

// gradesOf returns the steps of one kind, from the least masking to the most.
func gradesOf(spec method.Spec, set [][2]string, in method.Input, variables []string,
	seed uint64) ([]NumberPlan, error) {
	m := spec.New()
	all := m.Params()
	kind := ""
	for i := range all {
		if p := &all[i]; p.Kind == method.KindVariables && p.Required {
			if err := p.Pick(variables); err != nil {
				return nil, err
			}
		}
	}
	for i := range all {
		for _, one := range set {
			if all[i].Name == one[0] {
				if err := all[i].Value.Set(one[1]); err != nil {
					return nil, err
				}
			}
		}
		if all[i].Name == "method" {
			kind = " " + all[i].Value.String()
		}
	}
	spec.Proposal(m, in, "")
	if !spec.Random(m) {
		seed = 0
	}
	grades := spec.Grades(m)
	var steps []NumberPlan
	at := slices.IndexFunc(all, func(p method.Param) bool { return p.Name == grades.Param })
	if at < 0 {
		return nil, nil // the default of the method has no strength
	}
	for _, value := range grades.Values {
		if err := all[at].Value.Set(value); err != nil {
			return nil, err
		}
		step, err := NewSpec(spec.Name, m, seed)
		if err != nil {
			return nil, err
		}
		steps = append(steps, NumberPlan{step, spec.Title + kind + ", " + all[at].Label() + " " + value})
	}
	return steps, nil
}

// Worth applies a step to all records and evaluates its numeric variables against the original data; a step
// without a name changes nothing. The result of the step is not cached. Errors are those of TradeOff.
func (a *Analyst) Worth(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario, variables []string,
	spec StepSpec, meter *progress.Meter) (tradeoff.RiskLoss, error) {
	var found *tradeoff.Figures
	var err error
	if spec.Step == "" {
		found, err = tradeoff.Of(ctx, data.Source(), data, variables, false, meter)
	} else {
		found, err = a.TradeOff(ctx, data, scenario, spec, meter)
	}
	switch {
	case err != nil:
		return tradeoff.RiskLoss{}, err
	case found == nil:
		return tradeoff.RiskLoss{}, method.ErrInput
	}
	return found.Worth(), nil
}

// TriedStep is a step that was tried for a plan, with its evaluation.
type TriedStep struct {
	Step  StepSpec
	Worth tradeoff.RiskLoss
}

// triedLine stores in the journal the evaluation of a step that was tried and not applied.
type triedLine struct {
	Tried  *StepSpec         `json:"tried"`
	Before string            `json:"before"` // hash of the data it was tried on
	Worth  tradeoff.RiskLoss `json:"worth"`
	At     *time.Time        `json:"at,omitempty"`
}

// KeepTried stores the evaluation of a step on data, so that it need not be tried again when the session is
// resumed.
func (s *Session) KeepTried(data *microdata.Dataset, found TriedStep) error {
	if !found.Worth.Known() || found.Step.Step == "" {
		return nil // neither JSON nor a plan can hold it; for unchanged data the variables are not known
	}
	return s.do(&triedLine{Tried: &found.Step, Before: hashText(data), Worth: found.Worth, At: now()})
}

// TriedOn returns the evaluations on data.
func (s *Session) TriedOn(data *microdata.Dataset) []TriedStep {
	var found []TriedStep
	if len(s.tried) == 0 {
		return nil
	}
	hash := hashText(data)
	for _, line := range s.tried {
		if line.Before == hash && line.Tried.Step != "" {
			found = append(found, TriedStep{*line.Tried, line.Worth})
		}
	}
	return found
}

// obey adds an evaluation. Steps with methods that the program lacks are never looked up.
func (l *triedLine) obey(s *state) error {
	if l.Tried == nil || l.Before == "" {
		return errors.New(`a step that was tried needs the step and the data: {"tried":{"step":...},"before":"..."}`)
	}
	s.tried = append(s.tried, *l)
	return nil
}
