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

// Spec describes a method in the catalog. What only some methods can do is a function of it that gets the
// method, see Of and With: nil where this one cannot.
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
	Version   int
	VersionOf func(Method) int // of what the parameters ask for, where only some results changed; nil: Version
	Former    []Former         // defaults of earlier versions

	Draws    func(Method) bool                                    // random numbers, so that its step needs a seed
	Sampled  bool                                                 // it takes long: a what-if of a large file takes a sample of it
	Grades   func(Method) Grades                                  // the parameter that says how much it masks
	Refuses  func(Method, *microdata.Scenario) string             // why it cannot be used with a scenario; "": it can
	Propose  func(Method, Input) (wanted string)                  // see Proposal
	OnGroups func(Method, *microdata.Scenario) string             // why it needs the records; "": it does not; nil: it does
	Searches func(Method, *microdata.Dataset) bool                // whether the parameters ask for a search
	Search   func(Method, context.Context, Input) (Search, error) // see Search
}

// Of lets a Spec have a function of a method of one type.
func Of[M Method, R any](f func(M) R) func(Method) R { return func(m Method) R { return f(m.(M)) } }

// With is Of for a function of something else besides.
func With[M Method, A, R any](f func(M, A) R) func(Method, A) R {
	return func(m Method, a A) R { return f(m.(M), a) }
}

// Always is the Draws of a method that draws whatever its parameters are.
func Always(Method) bool { return true }

// AnyRows is the OnGroups of a method that never needs the records.
func AnyRows(Method, *microdata.Scenario) string { return "" }

// Random reports whether a method draws random numbers.
func (s *Spec) Random(m Method) bool { return s.Draws != nil && s.Draws(m) }

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

// ResultsOf returns the version of a method with its parameters set.
func (s *Spec) ResultsOf(m Method) int {
	if s.VersionOf != nil {
		return s.VersionOf(m)
	}
	return s.Version
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
	// Narrate says in one plain sentence what its step did, for those who get the file. The
	// sentence has names of variables, neither a count nor another parameter: what it does to
	// which cells, reports tell in tables.
	Narrate(report *Report) string
}

// Applier is a method that makes the data by itself. Apply obeys the context and
// never modifies its input; a nil meter is allowed.
type Applier interface {
	Method
	Apply(ctx context.Context, in Input, meter *progress.Meter) (Output, error)
}

// Preview is what a method gives of some of the records.
type Preview struct {
	Of *microdata.Dataset // those records before; evenly over the file
	Output
}

// Refusal tells why a method cannot be used with a scenario: its own reason, or
// that of a variable that its parameters name; "" where it can.
func (s *Spec) Refusal(m Method, scenario *microdata.Scenario) string {
	if s.Refuses != nil {
		if reason := s.Refuses(m, scenario); reason != "" {
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
