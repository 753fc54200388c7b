package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// ErrUnknownStep is wrapped where a step names no method of the catalog.
var ErrUnknownStep = errors.New("unknown step")

// StepSpec says a step in full: a method of the catalog and its parameters. Its
// JSON form is a line of a script.
type StepSpec struct {
	Step   string          `json:"step"`
	Params json.RawMessage `json:"params,omitempty"` // an object; parameters left out take their defaults
	Seed   uint64          `json:"seed,omitempty"`   // 0: none, or drawn when the step is run

	Problem error `json:"-"` // why the parameters could not be written down: the step is then refused; nil: they could
}

// NewSpec returns the spec of a method as its parameters are set now.
func NewSpec(name string, m method.Method, seed uint64) (StepSpec, error) {
	params, err := method.Encode(m)
	if err != nil {
		return StepSpec{}, fmt.Errorf("step %s: %w", name, err)
	}
	return StepSpec{Step: name, Params: params, Seed: seed}, nil
}

// Method returns the catalog's entry for the step and a method with the step's
// parameters set. The error names an unknown step, parameter or value; a spec
// with a problem has that as its error.
func (s StepSpec) Method() (method.Spec, method.Method, error) {
	if s.Problem != nil {
		return method.Spec{}, nil, s.Problem
	}
	entry, ok := catalog.Find(s.Step)
	if !ok {
		return method.Spec{}, nil, fmt.Errorf("%w %q; known are %s", ErrUnknownStep, s.Step, strings.Join(stepNames(), ", "))
	}
	s, err := s.lifted()
	if err != nil {
		return method.Spec{}, nil, err
	}
	fields, err := objectFields(s.Params)
	if err != nil {
		return method.Spec{}, nil, fmt.Errorf("step %s: \"params\" %w", s.Step, err)
	}
	values := make(map[string]json.RawMessage, len(fields))
	for _, field := range fields {
		values[field.name] = field.value
	}
	m := entry.New()
	if err := method.Decode(m, values); err != nil {
		return method.Spec{}, nil, fmt.Errorf("step %s: %w", s.Step, err)
	}
	return entry, m, nil
}

// complete returns the spec with every parameter written out, so that it means
// the same under other defaults, and its method.
func (s StepSpec) complete() (StepSpec, method.Spec, method.Method, error) {
	s, err := s.lifted()
	if err != nil {
		return s, method.Spec{}, nil, err
	}
	entry, m, err := s.Method()
	if err != nil {
		return s, entry, nil, err
	}
	full, err := NewSpec(s.Step, m, s.Seed)
	return full.seeded(m), entry, m, err
}

func stepNames() []string {
	all := catalog.All()
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return names
}
