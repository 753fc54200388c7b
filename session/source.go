package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Source is where the data of a session come from, and how they are read there: a file, tables
// of a database, or data that the program makes. It is never modified.
type Source struct {
	identity Identity
	format   fileio.Format
	file     string            // that the data are in; "": none
	address  *database.Address // of tables of a database; nil: the data are in none
	refused  error             // why an address of a database is none
	table    *database.Table   // that was opened; nil: none was
	remake   Maker             // makes data of a name; nil: they cannot be made again
}

// Identity says which data a session is on. It stands in the first line of a journal.
type Identity struct {
	Path     string    `json:"path"` // the one address of the data: absolute, or in angle brackets for data that are made
	Size     int64     `json:"size"` // of a table, the number of its records
	Modified time.Time `json:"modified"`
	Hash     string    `json:"hash"` // of the dataset as it was read: the session sets it
}

// Maker makes the data of a name, the same every time.
type Maker func(ctx context.Context, name string, meter *progress.Meter) (Opening, error)

// Known is what journals can name: methods of which steps are made (nil: all that there are), and data that
// are made. nil in its place stands for all methods, and for no data that are made.
type Known struct {
	Methods method.Catalog
	Remake  Maker
}

// methods returns the methods that are known.
func (k *Known) methods() method.Catalog {
	if k == nil {
		return nil
	}
	return k.Methods
}

// Source returns the source of an address as somebody typed it, as it is now: that of a file, a name in
// angle brackets, or tables of a database. The format says how it is read.
func (k *Known) Source(address string, format fileio.Format) *Source {
	return k.source(Identity{Path: address}, &format)
}

// source returns the source of an identity; the format says how it is read, nil: plainly.
func (k *Known) source(identity Identity, format *fileio.Format) *Source {
	s := &Source{identity: identity}
	if format != nil {
		s.format = *format
	}
	switch {
	case isMade(identity.Path):
		if k != nil {
			s.remake = k.Remake
		}
	case database.Is(identity.Path):
		s.toDatabase()
	default:
		s.identity.Path = canonical(identity.Path)
		s.file = s.identity.Path
	}
	return s
}

// isMade reports whether an address is the name of data that are made, in angle brackets.
func isMade(address string) bool {
	return strings.HasPrefix(address, "<") && strings.HasSuffix(address, ">")
}

// toDatabase makes the source one of tables. Passwords of addresses are kept from the identity.
func (s *Source) toDatabase() {
	s.address, s.refused = database.Parse(s.identity.Path)
	s.identity.Path = ""
	read := fileio.NewFormat()
	if s.refused == nil {
		s.identity.Path, s.file = s.address.String(), s.address.File()
		read.Count = s.address.Count()
	}
	read.Columns, read.MostMemory, read.Scratch = s.format.Columns, s.format.MostMemory, s.format.Scratch
	if len(s.format.Missing) > 0 {
		read.Missing = s.format.Missing
	}
	s.format = read
}

// NewDemonstration describes data of a name that the program made, and how they are
// spelled in files.
func NewDemonstration(name string, format fileio.Format) *Source {
	return &Source{identity: Identity{Path: "<" + name + ">"}, format: format}
}

// Identity says which data they are, as far as that is known without reading them.
func (s *Source) Identity() Identity { return s.identity }

// Format says how the data are spelled; files with them are written in the same way
// where nothing else is asked for. Nothing is known without a source.
func (s *Source) Format() fileio.Format {
	if s == nil {
		return fileio.Format{}
	}
	return s.format
}

// File returns the path of the file that the data are in, which is never written; ""
// where they are in none.
func (s *Source) File() string { return s.file }

// Changed reports whether a file has another size or time, or is gone. Whether other data are the same
// shows when they are read.
func (s *Source) Changed() bool {
	if s.address != nil || s.file == "" {
		return false
	}
	now, err := statted(s.file)
	return err != nil || now.Size != s.identity.Size || !now.Modified.Equal(s.identity.Modified)
}

