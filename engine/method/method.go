// Package method defines what an anonymisation method is: a Spec with its name and help, parameters bound to
// fields of the method, and Apply, which derives a new dataset and reports the changes as figures.
//
// Dialogs, journals, scripts, help pages and the tests of the catalog are all derived from the one list of
// parameters.
package method

import (
	"context"
	"errors"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Errors wrapped by methods.
var (
	ErrParam       = errors.New("parameter")             // a parameter is missing, unknown or out of range
	ErrUnreachable = errors.New("cannot be reached")     // the target, such as k, is impossible for this file
	ErrInput       = errors.New("does not fit the data") // the data or scenario lacks what the method needs
)

// ParamError returns an error that wraps ErrParam. The format begins with the name of the parameter: "\"k\" is %d;
// it must be at least 2".
func ParamError(format string, args ...any) error {
	return fmt.Errorf("%w %w", ErrParam, fmt.Errorf(format, args...))
}

// Spec describes a method in the catalog. Capabilities that only some methods have are functions with the method
// as argument, see Of and With; nil if a method lacks the capability.
type Spec struct {
	Name   string // name of the step in scripts: "recode-intervals"
	Title  string // name on the screen: "Recoding by intervals"
	Help   string // one paragraph on what the method does
	Cite   string // references
	Key    string // the key that opens its dialog, or ""
	Sample string // parameters, as in a script, that fit the demonstration survey, for tests
	New    func() Method

	// Version counts how often the results of the method changed, for given parameters or because of a changed
	// default listed in Former. Steps record it. 0 if never.
	Version   int
	VersionOf func(Method) int // version for given parameters, if only some results changed; nil for Version
	Former    []Former         // defaults of earlier versions

	Draws    func(Method) bool                                    // reports whether the method draws random numbers, so that its step needs a seed
	Sampled  bool                                                 // slow: a what-if of a large file uses a sample
	Grades   func(Method) Grades                                  // the parameter that sets the strength of masking
	Refuses  func(Method, *microdata.Scenario) string             // reason why it cannot be used with a scenario, or ""
	Propose  func(Method, Input) (wanted string)                  // see Proposal
	OnGroups func(Method, *microdata.Scenario) string             // reason why it needs the records, or ""; nil for the reason in NeedsRecords
	Searches func(Method, *microdata.Dataset) bool                // reports whether the parameters request a search
	Search   func(Method, context.Context, Input) (Search, error) // see Search
}

// Of adapts a function of a concrete method type for a Spec.
func Of[M Method, R any](f func(M) R) func(Method) R { return func(m Method) R { return f(m.(M)) } }

// With is Of for a function with a second argument.
func With[M Method, A, R any](f func(M, A) R) func(Method, A) R {
	return func(m Method, a A) R { return f(m.(M), a) }
}

// Always is the Draws of a method that always draws random numbers.
func Always(Method) bool { return true }

// AnyRows is the OnGroups of a method that never needs the records.
func AnyRows(Method, *microdata.Scenario) string { return "" }

// Random reports whether a method draws random numbers with its parameters.
func (s *Spec) Random(m Method) bool { return s.Draws != nil && s.Draws(m) }

// From returns the New of a Spec whose methods start with the given defaults, which must not contain slices or
// maps.
func From[T any, M interface {
	*T
	Method
}](defaults T) func() Method {
	return func() Method {
		m := defaults
		return M(&m)
	}
}

// ResultsOf returns the version of a method with its parameters.
func (s *Spec) ResultsOf(m Method) int {
	if s.VersionOf != nil {
		return s.VersionOf(m)
	}
	return s.Version
}

// Catalog is a list of methods in display order.
type Catalog []Spec

// Find returns the method with the given name in scripts.
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

// Output is the result of a method.
type Output struct {
	Data   *microdata.Dataset
	Report Report
}

// Parameterised is implemented by methods and measures.
type Parameterised interface {
	Params() []Param // bound to the fields of the receiver
}

// Method is an anonymisation method with its parameters: an Applier or a Regrouper. The function Apply applies
// either.
type Method interface {
	Parameterised
	// Narrate describes in one plain sentence what the step did, for recipients of the file. The sentence names
	// variables, but contains no count and no other parameter: reports list these in tables.
	Narrate(report *Report) string
}

// Applier is a method that computes its output itself. Apply obeys the context and never modifies its input; meter
// may be nil.
type Applier interface {
	Method
	Apply(ctx context.Context, in Input, meter *progress.Meter) (Output, error)
}

// Preview is the output of a method applied to a sample of the records.
type Preview struct {
	Of *microdata.Dataset // the sample before, spread evenly over the file
	Output
}

// Refusal returns the reason why a method cannot be used with a scenario, from the method itself or from one of
// the variables that its parameters name, or "" if it can.
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
