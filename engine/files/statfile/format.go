package statfile

import (
	"context"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
)

// Settings are choices about a file by names that the format defines: sheet, version, compression. They are stored
// in scripts.
type Settings map[string]string

// Info describes a file type.
type Info struct {
	Name    string // name in scripts: "sav"
	Program string // description: "an SPSS file (sav)"
	// extensions in lower case, the usual one first; nil if such files are not written
	Endings []string
	// files may not declare their encoding, so that it is an option
	Encoded   bool
	Catalogue string // extension, in lower case, of separate files with value labels; "" if there are none
	Declares  bool   // files can declare values missing
	Packed    bool   // files are compressed as a whole, and the format decompresses them
	// files have value labels for numbers: categories that are not numbers become labelled numbers, instead of
	// text
	Labelled  bool
	FileLabel bool                       // files have a dataset label
	Notes     bool                       // files have notes or documents
	Options   func(of Settings) []Option // options of reading a file with the given settings; nil if none
}

// Format reads files of one type.
type Format interface {
	Info() Info
	// Recognise reports whether a file is of this type, from its first bytes or more if needed, and returns
	// settings for it.
	Recognise(ctx context.Context, in *Source) (Settings, bool, error)
	// Read reads a file. The meter counts bytes. The context is checked at least every 16,384 rows. Errors are
	// those of Source.Failure, or of the context.
	Read(ctx context.Context, in *Source, o ReadOptions, meter *progress.Meter) (*File, error)
}

// CatalogFormat is a Format whose value labels are in separate files.
type CatalogFormat interface {
	Format
	// Label adds the value labels of a catalogue to a file. Errors are those of Source.Failure, or of the context.
	Label(ctx context.Context, catalogue *Source, f *File, o ReadOptions) error
}

// Writer is a Format that can also be written.
type Writer interface {
	Format
	// Lacks returns sentences on what the format cannot hold of a file and changes when it is written.
	Lacks(f *File, settings Settings) []string
	// Write writes a file; the meter counts rows. Omitted settings have the defaults of a new file.
	Write(ctx context.Context, w io.Writer, f *File, settings Settings, meter *progress.Meter) error
}

// ReadOptions specify what to read. The zero value means everything.
type ReadOptions struct {
	Encoding string          // encoding of its texts, as for Charset; "" for the declared or detected one
	Columns  map[string]bool // names of the selected variables; nil for all
	Rows     int             // maximum number of rows; 0 for all
	Compact  bool            // numbers with few distinct values may be returned as Few, in an eighth of the memory
	Settings Settings
}

// Wants reports whether a variable is selected.
func (o *ReadOptions) Wants(name string) bool { return o.Columns == nil || o.Columns[name] }

// MayWant is Wants for a name as spelled in the file: names are selected as displayed, so every name that cannot
// be displayed exactly is read.
func (o *ReadOptions) MayWant(name string) bool { return o.Wants(name) || !utf8.ValidString(name) }

// AtMost returns the number of rows to read out of rows.
func (o *ReadOptions) AtMost(rows int64) int64 {
	if o.Rows > 0 {
		return min(rows, int64(o.Rows))
	}
	return rows
}

// Option is an option of reading a file.
type Option struct {
	Setting string   // name of the setting
	Name    string   // on the screen
	Help    string   // one or two sentences
	First   bool     // the option selects data of the file, and is shown before the others
	Choices []Choice // the first is the default; nil for any text
}

// Choice is a value of an option.
type Choice struct {
	Value string
	Name  string // on the screen
}

// Choices returns the choices of an option from values, each followed by its name.
func Choices(valuesAndNames ...string) (out []Choice) {
	for pair := range slices.Chunk(valuesAndNames, 2) {
		out = append(out, Choice{pair[0], pair[1]})
	}
	return out
}

// Plain returns choices whose names are their values.
func Plain(values ...string) []Choice {
	out := make([]Choice, len(values))
	for i, value := range values {
		out[i] = Choice{value, value}
	}
	return out
}

// Ending is the setting with the extension of the file to write, such as ".zsav"; it is optional.
const Ending = "ending"
