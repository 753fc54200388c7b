package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// ErrUnknownStep is wrapped if a step names no method of the catalog.
var ErrUnknownStep = errors.New("unknown step")

// StepSpec is the full specification of a step: a method of the catalog and its parameters. Its JSON form is a
// line of a script.
type StepSpec struct {
	Step    string          `json:"step"`
	Params  json.RawMessage `json:"params,omitempty"`  // an object; omitted parameters have their defaults
	Seed    uint64          `json:"seed,omitempty"`    // 0: none, or drawn when the step runs
	Version int             `json:"version,omitempty"` // version of the method that ran; see method.Spec

	Problem error `json:"-"` // why the parameters could not be encoded, so that the step is refused; nil: they could
}

// Same reports whether other has the same method and parameters, whatever its seed.
func (s StepSpec) Same(other StepSpec) bool {
	return s.Step == other.Step && string(s.Params) == string(other.Params)
}

// NewSpec returns the spec of a method with its current parameters.
func NewSpec(name string, m method.Method, seed uint64) (StepSpec, error) {
	params, err := method.Encode(m)
	if err != nil {
		return StepSpec{}, fmt.Errorf("step %s: %w", name, err)
	}
	return StepSpec{Step: name, Params: params, Seed: seed}, nil
}

// call is a step with its method, whose parameters are set.
type call struct {
	StepSpec
	entry  *method.Spec
	method method.Method
}

// in finds the method of a step in a catalog, nil for all methods, and sets its parameters. The error names an
// unknown step, parameter or value; it is the Problem of a spec that has one.
func (s StepSpec) in(methods method.Catalog) (*call, error) {
	if s.Problem != nil {
		return nil, s.Problem
	}
	if methods == nil {
		methods = catalog.Methods()
	}
	entry, ok := methods.Find(s.Step)
	if !ok {
		return nil, fmt.Errorf("%w %q; known steps are %s", ErrUnknownStep, wording.Excerpt(s.Step),
			strings.Join(methods.Names(), ", "))
	}
	fields, err := objectFields(s.Params)
	if err != nil {
		return nil, fmt.Errorf("step %s: \"params\" %w", s.Step, err)
	}
	values := make(map[string]json.RawMessage, len(fields))
	for _, field := range fields {
		values[field.name] = field.value
	}
	c := &call{s, &entry, entry.New()}
	if err = c.takeSeed(values); err == nil {
		err = method.Decode(c.method, values)
	}
	if err != nil {
		return nil, fmt.Errorf("step %s: %w", s.Step, err)
	}
	return c, nil
}

// complete is in with every parameter set explicitly, so that the step does not depend on defaults, and with a
// seed if it needs one.
func (s StepSpec) complete(methods method.Catalog) (*call, error) {
	c, err := s.in(methods)
	if err != nil {
		return nil, err
	}
	return c, c.complete()
}

func (c *call) complete() (err error) {
	c.StepSpec, err = NewSpec(c.Step, c.method, c.Seed)
	c.Version = c.entry.ResultsOf(c.method)
	if err == nil && c.Seed == 0 && c.entry.Random(c.method) {
		c.Seed = NewSeed()
	}
	return err
}
