package method

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/draws"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// GroupWorker is a method that says whether it works where rows stand for several
// records: "" where it does, else why it does not, in plain words. Of methods
// that do not say so a Regrouper works there, since levels are the same for all
// records of a row; any other goes through records one by one.
type GroupWorker interface {
	OnGroups(scenario *microdata.Scenario) string
}

// Dealer is a GroupWorker that takes cells from as many records of a combination of categories as it
// needs, those that come first in the file. DealtBy returns the variables of the combinations; of
// methods that do not say so they are the key variables.
type Dealer interface {
	DealtBy(scenario *microdata.Scenario) []string
}

// ByChance is a method in which every record draws by itself, with chances that are the same for all records of a
// row. Where rows stand for several records, what its Apply draws is how many of each; which ones their numbers tell
// where the records are.
type ByChance interface {
	Applier
	// Chances returns what records draw from, a variable after the other, by row of the data before the step.
	// Errors are those of Apply.
	Chances(ctx context.Context, in Input) ([]draws.Chances, error)
	// Account returns the report of what records drew: after are the data after the step, whose rows are parts
	// of those before it.
	Account(ctx context.Context, in Input, after *microdata.Dataset) (Report, error)
}

// ByRecord is a masker in which every record draws by itself what becomes of its numbers. Where rows stand for several
// records its Apply foretells what can be told of that.
type ByRecord interface {
	Applier
	Masker
	// Look returns what looks at the records that rows of the data stand for, before the step. Errors are those of Apply.
	Look(in Input) (Look, error)
	// Tried returns the step on one of its variables: up to SampleSize records of it, which draw as any others might.
	// Errors are those of Apply.
	Tried(ctx context.Context, in Input, variable string) (Tried, error)
}

// Tried has records before a step and after it.
type Tried struct{ Before, After *microdata.Dataset }

// Look looks at the records of a source that come piece by piece, in turn, with the variables of a step.
type Look interface {
	// Secrets tell what records draw by their keys, by variable; see microdata.Masking.
	Secrets() []string
	// Add looks at some records, and takes them when what it returns is called, in turn. drawn are the numbers that they
	// draw by their keys, by variable; nil: they draw by their places.
	Add(data *microdata.Dataset, drawn [][]uint64) (inOrder func())
	// Output returns the data after the step, once all records were looked at, with the report of them.
	Output(ctx context.Context) (Output, error)
}

// Restorer is a method that gives variables the values of the source back, whatever these and those of their records are
// now, also where every record has another number that nobody holds.
type Restorer interface{ Restores() }

// DealtBy returns the variables by whose combinations a method takes cells from records.
func DealtBy(m Method, scenario *microdata.Scenario) []string {
	if dealer, ok := m.(Dealer); ok {
		return dealer.DealtBy(scenario)
	}
	return scenario.Keys
}

// OnGroups says why a method does not work where rows stand for several records, see GroupWorker; "" where it
// does.
func OnGroups(m Method, scenario *microdata.Scenario) string {
	if worker, ok := m.(GroupWorker); ok {
		return worker.OnGroups(scenario)
	}
	if _, ok := m.(Regrouper); ok {
		return ""
	}
	return "this method goes through records one by one"
}

// Gathering is a method that works on variables that no parameter names by itself, such as those of a condition.
type Gathering interface{ Gathers() []string }

// Composed is a method that makes the steps of others, such as those of a recode file.
type Composed interface{ Parts() []Method }

// VariablesOf returns the variables that a method names.
func VariablesOf(m Method) (names []string) {
	for _, p := range m.Params() {
		if named, of := p.Named(); of == "" {
			names = append(names, named...)
		}
	}
	if gathering, ok := m.(Gathering); ok {
		names = append(names, gathering.Gathers()...)
	}
	if composed, ok := m.(Composed); ok {
		for _, part := range composed.Parts() {
			names = append(names, VariablesOf(part)...)
		}
	}
	return names
}

// CountedBy returns the variables that rows have to be counted by for a method where they stand for several records,
// and those of which it is enough how many records have which value: a Regrouper maps values whatever else their
// records have, and a Restorer asks no more.
func CountedBy(m Method, scenario *microdata.Scenario) (by, alone []string) {
	if composed, ok := m.(Composed); ok {
		for _, part := range composed.Parts() {
			more, others := CountedBy(part, scenario)
			by, alone = append(by, more...), append(alone, others...)
		}
		return by, alone
	}
	if masker, ok := m.(ByRecord); ok {
		return slices.DeleteFunc(VariablesOf(m), func(name string) bool { return slices.Contains(masker.Masked(), name) }), nil
	}
	_, maps := m.(Regrouper)
	if _, restores := m.(Restorer); restores {
		maps = true
	}
	if weighed, ok := m.(Weighed); ok && weighed.Weighs() && scenario.Weight != "" {
		maps = false
	}
	if maps {
		return nil, VariablesOf(m)
	}
	return VariablesOf(m), nil
}

// CheckRows returns an error that wraps ErrInput and says why, where rows of the
// data stand for several records and the method does not work there.
func CheckRows(m Method, in Input) error {
	if !in.Data.Grouped() {
		return nil
	}
	reason := OnGroups(m, in.Scenario)
	if reason == "" {
		return nil
	}
	return fmt.Errorf("the step %w: their rows stand for several records each, and %s", ErrInput, reason)
}

// Apply applies a method, its parameters validated, to data that it works on: see
// CheckRows.
func Apply(ctx context.Context, m Method, in Input, meter *progress.Meter) (Output, error) {
	if err := cmp.Or(ctx.Err(), CheckRows(m, in)); err != nil {
		return Output{}, err
	}
	if err := Validate(m); err != nil {
		return Output{}, err
	}
	var out Output
	var err error
	m, left := withoutValueless(m, in)
	if masker, ok := m.(Masker); ok && len(left) > 0 && len(masker.Masked()) == 0 {
		return nothingToMask(in, left), nil
	}
	if regrouper, ok := m.(Regrouper); ok {
		out, err = regrouped(ctx, regrouper, in)
	} else {
		out, err = m.(Applier).Apply(ctx, in, meter) // every method is one of the two
	}
	if err == nil && meter.Fraction() == 0 {
		meter.Set(1, 1) // it is over so soon that it does not count
	}
	if err == nil && len(left) > 0 {
		out.Report.Warnings = append(out.Report.Warnings, WithoutValues(left...))
	}
	if err == nil {
		warnOfStrata(m, in, &out.Report)
	}
	out.Report.cutNames(in.Data)
	return out, err
}

// Masked returns what a step gives whose look at all records is done.
func Masked(ctx context.Context, look Look, in Input) (Output, error) {
	out, err := look.Output(ctx)
	out.Report.cutNames(in.Data)
	return out, err
}

// Account returns the report of what records drew by themselves, see ByChance.
func Account(ctx context.Context, m ByChance, in Input, after *microdata.Dataset) (Report, error) {
	report, err := m.Account(ctx, in, after)
	report.cutNames(in.Data)
	return report, err
}
