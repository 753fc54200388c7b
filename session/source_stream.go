package session

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/release/paged"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// streamStart begins the address of a file that is read in passes and never held.
const streamStart = "stream:"

// stream is a file that is read in passes. Its data are the groups of its records.
type stream struct {
	groups
	file
	base  *microdata.Dataset // once it was opened
	said  []fileio.Described // of all variables
	marks []fileio.Mark      // where the file can be read on from
}

var _ passing = (*stream)(nil)

// streams is the kind of source of files that are read in passes.
func streams(identity Identity, format fileio.Format) Source {
	path, ok := strings.CutPrefix(identity.Path, streamStart)
	if !ok {
		return nil
	}
	identity.Path = streamStart + canonical(path)
	return &stream{file: file{origin{identity, format}}}
}

// InPasses returns the address of a file that is to be read in passes and never held in memory.
func InPasses(path string) string { return streamStart + path }

func (s *stream) counting(need groups) Source {
	return &stream{groups: need, file: s.file}
}

func (s *stream) within(memory int64) Source {
	out := *s
	out.format.MostMemory = memory
	return &out
}

// unchanged returns an error where the size or the time of the file is not what it was: what
// nobody counts may be otherwise.
func (s *stream) unchanged() error {
	if s.Changed() {
		return streamed.ErrChanged
	}
	return nil
}

// Open describes the variables and counts the groups, in one pass. The file is that of the identity,
// where that says of which size it was.
func (s *stream) Open(ctx context.Context, meter *progress.Meter) (Opening, error) {
	open := *s
	if open.identity.Modified.IsZero() {
		now, err := statted(s.File())
		if err != nil {
			return Opening{}, err
		}
		open.identity.Size, open.identity.Modified = now.Size, now.Modified
	}
	if err := open.unchanged(); err != nil {
		return Opening{}, err
	}
	table, err := fileio.Preview(ctx, s.File(), s.format, 1)
	if err != nil {
		return Opening{}, err
	}
	if open.groups, err = s.among(table.Names); err != nil {
		return Opening{}, err
	}
	var first *microdata.Dataset
	open.marks = nil
	pass := &fileio.Pass{By: open.by, Sum: open.weight, Describe: true, Values: open.alone,
		InOrder: func(p *fileio.Piece) error {
			if p.Mark.Record > 0 {
				open.marks = append(open.marks, p.Mark)
			}
			return nil
		},
		Beside: func(ctx context.Context, p *fileio.Piece) (_ func() error, err error) {
			if p.First == 0 && first == nil {
				first, err = p.Data(ctx)
			}
			return nil, err
		}}
	passed, err := fileio.ReadPass(ctx, s.File(), s.format, pass, meter)
	switch {
	case err != nil:
		return Opening{}, err
	case passed.Records == 0:
		return Opening{}, Unheld("%s has no records", filepath.Base(s.File()))
	}
	if err := open.unchanged(); err != nil {
		return Opening{}, err
	}
	open.format, open.said = passed.Format, passed.Variables
	if open.base, err = open.described(passed); err != nil {
		return Opening{}, err
	}
	data, err := open.withHouseholds(ctx, open.base, nil, meter)
	return Opening{Source: &open, Name: filepath.Base(s.File()), Data: data, First: first, Warnings: passed.Warnings}, err
}

// withHouseholds reads each in a pass.
func (s *stream) withHouseholds(ctx context.Context, data *microdata.Dataset, deals []*streamed.Deal,
	meter *progress.Meter) (*microdata.Dataset, error) {
	return s.groups.told(data, func(variable string) (*microdata.Households, error) {
		found, err := s.released(data, deals).Households(ctx, variable, meter)
		return found, cmp.Or(err, s.unchanged())
	})
}

// released is what steps come to.
func (s *stream) released(data *microdata.Dataset, deals []*streamed.Deal) *streamed.Release {
	return &streamed.Release{Path: s.File(), Format: s.format, By: s.by, Base: s.base, Data: data,
		Known: (&fileio.Passed{Variables: s.said}).Known(), Deals: deals}
}