// Elsewhere returns the source with the path and the format that it had at another place. It is read with the memory
// and scratch space that it is read with here.
func (s *Source) Elsewhere(path string, format fileio.Format) *Source {
	out := *s
	out.identity.Path, out.format = path, format
	return out.within(s.format.MostMemory, s.format.Scratch)
}

// reached returns the source with the address of the same table that somebody typed, which may have a password.
func (s *Source) reached(typed *Source) *Source {
	if s.address == nil || typed.address == nil || typed.identity.Path != s.identity.Path {
		return s
	}
	out := *s
	out.address = typed.address
	return &out
}

// within returns the source as it is read with so much memory and scratch space.
func (s *Source) within(memory int64, scratch *store.Store) *Source {
	out := *s
	out.format.MostMemory, out.format.Scratch = memory, scratch
	return &out
}

// Open reads the data, and returns what a session on them starts from.
func (s *Source) Open(ctx context.Context, meter *progress.Meter) (Opening, error) {
	switch {
	case s.refused != nil:
		return Opening{}, s.refused
	case s.address != nil:
		opened, data, report, err := database.Read(ctx, s.address, s.format, meter)
		if err != nil {
			return Opening{}, err
		}
		out := *s
		out.table, out.format, out.identity.Size = opened, report.Format, int64(data.Len())
		return Opening{Source: &out, Name: s.address.Name(), Data: data, Warnings: report.Warnings}, nil
	case s.file != "":
		return OpenFile(ctx, s.file, s.format, meter)
	case s.remake == nil:
		return Opening{}, fmt.Errorf("%s is not a file: open the demonstration", s.identity.Path)
	}
	return s.remake(ctx, strings.Trim(s.identity.Path, "<>"), meter)
}

// SourceOf returns the source of an address as somebody typed it, read as a script says (nil: as the
// first bytes of a file suggest) and as change changes that; nil: it stays.
func SourceOf(ctx context.Context, address string, said *fileio.Format, change func(*fileio.Format) error) (*Source, error) {
	format, err := fileio.NewFormat(), error(nil)
	if !InDatabase((*Known)(nil).Source(address, format)) {
		address, err = fileio.DataFile(address)
	}
	switch {
	case err != nil:
	case said != nil:
		format = *said
	case !database.Is(address):
		format, err = fileio.GuessFile(ctx, address, nil)
	}
	if err == nil && change != nil {
		err = change(&format)
	}
	return (*Known)(nil).Source(address, format), err
}

// OpenFile reads a file and returns what a session on it starts from. Errors
// are those of fileio.Read.
func OpenFile(ctx context.Context, path string, format fileio.Format, meter *progress.Meter) (Opening, error) {
	data, report, err := fileio.Read(ctx, path, format, meter)
	if err != nil {
		return Opening{}, err
	}
	identity, err := statted(path)
	return Opening{Source: (*Known)(nil).source(identity, &report.Format), Data: data, Warnings: report.Warnings}, err
}

// statted says how a file is now: its size and its time. Those of a folder are the sum and the last of its files.
func statted(path string) (Identity, error) {
	files, err := fileio.Files(path)
	if err != nil {
		return Identity{}, err
	}
	of := Identity{Path: path}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return Identity{}, err
		}
		of.Size += info.Size()
		if modified := info.ModTime().UTC(); modified.After(of.Modified) {
			of.Modified = modified
		}
	}
	return of, nil
}

// canonical returns the one absolute path of a file, symbolic links followed.
func canonical(path string) string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(absolute); err == nil {
		return real
	}
	return absolute
}

// InDatabase reports whether the data of a source are tables of a database, so that how they are read is not chosen.
func InDatabase(source *Source) bool {
	return source.address != nil || source.refused != nil || database.Is(source.identity.Path)
}

// Called returns what data of an address are called: a file or a table by its name alone.
func Called(address string) string {
	if table, err := database.Parse(address); err == nil {
		return table.Name()
	}
	if database.Is(address) { // what cannot be read may have a password
		return "a table"
	}
	return filepath.Base(address)
}
