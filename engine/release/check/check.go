// Package check looks, before a file is released, for what its release would give away
// or would promise wrongly. What it finds is computed from the data as they would be
// written; nothing is changed by it.
package check

import (
	"cmp"
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
)

// Finding is what a check found in the data that would be released.
type Finding struct {
	Name      string // of its kind: "direct-identifiers"; what accepts it names it so
	Title     string // "Direct identifiers"
	Text      string // what was found and how many, in a sentence or two; without values of records
	Why       string // why it matters
	Cite      string // the source of that
	Critical  bool   // the file is released only if somebody accepts it
	Whole     bool   // it is about the file as a whole and is accepted without a variable
	Variables []string
	Count     int // of the records, cells or values that it is about; 0: they are not counted
	Of        int // as many could be
	Fixes     []Fix
	Warned    bool // a warning of the step that it comes from says so already

	warning bool // this one is a warning, although others of its kind are critical
}

// String tells the finding in a line: "record-order: The records stand ...".
func (f *Finding) String() string {
	name := f.Name
	if f.Critical {
		name += " (critical)"
	}
	return name + ": " + f.Text
}

// Fix is what takes a finding away: a step, variables that are left out, or an option of
// the export.
type Fix struct {
	Title          string        // on the screen: "remove pid"
	Step           string        // the name of a method; "": none
	Method         method.Method // with the parameters of the step
	Replace        int           // the step, counted from 1, whose place that step takes; 0: it is a further one
	Remove         []string      // variables that the scenario removes
	NewIdentifiers []string      // variables whose values become random numbers when the file is written
	RandomOrder    bool          // the records are written in random order
	Redraw         []int         // steps, counted from 0 and in their order, that draw from new seeds
	DropNotes      bool          // notes and the label of the data set are left out when the file is written
}

// Input is what the checks look at.
type Input struct {
	// Released has the data as they would be written, under their scenario; Original the
	// same records as they were read, in the same order, or nil where that is not known.
	Released, Original *measure.Version
	SourceOrder        bool   // the records stand in the order of the source, as far as is known
	Steps              []Step // that made the data; none where they are not known
	Untouched          bool   // no step changed a value: neither another order nor random IDs count as one

	// Source has the data as they were read, in whatever order; nil: as Original.
	Source *measure.Version
	// Replaced are variables whose values became random numbers.
	Replaced []string
	// Unknown says that nothing is known of the order and of what was replaced.
	Unknown bool
	File    string // name of the file to be written
	// Notes are texts about the data set that the file would have: its label, notes, documents.
	Notes []string
	// Patterns recognise identifiers; nil: those that the program knows.
	Patterns *identify.Patterns
	// Asked are measures that somebody opened, with the parameters that they have.
	Asked []measure.Measure
	// Unfixed leaves out fixes that take long to find, for callers that show none.
	Unfixed bool
	// Tables are published with the file; the definition of each has a name.
	Tables []*publish.Table
	// Differing are variables that the steps do not give as they are.
	Differing []string
}

// Step is a step that made the data, with what it told.
type Step struct {
	Name   string
	Method method.Method
	Report method.Report

	Scenario *microdata.Scenario // under which it was made; nil: that of the data

	Draws bool   // random numbers, from the seed
	Seed  uint64 // of a step that draws
}

// ofRecords reports whether the fix needs single records: where rows stand for several it cannot be made.
func (m *Fix) ofRecords(scenario *microdata.Scenario) bool {
	spec, steps := catalog.Methods().Find(m.Step)
	return m.RandomOrder || len(m.NewIdentifiers) > 0 || steps && spec.NeedsRecords(m.Method, scenario) != ""
}

// Findings returns what all checks find, critical ones first. Data whose rows stand for several records
// are not looked at by those that need single ones, see OfRecords, and no fix that does is named.
func Findings(ctx context.Context, in Input, meter *progress.Meter) ([]Finding, error) {
	specs, grouped := Specs(), in.Released.Data().Grouped()
	meter.Start(int64(len(specs)) + 1)
	r, err := newRelease(ctx, in)
	if err != nil {
		return nil, err
	}
	var found []Finding
	for _, spec := range specs {
		if meter.Add(1); spec.records && grouped {
			continue
		}
		some, err := spec.findings(ctx, r)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		for _, f := range some {
			f.Fixes = slices.DeleteFunc(f.Fixes, func(m Fix) bool { return grouped && m.ofRecords(in.Released.Scenario) })
			f.Name, f.Title, f.Why, f.Cite, f.Whole = spec.Name, spec.Title, spec.Why, spec.Cite, spec.Whole
			f.Critical = spec.Critical && !f.warning
			found = append(found, f)
		}
	}
	meter.Add(1)
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Compare(place(a.Critical), place(b.Critical))
	})
	return found, nil
}

func (s *Spec) findings(ctx context.Context, r *release) ([]Finding, error) {
	if s.search != nil {
		return s.search(r, ctx)
	}
	return s.find(r), nil
}

// place puts critical findings first.
func place(critical bool) int {
	if critical {
		return 0
	}
	return 1
}
