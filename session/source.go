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

// Source is where the data of a session come from, and how they are read: a file, tables of a database, or data
// made by the program. It is never modified.
type Source struct {
	identity Identity
	format   fileio.Format
	file     string            // file with the data; "": none
	address  *database.Address // of tables of a database; nil: none
	refused  error             // why the database address is invalid
	table    *database.Table   // the opened table; nil: none
	remake   Maker             // makes the named data; nil: they cannot be made again
}

// Identity identifies the data of a session. It is in the first line of a journal.
type Identity struct {
	Path     string    `json:"path"` // the canonical address of the data: absolute, or in angle brackets for data made by the program
	Size     int64     `json:"size"` // for a table, the number of its records
	Modified time.Time `json:"modified"`
	Hash     string    `json:"hash"` // of the dataset as read: set by the session
}

// Maker makes the data with a name, the same every time.
type Maker func(ctx context.Context, name string, meter *progress.Meter) (Opening, error)

// MethodSource is what journals can refer to: the available methods (nil: all), and data made by the program. A nil
// *MethodSource stands for all methods and no such data.
type MethodSource struct {
	Methods method.Catalog
	Remake  Maker
}

// methods returns the available methods.
func (k *MethodSource) methods() method.Catalog {
	if k == nil {
		return nil
	}
	return k.Methods
}

// Source returns the source of an address typed by the user, in its current state: a file, a name in angle
// brackets, or tables of a database. format is how it is read.
func (k *MethodSource) Source(address string, format fileio.Format) *Source {
	return k.source(Identity{Path: address}, &format)
}

// source returns the source of an identity; format is how it is read, nil: by default.
func (k *MethodSource) source(identity Identity, format *fileio.Format) *Source {
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

// isMade reports whether an address is the name, in angle brackets, of data made by the program.
func isMade(address string) bool {
	return strings.HasPrefix(address, "<") && strings.HasSuffix(address, ">")
}

// toDatabase makes the source one of database tables. The identity does not contain passwords.
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

// NewDemonstration returns the source of data made by the program, with the format to write them in.
func NewDemonstration(name string, format fileio.Format) *Source {
	return &Source{identity: Identity{Path: "<" + name + ">"}, format: format}
}

// Identity returns the identity of the data, as far as it is known without reading them.
func (s *Source) Identity() Identity { return s.identity }

// Format returns the format of the data, which is also the default for writing them; it is empty for a nil source.
func (s *Source) Format() fileio.Format {
	if s == nil {
		return fileio.Format{}
	}
	return s.format
}

// File returns the path of the file with the data, which is never written, or "" if they are not in a file.
func (s *Source) File() string { return s.file }

// Changed reports whether a file has another size or time, or is gone. Changes of other data show only when they
// are read.
func (s *Source) Changed() bool {
	if s.address != nil || s.file == "" {
		return false
	}
	now, err := statted(s.file)
	return err != nil || now.Size != s.identity.Size || !now.Modified.Equal(s.identity.Modified)
}

// Elsewhere returns the source with a path and format of another computer, read with the memory and scratch space
// of this one.
func (s *Source) Elsewhere(path string, format fileio.Format) *Source {
	out := *s
	out.identity.Path, out.format = path, format
	return out.within(s.format.MostMemory, s.format.Scratch)
}

// reached returns the source with an address of the same table as typed by the user, which may have a password.
func (s *Source) reached(typed *Source) *Source {
	if s.address == nil || typed.address == nil || typed.identity.Path != s.identity.Path {
		return s
	}
	out := *s
	out.address = typed.address
	return &out
}

// within returns the source with the given memory limit and scratch space.
func (s *Source) within(memory int64, scratch *store.Store) *Source {
	out := *s
	out.format.MostMemory, out.format.Scratch = memory, scratch
	return &out
}

// Open reads the data, and returns the opening of a session.
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

// SourceOf returns the source of an address typed by the user. It is read with the format that a script describes,
// or if that is nil with a guessed one, and with the changes by change unless that is nil.
func SourceOf(ctx context.Context, address string, said *fileio.Format, change func(*fileio.Format) error) (*Source, error) {
	format, err := fileio.NewFormat(), error(nil)
	if !InDatabase((*MethodSource)(nil).Source(address, format)) {
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
	return (*MethodSource)(nil).Source(address, format), err
}

// OpenFile reads a file and returns the opening of a session. Errors are those of fileio.Read.
func OpenFile(ctx context.Context, path string, format fileio.Format, meter *progress.Meter) (Opening, error) {
	data, report, err := fileio.Read(ctx, path, format, meter)
	if err != nil {
		return Opening{}, err
	}
	identity, err := statted(path)
	return Opening{Source: (*MethodSource)(nil).source(identity, &report.Format), Data: data, Warnings: report.Warnings}, err
}

// statted returns the size and time of a file. For a folder they are the total size and the latest time of its
// files.
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

// canonical returns the absolute path of a file without symbolic links.
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

// InDatabase reports whether the data of a source are database tables, which have no format options.
func InDatabase(source *Source) bool {
	return source.address != nil || source.refused != nil || database.Is(source.identity.Path)
}

// Called returns the short name of an address: that of the file or table without its path.
func Called(address string) string {
	if table, err := database.Parse(address); err == nil {
		return table.Name()
	}
	if database.Is(address) { // an invalid address may have a password
		return "a table"
	}
	return filepath.Base(address)
}
