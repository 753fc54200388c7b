package session

import (
	"context"
	"maps"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// CheckOptions select the file to check and what is known about it.
type CheckOptions struct {
	File     string // the file to be released
	Original string // its original; "": unknown
	Script   string // the steps that produced it; "": unknown
	// Scenario has the roles if there is no script; nil: the suggested roles.
	Scenario *microdata.Scenario
	// Run has the options for reading files, the methods, and the receiver of warnings.
	Run RunOptions
}

// CheckFile checks an existing file. With a script, its steps are applied to the original: if the result is the
// file, the guarantees and the masking are known.
func CheckFile(ctx context.Context, o CheckOptions) ([]check.Finding, error) {
	analyst := NewAnalyst().With(o.Run.Catalog).Recognising(o.Run.Patterns)
	opening, err := o.Run.read(ctx, o.File)
	if err != nil {
		return nil, err
	}
	released, notes := opening.Data, opening.Source.Format().Metadata.Texts()
	if o.Script != "" {
		return o.replayed(ctx, analyst, released, notes)
	}
	scenario := o.Scenario
	if scenario == nil {
		scenario = suggestedScenario(released, o.Run.Patterns)
	} else if err := scenario.Check(released); err != nil {
		return nil, err
	}
	in := check.Input{Released: analyst.version(released, scenario), Unknown: true, File: o.File,
		Notes: notes, Patterns: o.Run.Patterns}
	if o.Original != "" {
		source, err := o.Run.read(ctx, o.Original)
		if err != nil {
			return nil, err
		}
		o.compare(&in, analyst.version(source.Data, Fitted(scenario, source.Data)))
	}
	switch {
	case len(scenario.Keys) == 0:
		o.Run.warn("no key variables are given or suggested, so sample uniques were not checked; use --keys")
	case in.Original == nil:
		o.Run.warn("inference of protected values was not checked, because it needs the original records; add --against " +
			"ORIGINAL, and --script SCRIPT if the order differs")
	}
	return check.Findings(ctx, in, nil)
}

// read reads a file with the options.
func (o *RunOptions) read(ctx context.Context, path string) (Opening, error) {
	run := *o
	run.File = path
	return run.open(ctx, &Script{})
}

// suggestedScenario assigns the suggested roles, except removal and a guessed household ID.
func suggestedScenario(data *microdata.Dataset, patterns *identify.Patterns) *microdata.Scenario {
	scenario := microdata.NewScenario()
	for _, suggestion := range microdata.SuggestBy(data, patterns) {
		if suggestion.Role != microdata.RoleRemoved && !suggestion.Guessed() {
			scenario.Assign(suggestion.Variable, suggestion.Role)
		}
	}
	return Fitted(&scenario, data)
}

// compare completes the input of a check from the original: which values are unchanged, and which variables have
// random IDs instead of their values.
func (o *CheckOptions) compare(in *check.Input, source *measure.Version) {
	in.Source, in.Unknown = source, false
	released := in.Released.Data()
	if aligned(released, source.Data()) {
		in.Original, in.SourceOrder = source, true
	}
	in.Untouched = released.Len() == source.Data().Len()
	for _, column := range released.Columns() {
		was, ok := source.Data().Column(column.Name())
		same := ok && sameValues(column, was)
		if in.Untouched = in.Untouched && same; ok && !same && check.Renumbered(column) {
			in.Replaced = append(in.Replaced, column.Name())
		}
	}
}

// replayed checks a file using the steps of its script.
func (o *CheckOptions) replayed(ctx context.Context, analyst *Analyst, released *microdata.Dataset,
	notes []string) ([]check.Finding, error) {
	run := o.Run
	run.Script, run.File = o.Script, o.Original
	document, err := Perform(ctx, run)
	if err != nil {
		return nil, err
	}
	options := ExportOptions{Path: o.File}
	made := document.released()
	differ, moved := differing(released, made)
	for _, column := range released.Columns() {
		if slices.Contains(differ, column.Name()) && check.Renumbered(column) {
			options.NewIdentifiers = append(options.NewIdentifiers, column.Name())
		}
	}
	differ = slices.DeleteFunc(differ, func(name string) bool { return slices.Contains(options.NewIdentifiers, name) })
	options.RandomOrder = moved
	in, err := document.checked(options, analyst)
	if err != nil {
		return nil, err
	}
	if len(differ) > 0 {
		scenario := Fitted(&document.Scenario, released)
		in = check.Input{Released: analyst.version(released, scenario), Steps: in.Steps, File: o.File, Patterns: in.Patterns,
			Replaced: in.Replaced, Differing: differ}
		o.compare(&in, analyst.version(document.Base, Fitted(&document.Scenario, document.Base)))
	}
	in.Notes = notes
	if in.Tables, err = document.Tables(ctx, analyst); err != nil {
		return nil, err
	}
	return check.Findings(ctx, in, nil)
}

// differing returns the variables that only one of two files has or whose values differ, and whether the records
// are in another order.
func differing(released, made *microdata.Dataset) (names []string, moved bool) {
	for _, column := range made.Columns() {
		if is, ok := released.Column(column.Name()); !ok || !sameValues(is, column) {
			names = append(names, column.Name())
		}
	}
	for _, column := range released.Columns() {
		if _, ok := made.Column(column.Name()); !ok {
			names = append(names, column.Name())
		}
	}
	return names, !aligned(released, made)
}

// sameValues reports whether two variables have the same values with the same frequencies.
func sameValues(a, b *microdata.Column) bool { return maps.Equal(valuesOf(a), valuesOf(b)) }

// valuesOf counts the records of every value. Numbers are compared as numbers, whatever their spelling; missing is
// a value.
func valuesOf(c *microdata.Column) map[any]int {
	categories := c.Categories()
	counts := map[any]int{"": categories.Counts()[0]}
	for i, level := range categories.Levels {
		count := categories.Counts()[i+1]
		switch {
		case count == 0:
		case level.NumberLevel():
			counts[level.Value] += count
		default:
			counts[level.Label] += count
		}
	}
	return counts
}

// aligned reports whether two files seem to have the same records in the same order: most cells of their common
// variables agree, more than by chance.
func aligned(a, b *microdata.Dataset) bool {
	if a.Len() != b.Len() || a.Len() == 0 {
		return false
	}
	agreeing, expected, cells := 0.0, 0.0, 0
	for _, column := range a.Columns() {
		other, ok := b.Column(column.Name())
		if !ok {
			continue
		}
		share, chance := agreement(column.Categories(), other.Categories())
		agreeing, expected, cells = agreeing+share, expected+chance, cells+1
	}
	return cells > 0 && agreeing-expected >= (float64(cells)-expected)/2
}

// agreement returns the share of records with the same category in both, and the share expected by chance.
func agreement(a, b *microdata.Categories) (share, chance float64) {
	same := microdata.SameLabels(a.Levels, b.Levels)
	agree, n := 0, 0
	for _, pairs := range microdata.Pairs(a.Codes, b.Codes) {
		for _, pair := range pairs {
			if n++; same[pair[0]] == pair[1] {
				agree++
			}
		}
	}
	for code, count := range a.Counts() {
		chance += float64(count) * float64(b.Counts()[same[code]]) / float64(n) / float64(n)
	}
	return float64(agree) / float64(n), chance
}
