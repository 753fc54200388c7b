package session

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Conflict is a step that is not possible under a scenario.
type Conflict struct {
	Step   int // step, counted from 0
	Title  string
	Reason string
}

// ConflictError lists applied steps that are not possible under a scenario.
type ConflictError struct{ Conflicts []Conflict }

// Error names the first of the steps and counts the others.
func (e *ConflictError) Error() string {
	first := e.Conflicts[0]
	text := fmt.Sprintf("step %d (%s) does not fit this scenario: %s", first.Step+1, first.Title, first.Reason)
	if more := len(e.Conflicts) - 1; more > 0 {
		text += fmt.Sprintf(", and %s more", wording.Counted(more, "step"))
	}
	return text + "; undo or remove it first"
}

// Unwrap returns microdata.ErrScenario.
func (e *ConflictError) Unwrap() error { return microdata.ErrScenario }

// Scenario returns the active scenario.
func (s *Session) Scenario() microdata.Scenario { return s.scenario.Clone() }

// Conflicts returns the applied steps that are not possible under a scenario.
func (s *Session) Conflicts(scenario microdata.Scenario) []Conflict {
	return s.conflictsOf(s.tree.path(s.tree.at), &scenario)
}

// conflictsOf returns the conflicts of some nodes.
func (s *Session) conflictsOf(ids []int, scenario *microdata.Scenario) []Conflict {
	var conflicts []Conflict
	for _, id := range ids {
		step := &s.tree.nodes[id].Step
		if reason := step.entry.Refusal(step.method, scenario); reason != "" {
			conflicts = append(conflicts, Conflict{len(s.tree.path(id)) - 1, step.Title, reason})
		}
	}
	return conflicts
}

// SetScenario changes the active scenario and keeps all steps with their data; a suppression is not repeated for
// new key variables. The variables are those at the position, so one added by a step can have a role. Errors are
// those of PutScenario.
func (s *Session) SetScenario(scenario microdata.Scenario) error { return s.PutScenario("", scenario) }

// sameVariables reports whether two datasets have the same variables of the same kinds.
func sameVariables(a, b *microdata.Dataset) bool {
	return slices.EqualFunc(a.Columns(), b.Columns(), func(x, y *microdata.Column) bool {
		return x == y || x.Name() == y.Name() && x.Kind() == y.Kind()
	})
}

// fitsAfterMove returns an error if a scenario that fits data does not fit the data after a step or a move:
// variables that do not exist or are text, or weights that are not positive numbers.
func fitsAfterMove(scenario *microdata.Scenario, from, to *microdata.Dataset) error {
	was, _ := from.Column(scenario.Weight)
	if is, _ := to.Column(scenario.Weight); is != was {
		if _, err := scenario.Weights(to); err != nil {
			return err
		}
	}
	if sameVariables(from, to) {
		return nil
	}
	return scenario.Check(to)
}

// Fitted returns the scenario without the roles that do not fit data at an earlier position, those of variables
// that a later step adds or converts. It returns scenario if all roles fit.
func Fitted(scenario *microdata.Scenario, data *microdata.Dataset) *microdata.Scenario {
	problems := scenario.Validate(data)
	if len(problems) == 0 {
		return scenario
	}
	out := scenario.Clone()
	for tries := 0; len(problems) > 0 && tries <= len(data.Columns()); tries++ {
		for _, problem := range problems {
			out.Clear(problem.Variable)
			out.DropTables(problem.Variable)
		}
		problems = out.Validate(data)
	}
	return &out
}

// sameScenario reports whether two scenarios are equal in a journal.
func sameScenario(a, b *microdata.Scenario) bool {
	one, err := marshal(said(a, nil, nil))
	other, failed := marshal(said(b, nil, nil))
	return err == nil && failed == nil && bytes.Equal(one, other)
}
