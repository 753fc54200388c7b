package session

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// table is a table of a database, or several of the same columns.
type table struct {
	origin  // with the address without a password, and the number of records
	address *database.Address
	refused error           // why the address is none
	opened  *database.Table // nil: it was not opened
}

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
	if address != nil {
		read.Count = address.Count()
	}
	read.Columns, read.MostMemory, read.Scratch = format.Columns, format.MostMemory, format.Scratch
	if len(format.Missing) > 0 {
		read.Missing = format.Missing
	}
	return &table{origin: origin{identity, read}, address: address, refused: err}
}

// reached returns the source with the address of the same table that somebody typed, which may have a password.
func (s *table) reached(typed Source) Source {
	other, ok := typed.(*table)
	if !ok || other.identity.Path != s.identity.Path {
		return s
	}
	out := *s
	out.address = other.address
	return &out
}

func (s *table) within(memory int64, scratch *store.Store) Source {
	out := *s
	out.format.MostMemory, out.format.Scratch = memory, scratch
	return &out
}

// File returns the path of a database that is one file.
func (s *table) File() string {
	if s.refused != nil {
		return ""
	}
	return s.address.File()
}

// Changed reports nothing: whether the records are the same shows when they are read.
func (s *table) Changed() bool { return false }

// Open reads the records.
func (s *table) Open(ctx context.Context, meter *progress.Meter) (Opening, error) {
	if s.refused != nil {
		return Opening{}, s.refused
	}
	opened, data, report, err := database.Read(ctx, s.address, s.format, meter)
	if err != nil {
		return Opening{}, err
	}
	out := *s
	out.opened, out.format, out.identity.Size = opened, report.Format, int64(data.Len())
	return Opening{Source: &out, Name: s.address.Name(), Data: data, Warnings: report.Warnings}, nil
}

// createTable writes data of the document without the variables that it removes as a new table.
func (d *Document) createTable(ctx context.Context, address string, data *microdata.Dataset, meter *progress.Meter) error {
	target, err := database.ParseTarget(address)
	if err != nil {
		return err
	}
	if data.Grouped() {
		return database.CreateCounted(ctx, target, d.counted(), &d.Scenario)
	}
	return database.Create(ctx, target, data.Without(d.dropped()), d.table(), &d.Scenario, meter)
}

// table returns the table that was read; nil: the data are those of a file.
func (d *Document) table() *database.Table {
	if source, ok := d.Source.(*table); ok {
		return source.opened
	}
	return nil
}

// counted returns what the protected table of a frequency table is made of.
func (d *Document) counted() *database.Counted {
	return &database.Counted{Data: d.released(), Base: d.Base, Weights: d.Scenario.Weight, Table: d.table(),
		Name: strings.TrimSuffix(d.Name, filepath.Ext(d.Name))}
}

// IsScript reports whether the protected data of a path are an SQL script: that of data which are read as a frequency
// table.
func IsScript(path string, read fileio.Format) bool {
	return read.Count != "" && strings.EqualFold(filepath.Ext(path), ".sql")
}

// CheckName reports the name of a protected file that no data can have which are read in a way. Errors are those of
// fileio.CheckName.
func CheckName(path string, read fileio.Format) error {
	if database.Is(path) || IsScript(path, read) {
		return nil
	}
	return fileio.CheckName(path, read)
}
