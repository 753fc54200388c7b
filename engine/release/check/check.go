// Package check looks, before a file is released, for what its release would give away
// or would promise wrongly. What it finds is computed from the data as they would be
// written; nothing is changed by it.
package check

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Finding is what a check found in the data that would be released.
type Finding struct {
	Name      string // of its kind: "direct-identifiers"; what accepts it names it so
	Title     string // "Direct identifiers"
	Text      string // what was found and how many, in a sentence or two; without values of records
	Why       string // why it matters
	Cite      string // the source of that
	Grave     bool   // it is not released unless somebody accepts it
	Variables []string
	Count     int // of the records, cells or values that it is about; 0: they are not counted
	Of        int // as many could be
	Mends     []Mend
}

// Mend is what takes a finding away: a step, variables that are left out, or an option of
// the export.
type Mend struct {
	Title          string        // on the screen: "leave pid out"
	Step           string        // the name of a method; "": none
	Method         method.Method // with the parameters of the step
	Remove         []string      // variables that the scenario removes
	NewIdentifiers []string      // variables whose values become random numbers when the file is written
	RandomOrder    bool          // the records are written in random order
}

// Input is what the checks look at.
type Input struct {
	// Released has the data as they would be written, under their scenario; Original the
	// same records as they were read, in the same order, or nil where that is not known.
	Released, Original *measure.Version
	SourceOrder        bool   // the records stand in the order of the source, as far as is known
	Steps              []Step // that made the data; none where they are not known
}

// Step is a step that made the data, with what it told.
type Step struct {
	Name   string
	Method method.Method
	Report method.Report
}

// Findings returns what all checks find, grave ones first.
func Findings(ctx context.Context, in Input, meter *progress.Meter) ([]Finding, error) {
	var found []Finding
	for _, check := range checks() {
		one, err := check(ctx, in, meter)
		if err != nil {
			return nil, err
		}
		found = append(found, one...)
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		switch {
		case a.Grave == b.Grave:
			return 0
		case a.Grave:
			return -1
		}
		return 1
	})
	return found, nil
}

// checks are all that there are, in the order of what they find.
func checks() []func(context.Context, Input, *progress.Meter) ([]Finding, error) {
	return []func(context.Context, Input, *progress.Meter) ([]Finding, error){identifiers}
}

// Refusing returns the grave findings that nobody accepts by name.
func Refusing(found []Finding, accepted []string) []Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f Finding) bool {
		return !f.Grave || slices.Contains(accepted, f.Name)
	})
}
