package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
	"github.com/sdcdesk/sdcdesk/engine/utility/inspect"
)

// streamStart begins the address of a file that is read in passes and never held.
const streamStart = "stream:"

// ErrStream is wrapped where something cannot be done with a file that is read in passes.
var ErrStream = errors.New("not possible with a file that is read in passes")

// stream is a file that is read in passes. Its data are the groups of its records.
type stream struct {
	identity Identity
	format   fileio.Format
	by       []string // variables that groups go by
	weight   string
	base     *microdata.Dataset        // once it was opened
	kinds    map[string]microdata.Kind // of all variables
}

var _ passing = (*stream)(nil)

// newStream describes a file as it is now, which is read in passes and of which groups are counted for
// scenarios and the variables that steps name. A role that single records need is an error
// that wraps ErrStream.
func newStream(ctx context.Context, path string, format fileio.Format, scenarios []*microdata.Scenario, named []string) (*stream, error) {
	identity, err := statted(path)
	if err != nil {
		return nil, err
	}
	identity.Path = streamStart + canonical(path)
	s := &stream{identity: identity, format: format}
	for _, scenario := range scenarios {
		if err := streamable(scenario); err != nil {
			return nil, err
		}
		if scenario.Weight != "" && s.weight != "" && s.weight != scenario.Weight {
			return nil, fmt.Errorf("%w: the scenarios have different weights, %s and %s; give them one", ErrStream, s.weight,
				scenario.Weight)
		}
		if s.weight == "" {
			s.weight = scenario.Weight
		}
		named = slices.Concat(named, scenario.Keys, scenario.Strata, scenario.Sensitive, scenario.PRAM)
		for _, linked := range scenario.Linked {
			named = append(named, linked...)
		}
	}
	table, err := fileio.Preview(ctx, path, format, 1)
	if err != nil {
		return nil, err
	}
	for _, name := range table.Names { // others a step makes
		if slices.Contains(named, name) {
			s.by = append(s.by, name)
		}
	}
	if slices.Contains(s.by, s.weight) && s.weight != "" {
		return nil, fmt.Errorf("%w: the weight %s is added up in groups, and a step or another role names it", ErrStream, s.weight)
	}
	return s, nil
}

// streamable reports roles for which single records would be needed.
func streamable(scenario *microdata.Scenario) error {
	var roles []string
	if scenario.Household != "" {
		roles = append(roles, scenario.Household+" identifies households")
	}
	for _, name := range scenario.Numeric {
		roles = append(roles, name+" is a numeric key variable")
	}
	if len(roles) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s; groups of records do not tell these: take the roles out of the scenario, or open the file without --stream",
		ErrStream, wording.Listed(roles))
}

// Identity returns the address, the size and the time of the last change.
func (s *stream) Identity() Identity { return s.identity }

// File returns the path.
func (s *stream) File() string { return strings.TrimPrefix(s.identity.Path, streamStart) }

// Format returns how the file is read.
func (s *stream) Format() fileio.Format { return s.format }

// Changed compares size and time.
func (s *stream) Changed() bool { return changed(s.File(), &s.identity) }

// unchanged returns an error where the size or the time of the file is not what it was: what
// nobody counts may be otherwise.
func (s *stream) unchanged() error {
	if s.Changed() {
		return streamed.ErrChanged
	}
	return nil
}

// Open describes the variables and counts the groups, in one pass.
func (s *stream) Open(ctx context.Context, meter *progress.Meter) (Opening, error) {
	passed, err := fileio.ReadPass(ctx, s.File(), s.format, &fileio.Pass{By: s.by, Sum: s.weight, Describe: true}, meter)
	if err != nil {
		return Opening{}, err
	}
	if passed.Records == 0 {
		return Opening{}, fmt.Errorf("%w: %s has no records", ErrStream, filepath.Base(s.File()))
	}
	open := *s
	open.format, open.kinds = passed.Format, passed.Kinds()
	if open.base, err = describedGroups(passed); err != nil {
		return Opening{}, err
	}
	return Opening{Source: &open, Name: filepath.Base(s.File()), Data: open.base, Warnings: passed.Warnings}, nil
}

// describedGroups returns the groups with all variables of the file, those that they are not counted
// by as far as they are described. Without groups one row stands for all records.
func describedGroups(passed *fileio.Passed) (*microdata.Dataset, error) {
	multiplicity, spellings := []uint32{uint32(passed.Records)}, map[string]*microdata.Spelling{}
	if passed.Groups != nil {
		multiplicity = passed.Groups.Multiplicity()
	}
	columns := make([]*microdata.Column, len(passed.Variables))
	for i := range passed.Variables {
		v := &passed.Variables[i]
		if passed.Groups != nil {
			if column, ok := passed.Groups.Column(v.Name); ok {
				columns[i], spellings[v.Name] = column, passed.Groups.Spelling(v.Name)
				continue
			}
		}
		levels, counts := []microdata.Level(nil), []int{v.Blank}
		if v.Column != nil {
			levels, counts = v.Column.Categories().Levels, v.Column.Categories().Counts()
		}
		columns[i] = microdata.NewUncounted(v.Name, v.Kind, levels, counts, len(multiplicity)).WithDescription(v.Said)
	}
	data, err := microdata.NewGrouped(columns, multiplicity)
	if err != nil {
		return nil, err
	}
	return data.WithSpellings(spellings), nil
}

