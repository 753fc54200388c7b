package session

import (
	"context"
	"crypto/rand"
	"io"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/database"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/release/paged"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// table is a table of a database, which counts its groups, deals out what steps take from single
// records, and writes the protected table.
type table struct {
	groups
	origin  // with the address without a password, and the number of records
	address *database.Address
	refused error              // why the address is none
	opened  *database.Table    // nil: it was not opened
	counted *database.Groups   // when it was opened
	first   *microdata.Dataset // likewise
	said    []fileio.Described // of all columns, likewise
}

var _ passing = (*table)(nil)

// tables is the kind of source of tables. Passwords of addresses are kept from the identity.
func tables(identity Identity, format fileio.Format) Source {
	if !database.Is(identity.Path) {
		return nil
	}
	address, err := database.Parse(identity.Path)
	if identity.Path = ""; err == nil {
		identity.Path = address.String()
	}
	read := fileio.NewFormat()
	if len(format.Missing) > 0 {
		read.Missing = format.Missing
	}
	return &table{origin: origin{identity, read}, address: address, refused: err}
}

func (s *table) counting(need groups) Source {
	out := *s
	out.groups = need
	return &out
}

// drawing returns the source with another secret of which records lose cells.
func (s *table) drawing(secret string) Source {
	out := *s
	out.identity.Secret = secret
	return &out
}

// reached returns the source, with the way to the same table that somebody typed, which may have a password.
func (s *table) reached(typed Source) Source {
	other, ok := typed.(*table)
	if !ok || other.identity.Path != s.identity.Path {
		return s
	}
	out := *s
	out.address = other.address
	return &out
}

// File returns the path of a database that is one file.
func (s *table) File() string {
	if s.refused != nil {
		return ""
	}
	return s.address.File()
}

// Changed reports nothing: that asks the database, which Open does.
func (s *table) Changed() bool { return false }

// Open describes the columns and counts the groups. The table is that of the identity, where that says how
// many records it had, and as it was when it was opened before.
func (s *table) Open(ctx context.Context, meter *progress.Meter) (Opening, error) {
	if s.refused != nil {
		return Opening{}, s.refused
	}
	out := *s
	var err error
	if out.opened == nil {
		if out.opened, err = database.Open(ctx, s.address, s.format.Missing); err != nil {
			return Opening{}, err
		}
		if out.first, err = out.opened.First(ctx, microdata.LookedAt); err != nil {
			return Opening{}, err
		}
		if s.identity.Size != 0 && (s.identity.Size != int64(out.opened.Records) || s.identity.Sum != out.opened.Sum) {
			return Opening{}, streamed.ErrChanged
		}
	}
	if out.opened.Records == 0 {
		return Opening{}, Unheld("%s has no records", s.address.Name())
	}
	out.identity.Sum = out.opened.Sum
	if out.identity.Size = int64(out.opened.Records); out.identity.Secret == "" {
		out.identity.Secret = rand.Text()
	}
	names := make([]string, len(out.opened.Columns))
	for i := range names {
		names[i] = out.opened.Columns[i].Name
	}
	if out.groups, err = s.among(names); err != nil {
		return Opening{}, err
	}
	counted, passed, err := out.opened.Pass(ctx, out.by, out.weight, out.alone, out.said, meter)
	if err != nil {
		return Opening{}, err
	}
	out.said = passed.Variables
	out.counted = counted
	base, err := out.described(passed)
	if err == nil {
		base, err = out.withHouseholds(ctx, base, nil, meter)
	}
	return Opening{Source: &out, Name: s.address.Name(), Data: base, First: out.first}, err
}

func (s *table) withHouseholds(ctx context.Context, data *microdata.Dataset, deals []*streamed.Deal,
	_ *progress.Meter) (*microdata.Dataset, error) {
	return s.groups.told(data, func(variable string) (*microdata.Households, error) {
		column, _ := data.Column(variable)
		return s.opened.Households(ctx, s.released(data, deals, nil), variable, column.Numeric())
	})
}

// released is what steps come to.
func (s *table) released(data *microdata.Dataset, deals []*streamed.Deal, drop []string) *database.Release {
	return &database.Release{Groups: s.counted, Data: data, Deals: deals, Drop: drop, Secret: s.identity.Secret}
}

func (s *table) dealt(ctx context.Context, before []*streamed.Deal, deal *streamed.Deal, data *microdata.Dataset,
	meter *progress.Meter) (*microdata.Dataset, error) {
	return s.opened.Count(ctx, s.released(nil, before, nil), data, deal, meter)
}

func (s *table) looks() error { return s.opened.Looks() }

func (s *table) look(ctx context.Context, data *microdata.Dataset, deals []*streamed.Deal, variables []string,
	look method.Look, meter *progress.Meter) error {
	return s.opened.Look(ctx, s.released(data, deals, nil), variables, look.Secrets(), look.Add, meter)
}

func (s *table) page(ctx context.Context, _ *microdata.Dataset, w *paged.Wanted, _ *progress.Meter) (*paged.Page, error) {
	return s.opened.Page(ctx, w, s.said, s.counted)
}

func (s *table) writes(path string) error {
	if database.Is(path) {
		_, err := database.ParseTarget(path)
		return err
	}
	return fileio.CanRewrite(path, s.format)
}

func (s *table) release(ctx context.Context, d *Document, path string, o fileio.WriteOptions, staging *fileio.Staging,
	meter *progress.Meter) (*fileio.WriteReport, error) {
	r := s.released(d.Data, dealsOf(nil, d.Steps), o.Drop)
	if database.Is(path) {
		target, err := database.ParseTarget(path)
		if err != nil {
			return nil, err
		}
		staging.Before(func() error { return s.opened.Create(ctx, target, r, &d.Scenario, meter) })
		return &fileio.WriteReport{Records: d.Data.Records(), Warning: target.Caution()}, nil
	}
	to := fileio.FormatFor(path, s.format)
	return written(staging, path, func(w io.Writer) (*fileio.WriteReport, error) {
		return s.opened.Write(ctx, w, to, r, o, meter)
	}, func(temporary string) error {
		return (&streamed.Release{Format: s.format, Data: d.Data}).Verify(ctx, temporary, to, &d.Scenario, o.Drop, meter)
	})
}
