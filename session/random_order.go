package session

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	random "math/rand/v2"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
)

// secureRandom returns a generator with a seed of the system's secure source
// that nobody keeps.
func secureRandom() *random.Rand {
	var seed [32]byte
	_, _ = rand.Read(seed[:]) // never fails
	return random.New(random.NewChaCha8(seed))
}

// randomOrder returns the data with new identifiers and in random order, as far
// as asked for: what the steps new-ids and shuffle-records do, with randomness
// that is kept nowhere.
func (d *Document) randomOrder(o ExportOptions) (*microdata.Dataset, error) {
	data := d.Data
	for _, name := range o.NewIdentifiers {
		column, ok := data.Column(name)
		if !ok {
			return nil, fmt.Errorf("new identifiers: the file has no variable %q", name)
		}
		after, _, err := prepare.RandomIdentifiers(secureRandom(), []*microdata.Column{column})
		if err != nil {
			return nil, fmt.Errorf("new identifiers: %w", err)
		}
		data = data.With(after...)
	}
	if !o.RandomOrder {
		return data, nil
	}
	var households *microdata.Households
	if column, ok := d.original().Column(d.Scenario.Household); ok {
		households = microdata.NewHouseholds(column)
	}
	return data.Select(prepare.RandomOrder(secureRandom(), data.Len(), households, false)), nil
}

// directIdentifiers returns the variables that look as if they identified
// people, those left out whose values a step replaced by random numbers.
func (d *Document) directIdentifiers() []string {
	var replaced []string
	for i := range d.Steps {
		switch m := d.Steps[i].method.(type) {
		case *prepare.NewIdentifiers:
			replaced = append(replaced, m.Variables...)
		case *prepare.Reset:
			replaced = slices.DeleteFunc(replaced, func(name string) bool { return name == m.Variable })
		}
	}
	var names []string
	for _, suggestion := range microdata.Suggest(d.original()) {
		if suggestion.Role == microdata.RoleRemoved && !slices.Contains(replaced, suggestion.Variable) {
			names = append(names, suggestion.Variable)
		}
	}
	return names
}

// stratumWarnings names variables that a step made of others and that are
// written though the others were recoded, drawn anew or suppressed later: they
// tell what these were.
func (d *Document) stratumWarnings() []string {
	var warnings []string
	for i := range d.Steps {
		made, ok := d.Steps[i].method.(*prepare.MakeStratum)
		if !ok || slices.Contains(d.Scenario.Remove, d.Steps[i].Report.Made) {
			continue
		}
		var changed []string
		for _, name := range made.Variables {
			if slices.ContainsFunc(d.Steps[i+1:], func(later Step) bool { return later.hides(name) }) {
				changed = append(changed, name)
			}
		}
		if len(changed) > 0 {
			warnings = append(warnings, fmt.Sprintf("%q tells what %s had before later steps and is in the file: remove it",
				d.Steps[i].Report.Made, strings.Join(changed, ", ")))
		}
	}
	return warnings
}

// hides reports whether the step took detail or cells from a variable.
func (s *Step) hides(variable string) bool {
	if suppression := s.Report.Suppression; suppression != nil {
		return slices.ContainsFunc(slices.Concat(suppression.Cells, suppression.Linked), func(c method.Count) bool {
			return c.Name == variable && c.Count > 0
		})
	}
	switch s.method.(type) {
	case *prepare.Convert, *prepare.SetMissing, *prepare.MakeStratum, *prepare.Reset:
		return false
	default:
		return slices.Contains(variablesOf(s.Spec), variable)
	}
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
