// Package method says what an anonymisation method is: a Spec that names and
// explains it, parameters bound to the method's own fields, and Apply, which
// turns a dataset into another one and reports what changed, in numbers.
//
// From the one list of parameters come the fields of dialogs, the lines of
// journals and scripts, the help page and the tests that loop over the catalog.
package method

import (
	"context"
	"errors"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Errors that methods wrap.
var (
	ErrParam       = errors.New("parameter")             // a parameter is missing, unknown or out of range
	ErrUnreachable = errors.New("cannot be reached")     // the goal, such as a k, is impossible for this file
	ErrInput       = errors.New("does not fit the data") // the data or scenario lack what the method needs
)

// ParamError returns an error that wraps ErrParam, from the name of the parameter on:
// "\"k\" is %d; it must be at least 2".
func ParamError(format string, args ...any) error {
	return fmt.Errorf("%w %w", ErrParam, fmt.Errorf(format, args...))
}

// Spec describes a method in the catalog.
type Spec struct {
	Name   string // the step's name in scripts: "recode-intervals"
	Title  string // the name on the screen: "Recode by intervals"
	Help   string // what it does, one paragraph
	Cite   string // the source
	Key    string // the key that opens its dialog; "" for none
	Sample string // parameters that fit the survey of the demonstration, as in a script: tests apply it
	New    func() Method

	// Version counts how often the results of the method changed, with all parameters or with
	// those left out that Former names; steps keep it. 0: never.
	Version int
	Former  []Former // defaults of earlier versions
}

// From returns the New of a Spec whose methods begin with these defaults, which hold no
// list.
func From[T any, M interface {
	*T
	Method
}](defaults T) func() Method {
	return func() Method {
		m := defaults
		return M(&m)
	}
}

// VersionOf returns the version of a method with its parameters set.
func (s *Spec) VersionOf(m Method) int {
	if mended, ok := m.(Versioned); ok {
		return mended.Version()
	}
	return s.Version
}

// Versioned is a method of which a mend changed some results only: Version is that of
// what its parameters ask for, in the place of that of its Spec.
type Versioned interface {
	Version() int
}

// Catalog lists methods in the order in which they are shown.
type Catalog []Spec

// Find returns the method of the given name in scripts.
func (c Catalog) Find(name string) (Spec, bool) {
	for _, spec := range c {
		if spec.Name == name {
			return spec, true
		}
	}
	return Spec{}, false
}

// Names returns the names of the methods in scripts.
func (c Catalog) Names() []string {
	names := make([]string, len(c))
	for i := range c {
		names[i] = c[i].Name
	}
	return names
}

// Output is what a method made.
type Output struct {
	Data   *microdata.Dataset
	Report Report
}

// Parameterised has parameters: a method, or a measure.
type Parameterised interface {
	Params() []Param // bound to its own fields
}

// Method is one anonymisation method with its parameters set: an Applier or a
// Regrouper. Apply applies either.
type Method interface {
	Parameterised
}

// Applier is a method that makes the data by itself. Apply obeys the context and
// never modifies its input; a nil meter is allowed.
type Applier interface {
	Method
	Apply(ctx context.Context, in Input, meter *progress.Meter) (Output, error)
}

// Completer is a method with a default that depends on other parameters.
// Decode calls Complete once all given parameters are set; given says whether
// the parameter of that name was among them.
type Completer interface {
	Complete(given func(name string) bool)
}

// Previewer is a method that can take long and offers a cheaper what-if: on groups
// of equal records, or on a sample. Where it offers none Apply is its what-if, and
// what that gave is kept for the step.
type Previewer interface {
	Method
	// Preview returns what Apply would give of some records; ok is false where Apply
	// is to be run.
	Preview(ctx context.Context, in Input, meter *progress.Meter) (p Preview, ok bool, err error)
}

// Preview is what a method gives of some of the records.
type Preview struct {
	Of *microdata.Dataset // those records before; as many as in the input: no sample
	Output
}

// Inapplicable is a method that tells why it cannot be used with a scenario;
// "" where it can. The reason is shown greyed beside its command.
type Inapplicable interface {
	Inapplicable(scenario *microdata.Scenario) string
}

// Refusal tells why a method cannot be used with a scenario: its own reason, or
// that of a variable that its parameters name; "" where it can.
func Refusal(m Method, scenario *microdata.Scenario) string {
	if limited, ok := m.(Inapplicable); ok {
		if reason := limited.Inapplicable(scenario); reason != "" {
			return reason
		}
	}
	for _, p := range m.Params() {
		if p.refuses != nil {
			if reason := p.refuses(p.Value.String(), scenario); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// Narrator is a method that says in one plain sentence what its step did, for
// those who get the file. The sentence has names of variables, neither a count nor
// another parameter: what it does to which cells, reports tell in tables.
type Narrator interface {
	Narrate(report *Report) string
}