// described returns the groups with all variables of the file, those that they are not counted
// by as far as they are described. Without groups one row stands for all records.
func (g groups) described(passed *fileio.Passed) (*microdata.Dataset, error) {
	multiplicity, spellings := []int{passed.Records}, map[string]*microdata.Spelling{}
	if passed.Groups != nil {
		multiplicity = passed.Groups.Multiplicity()
	}
	columns := make([]*microdata.Column, len(passed.Variables))
	for i := range passed.Variables {
		v := &passed.Variables[i]
		var counted *microdata.Column
		if passed.Groups != nil {
			counted, _ = passed.Groups.Column(v.Name)
		}
		if counted != nil && counted == v.Column {
			columns[i], spellings[v.Name] = counted, passed.Groups.Spelling(v.Name)
			continue
		}
		levels, counts := []microdata.Level(nil), []int{v.Blank}
		if v.Column != nil {
			levels, counts = v.Column.Categories().Levels, v.Column.Categories().Counts()
			spellings[v.Name] = v.Spelling
		}
		columns[i] = microdata.NewUncounted(v.Name, v.Kind, v.Said, levels, counts, len(multiplicity))
		if counted != nil {
			columns[i] = counted.Summing(columns[i])
		}
	}
	for _, column := range columns {
		if slices.Contains(g.alone, column.Name()) && column.ManyValued() {
			return nil, Unheld("%s has more than %s different values, and no more are kept to make steps on them; round it "+
				"where the data come from, or open a file with the records in memory", column.Name(),
				wording.Number(fileio.MostValues))
		}
	}
	data, err := microdata.NewGrouped(columns, multiplicity)
	if err != nil {
		return nil, err
	}
	return data.WithSpellings(spellings), nil
}

func (s *stream) dealt(ctx context.Context, before []*streamed.Deal, deal *streamed.Deal, data *microdata.Dataset,
	meter *progress.Meter) (*microdata.Dataset, error) {
	if deal.Together() {
		if err := s.released(data, before).Find(ctx, deal, meter); err != nil {
			return nil, err
		}
	}
	counting := streamed.NewCounting(before, deal)
	pass := &fileio.Pass{By: s.by, Sum: s.weight, InOrder: func(p *fileio.Piece) error {
		return counting.Add(p.Groups, p.Sums, p.Decimals)
	}}
	values := streamed.NewValues(data, deal)
	if len(values.Columns()) > 0 {
		pass.Known, pass.Beside = (&fileio.Passed{Variables: s.said}).Known(), values.Piece
	}
	passed, err := fileio.ReadPass(ctx, s.File(), s.format, pass, meter)
	if err == nil {
		err = cmp.Or(streamed.Unchanged(passed, s.base), s.unchanged())
	}
	if err != nil {
		return nil, err
	}
	after, err := counting.Data(data, s.weight)
	if err != nil {
		return nil, err
	}
	return values.Data(after), nil
}

func (s *stream) looks() error { return nil }

func (s *stream) look(ctx context.Context, data *microdata.Dataset, deals []*streamed.Deal, variables []string,
	look method.Look, meter *progress.Meter) error {
	err := s.released(data, deals).Look(ctx, variables, look.Secrets(), meter, look.Add)
	return cmp.Or(err, s.unchanged())
}

func (s *stream) page(ctx context.Context, base *microdata.Dataset, w *paged.Wanted, meter *progress.Meter) (*paged.Page,
	error) {
	if err := s.unchanged(); err != nil {
		return nil, err
	}
	file := &paged.File{Path: s.File(), Format: s.format, Variables: s.said, Records: base.Records(), Marks: s.marks}
	page, err := file.Page(ctx, w, meter)
	if err == nil {
		page.Groups, err = (&streamed.Release{By: s.by, Base: base}).GroupsOf(page.Data)
	}
	return page, cmp.Or(s.unchanged(), err)
}

func (s *stream) writes(path string) error { return fileio.CanRewrite(path, s.format) }

func (s *stream) release(ctx context.Context, d *Document, path string, o fileio.WriteOptions, staging *fileio.Staging,
	meter *progress.Meter) (*fileio.WriteReport, error) {
	r := s.released(d.Data, dealsOf(nil, d.Steps))
	to := fileio.FormatFor(path, s.format)
	return written(staging, path, func(w io.Writer) (*fileio.WriteReport, error) {
		report, err := r.Write(ctx, w, to, o, meter)
		return report, cmp.Or(err, s.unchanged())
	}, func(temporary string) error {
		return r.Verify(ctx, temporary, to, &d.Scenario, o.Drop, nil)
	})
}

// written has a protected file written, compressed as its name wants it, and then checked.
func written(staging *fileio.Staging, path string, write func(io.Writer) (*fileio.WriteReport, error),
	check func(temporary string) error) (report *fileio.WriteReport, err error) {
	err = staging.AddChecked(path, func(w io.Writer) error {
		zip, err := fileio.Compressing(path, w)
		if err != nil {
			return err
		}
		report, err = write(zip)
		return errors.Join(err, zip.Close())
	}, check)
	return report, err
}
