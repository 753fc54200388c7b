package session

import (
	"context"
	"path/filepath"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Source is where the data of a session come from, and how they are read there. A kind
// of source is one file, with a type that is a Source, and one line in Kinds.
type Source interface {
	// Identity says which data they are, as far as that is known without reading them.
	Identity() Identity
	// Changed reports whether the data are not those of the identity any more, as far as
	// can be told without reading them.
	Changed() bool
	// File returns the path of the file that the data are in, which is never written; ""
	// where they are in none.
	File() string
	// Format says how the data are spelled; files with them are written in the same way
	// where nothing else is asked for.
	Format() fileio.Format
	// Open reads the data, and returns what a session on them starts from.
	Open(ctx context.Context, meter *progress.Meter) (Opening, error)
}

// origin is what all kinds of sources keep of the data.
type origin struct {
	identity Identity
	format   fileio.Format
}

// Identity returns it, as far as it is known.
func (o *origin) Identity() Identity { return o.identity }

// Format says how the data are read, or spelled.
func (o *origin) Format() fileio.Format { return o.format }

// InDatabase reports whether the data of a source are tables of a database, so that how they are read is not chosen.
func InDatabase(source Source) bool {
	_, is := source.(*table)
	return is || database.Is(source.Identity().Path)
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

// Identity says which data a session is on. It stands in the first line of a journal.
type Identity struct {
	Path     string    `json:"path"` // the one address of the data: absolute, or in angle brackets for data that are made
	Size     int64     `json:"size"` // of a table, the number of its records
	Modified time.Time `json:"modified"`
	Hash     string    `json:"hash"` // of the dataset as it was read: the session sets it
}

// Kind is a kind of source: it returns the source of an identity whose path is an address
// of the kind, which was read in that way; nil where it is none. The address may be as
// somebody typed it: the source has the one form of it.
type Kind func(Identity, fileio.Format) Source

// Kinds returns the kinds of sources; the first that takes an address is that of the
// source. remake makes the demonstration anew; nil: it cannot be made.
func Kinds(remake Maker) []Kind { return []Kind{demonstrations(remake), tables, files} }

// Known is what journals can name: methods of which steps are made, and kinds of sources.
// nil in its place, or in that of a list, stands for all that there are.
type Known struct {
	Methods method.Catalog
	Kinds   []Kind
}

// methods returns the methods that are known.
func (k *Known) methods() method.Catalog {
	if k == nil {
		return nil
	}
	return k.Methods
}

// Source returns the source of an address as somebody typed it, as it is now: that of a file, a name in
// angle brackets, or what else is a kind. The format says how it is read.
func (k *Known) Source(address string, format fileio.Format) Source {
	return k.source(Identity{Path: address}, &format)
}

// source returns the source of an identity; the format says how it is read, nil: plainly.
func (k *Known) source(identity Identity, format *fileio.Format) Source {
	kinds, read := Kinds(nil), fileio.Format{}
	if k != nil && k.Kinds != nil {
		kinds = k.Kinds
	}
	if format != nil {
		read = *format
	}
	for _, kind := range kinds {
		if source := kind(identity, read); source != nil {
			return source
		}
	}
	return files(identity, read)
}

// formatOf returns how the data of a source are spelled; nothing is known without one.
func formatOf(source Source) fileio.Format {
	if source == nil {
		return fileio.Format{}
	}
	return source.Format()
}