func (s *stream) dealt(ctx context.Context, before []*streamed.Deal, step *stepped, meter *progress.Meter) (
	*microdata.Dataset, *streamed.Deal, error) {
	deal, err := streamed.NewDeal(ctx, step.in, step.out, step.by)
	if err != nil || deal == nil {
		return step.out, nil, err
	}
	counting := streamed.NewCounting(before, deal)
	pass := &fileio.Pass{By: s.by, Sum: s.weight, InOrder: func(p *fileio.Piece) error {
		return counting.Add(p.Groups, p.Sums, p.Decimals)
	}}
	passed, err := fileio.ReadPass(ctx, s.File(), s.format, pass, meter)
	if err == nil {
		err = cmp.Or(streamed.Unchanged(passed, s.base), s.unchanged())
	}
	if err != nil {
		return nil, nil, err
	}
	data, err := counting.Data(step.in, s.weight)
	return data, deal, err
}

func (s *stream) release(ctx context.Context, d *Document, path string, o fileio.WriteOptions, staging *fileio.Staging,
	meter *progress.Meter) (*fileio.WriteReport, error) {
	if err := fileio.CanRewrite(path, s.format); err != nil {
		return nil, err
	}
	r := &streamed.Release{Path: s.File(), Format: s.format, By: s.by, Kinds: s.kinds, Base: s.base, Data: d.Data,
		Deals: dealsOf(nil, d.Steps)}
	to := fileio.FormatFor(path, s.format)
	var report *fileio.WriteReport
	err := staging.AddChecked(path, func(w io.Writer) (err error) {
		zip, err := fileio.Compressing(path, w)
		if err != nil {
			return err
		}
		report, err = r.Write(ctx, zip, to, o, meter)
		return cmp.Or(errors.Join(err, zip.Close()), s.unchanged())
	}, func(temporary string) error {
		return streamed.Verify(ctx, temporary, to, d.Data, &d.Scenario, nil)
	})
	return report, err
}

// underScenarios returns all scenarios that a script has, and that its steps were made under.
func (s *Script) underScenarios() []*microdata.Scenario {
	all := append(slices.Clone(s.tree.scenarios.scenarios), &s.Scenario)
	for i := range s.Steps {
		all = append(all, s.Steps[i].scenario)
	}
	return all
}

// named returns the variables that the steps of a script name.
func (s *Script) named() (names []string) {
	for i := range s.Steps {
		for _, p := range s.Steps[i].method.Params() {
			if some, of := p.Named(); of == "" {
				names = append(names, some...)
			}
		}
	}
	return names
}

// notLookedAt says what the check before release does not see of data whose records are not held.
func notLookedAt(data *microdata.Dataset) string {
	text := "the check before release did not look at what needs single records: " + wording.Listed(check.OfRecords())
	var many []string
	for _, column := range data.Columns() {
		if column.ManyValued() {
			many = append(many, column.Name())
		}
	}
	if len(many) > 0 {
		text += "; nor at the values of variables that have too many to be kept: " + strings.Join(many, ", ")
	}
	return text + "; \"sdcdesk check\" does on the protected file, where it fits into memory"
}

// Inspect tells what is in a text file that is read in passes: one describes the variables, one counts
// the groups by those that an intruder may know. Warnings of reading it come with it.
func Inspect(ctx context.Context, path string, format fileio.Format, measures measure.Catalog) (*inspect.Report, []string,
	error) {
	var start *microdata.Dataset
	pass := &fileio.Pass{Describe: true, Beside: func(ctx context.Context, p *fileio.Piece) (_ func() error, err error) {
		if p.First == 0 && start == nil {
			start, err = p.Data(ctx)
		}
		return nil, err
	}}
	passed, err := fileio.ReadPass(ctx, path, format, pass, nil)
	if err != nil {
		return nil, nil, err
	}
	if passed.Records == 0 {
		return nil, nil, fmt.Errorf("%w: %s has no records", ErrStream, filepath.Base(path))
	}
	described, err := describedGroups(passed)
	if err != nil {
		return nil, nil, err
	}
	count := func(by []string, weight string) (*microdata.Dataset, error) {
		s := &stream{identity: Identity{Path: path}, format: passed.Format, by: by, weight: weight}
		opening, err := s.Open(ctx, nil)
		return opening.Data, err
	}
	found, err := inspect.Counted(ctx, described, start, count, measures)
	return found, passed.Warnings, err
}
