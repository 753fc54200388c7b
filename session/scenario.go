package session

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// ErrScenario is wrapped where a scenario does not fit the data or itself.
var ErrScenario = errors.New("the scenario cannot be used")

// Conflict is a step that a scenario makes impossible.
type Conflict struct {
	Step   int // number of the step, counted from 0
	Title  string
	Reason string
}

// ConflictError says which steps that stand a scenario makes impossible.
type ConflictError struct{ Conflicts []Conflict }

// Error names the first of the steps and counts the others.
func (e *ConflictError) Error() string {
	first := e.Conflicts[0]
	text := fmt.Sprintf("step %d (%s) makes no sense under this scenario: %s", first.Step+1, first.Title, first.Reason)
	if more := len(e.Conflicts) - 1; more > 0 {
		text += fmt.Sprintf("; nor do %s more", counted(more, "step"))
	}
	return text + "; undo or remove it first"
}

// Unwrap returns ErrScenario.
func (e *ConflictError) Unwrap() error { return ErrScenario }

// Scenario returns the scenario.
func (s *Session) Scenario() microdata.Scenario { return s.scenario.Clone() }

// Conflicts returns the steps that stand and that the scenario would make
// impossible.
func (s *Session) Conflicts(scenario microdata.Scenario) []Conflict {
	var conflicts []Conflict
	for i, step := range s.steps[:s.position] {
		_, m, err := step.Spec.Method()
		if err != nil {
			continue
		}
		if limited, ok := m.(method.Inapplicable); ok {
			if reason := limited.Inapplicable(&scenario); reason != "" {
				conflicts = append(conflicts, Conflict{i, step.Title, reason})
			}
		}
	}
	return conflicts
}

// SetScenario changes the scenario and keeps all steps with the data they
// gave; a suppression is not repeated for new key variables. An error that
// wraps ErrScenario, a *ConflictError among them, says what does not fit; then
// nothing has changed.
func (s *Session) SetScenario(scenario microdata.Scenario) error {
	scenario = scenario.Clone()
	if err := CheckScenario(&scenario, s.base); err != nil {
		return err
	}
	if conflicts := s.Conflicts(scenario); len(conflicts) > 0 {
		return &ConflictError{conflicts}
	}
	if same, err := sameScenario(&scenario, s.scenario); same || err != nil {
		return err
	}
	if err := s.store(&scenario, nil); err != nil {
		return err
	}
	s.scenario = &scenario
	s.version++
	return nil
}

// sameScenario reports whether two scenarios say the same.
func sameScenario(a, b *microdata.Scenario) (bool, error) {
	one, err := marshalScenario(a)
	if err != nil {
		return false, err
	}
	other, err := marshalScenario(b)
	return bytes.Equal(one, other), err
}

// CheckScenario reports a scenario that names a variable the data lack, gives
// a variable roles that exclude each other, or has settings that make no
// sense. The error wraps ErrScenario and names the variable or field.
func CheckScenario(scenario *microdata.Scenario, data *microdata.Dataset) error {
	if err := checkSettings(scenario); err != nil {
		return err
	}
	for _, list := range listsOf(scenario) {
		for i, variable := range list.variables {
			if _, ok := data.Column(variable); !ok {
				return scenarioError("%q: the file has no variable %q", list.field, variable)
			}
			if slices.Contains(list.variables[:i], variable) {
				return scenarioError("%q: %s is named twice", list.field, variable)
			}
		}
	}
	if err := checkRoles(scenario, data); err != nil {
		return err
	}
	if _, err := scenario.Weights(data); err != nil {
		return fmt.Errorf("%w: %w", ErrScenario, err)
	}
	return nil
}

func scenarioError(format string, values ...any) error {
	return fmt.Errorf("%w: %s", ErrScenario, fmt.Sprintf(format, values...))
}

// checkSettings reports what is wrong with a scenario whatever the data.
func checkSettings(scenario *microdata.Scenario) error {
	if !scenario.Rule.Valid() {
		rules := make([]string, len(microdata.Rules()))
		for i, rule := range microdata.Rules() {
			rules[i] = string(rule)
		}
		return scenarioError(`"rule" is %q; it must be one of %s`, scenario.Rule, strings.Join(rules, ", "))
	}
	if !(scenario.Alpha >= 0 && scenario.Alpha <= 1) { // NaN fails too
		return scenarioError(`"alpha" is %v; it must be between 0 and 1`, scenario.Alpha)
	}
	for i, k := range scenario.K {
		if k < 2 || slices.Contains(scenario.K[:i], k) {
			return scenarioError(`"k" has %d; each k must be at least 2 and stand there once`, k)
		}
	}
	return nil
}

// variableList is one field of a scenario that names variables.
type variableList struct {
	field     string
	variables []string
}

func listsOf(scenario *microdata.Scenario) []variableList {
	lists := []variableList{{"keys", scenario.Keys}, {"numeric", scenario.Numeric}, {"strata", scenario.Strata},
		{"pram", scenario.PRAM}, {"sensitive", scenario.Sensitive}, {"remove", scenario.Remove},
		{"same_for_household", scenario.SameForHousehold}}
	if scenario.Weight != "" {
		lists = append(lists, variableList{"weight", []string{scenario.Weight}})
	}
	if scenario.Household != "" {
		lists = append(lists, variableList{"household", []string{scenario.Household}})
	}
	for _, key := range sortedKeys(scenario.Linked) {
		lists = append(lists, variableList{"linked", scenario.Linked[key]})
	}
	return lists
}

// checkRoles reports roles that exclude each other.
func checkRoles(scenario *microdata.Scenario, data *microdata.Dataset) error {
	for _, variable := range scenario.Keys {
		if variable == scenario.Weight || variable == scenario.Household {
			return scenarioError("%s cannot be a key variable and the weight or household as well", variable)
		}
	}
	for _, variable := range scenario.Numeric {
		if column, _ := data.Column(variable); !column.Source().Numeric() {
			return scenarioError(`"numeric": %s is not a variable of numbers`, variable)
		}
	}
	for _, key := range sortedKeys(scenario.Linked) {
		if !slices.Contains(scenario.Keys, key) {
			return scenarioError(`"linked": %q is not a key variable; a variable can be linked to key variables only`, key)
		}
		for _, variable := range scenario.Linked[key] {
			if slices.Contains(scenario.Keys, variable) || variable == scenario.Weight || variable == scenario.Household {
				return scenarioError(`"linked": %s is a key variable, the weight or the household and cannot follow %s`, variable, key)
			}
		}
	}
	return nil
}

func sortedKeys(linked map[string][]string) []string {
	names := make([]string, 0, len(linked))
	for name := range linked {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
