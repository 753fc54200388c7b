// Package check runs the pre-release checks: it finds what a release would disclose, and guarantees that do not
// hold. Findings are computed from the data as they would be written; nothing is changed.
package check

import (
	"cmp"
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
)

// Finding is a problem that a check found in the data to be released.
type Finding struct {
	Name      string // name of the kind of finding, "direct-identifiers", used to accept it
	Title     string // "Direct identifiers"
	Text      string // what was found and how often, in a sentence or two; contains no values of records
	Why       string // why it matters
	Cite      string // source for Why
	Critical  bool   // must be accepted before the file can be released
	Whole     bool   // about the file as a whole; accepted without a variable
	Variables []string
	Count     int // number of affected records, cells or values; 0: not counted
	Of        int // maximum of Count
	Fixes     []Fix
	Warned    bool // a warning of the step already reports it

	unit, does string // what Count counts, in the singular, and what is true of it: "record", "violate 3-anonymity"
	warning    bool   // a warning although other findings of its kind are critical
}

// Counted formats Count and Of: "4,443 of 5,000 records violate 3-anonymity". It returns "" if nothing was counted.
func (f *Finding) Counted() string {
	if f.Count == 0 {
		return ""
	}
	counted := func(n int) string {
		if f.unit == "" {
			return wording.Number(n)
		}
		return wording.Counted(n, f.unit)
	}
	text := counted(f.Count)
	if f.Of > 0 {
		text = wording.Number(f.Count) + " of " + counted(f.Of)
	}
	if f.does != "" {
		text += " " + wording.Verb(f.Count, f.does)
	}
	return text
}

// Critical begins the line of a critical finding.
const Critical = "critical: "

// String returns the finding in one line: "critical: household-ids: ...", "record-order: ...".
func (f *Finding) String() string {
	line := f.Name + ": " + f.Text
	if f.Critical {
		line = Critical + line
	}
	return line
}

// Fix is a way to fix a finding: a step, variables to remove, or an option of the export.
type Fix struct {
	Title          string        // title on the screen: "remove pid"
	Step           string        // name of a method, or ""
	Method         method.Method // the method with its parameters
	Replace        int           // number, from 1, of the step to replace; 0: add a step
	Remove         []string      // variables to remove
	NewIdentifiers []string      // variables to replace by random IDs when the file is written
	RandomOrder    bool          // write the records in random order
	Redraw         []int         // indices, from 0 and ascending, of steps to repeat with new seeds
	DropNotes      bool          // omit notes and the label of the data set when the file is written
}

// Input is the input of the checks.
type Input struct {
	// Released has the data as they would be written, with their scenario. Original has the same records in the
	// same order as they were read, or is nil if unknown.
	Released, Original *measure.Version
	SourceOrder        bool   // whether the records are in the order of the source, as far as is known
	Steps              []Step // steps that produced the data; none if unknown
	Untouched          bool   // no step changed a value; a new order or random IDs do not count

	// Source has the data as they were read, in any order; nil: Original.
	Source *measure.Version
	// Replaced are variables whose values were replaced by random numbers.
	Replaced []string
	// Unknown reports that the order and the replacements are unknown.
	Unknown bool
	File    string // name of the file to write
	// Notes are the texts about the data set in the file: its label, notes, documents.
	Notes []string
	// Patterns recognise identifiers; nil: the built-in ones.
	Patterns *identify.Patterns
	// Asked are the measures that the user opened, with their parameters.
	Asked []measure.Measure
	// Unfixed omits fixes that take long to find, for callers that do not show them.
	Unfixed bool
	// Tables are published with the file; the definition of each has a name.
	Tables []*publish.Table
	// Differing are variables that differ from the result of the steps.
	Differing []string
}

// Step is a step that produced the data, with its report.
type Step struct {
	Name   string
	Method method.Method
	Report method.Report

	Scenario *microdata.Scenario // scenario of the step; nil: that of the data

	Draws bool   // whether it uses random numbers from Seed
	Seed  uint64 // if Draws
}

// ofRecords reports whether the fix needs single records, so that it does not work if rows represent several
// records.
func (m *Fix) ofRecords(scenario *microdata.Scenario) bool {
	spec, steps := catalog.Methods().Find(m.Step)
	return m.RandomOrder || len(m.NewIdentifiers) > 0 || steps && spec.NeedsRecords(m.Method, scenario) != ""
}

// Findings runs all checks and returns what they find, critical findings first. If rows represent several records,
// it skips checks that need single records, see OfRecords, and fixes that do.
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

// Start starts Findings in the background. wait, which must be called, returns its result.
func Start(ctx context.Context, in Input) (wait func() ([]Finding, error)) {
	var found []Finding
	var err error
	checking := parallel.Go(func() { found, err = Findings(ctx, in, nil) })
	return func() ([]Finding, error) {
		checking.Wait()
		return found, err
	}
}

func (s *Spec) findings(ctx context.Context, r *release) ([]Finding, error) {
	if s.search != nil {
		return s.search(r, ctx)
	}
	return s.find(r), nil
}

// place returns the sort key of a finding: critical ones are first.
func place(critical bool) int {
	if critical {
		return 0
	}
	return 1
}
