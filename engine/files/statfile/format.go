package statfile

import (
	"context"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
)

// Settings are choices about a file by names that belong to its format: the
// sheet, the version, the compression. They are kept in scripts.
type Settings map[string]string

// Info says what there is to know of a kind of file.
type Info struct {
	Name    string // in scripts: "sav"
	Program string // in words, whose file it is: "an SPSS file (sav)"
	// of the names of such files, in lower case, the usual one first; none: they are not written
	Endings []string
	// files may be in a character set that they do not say, so that it can be asked for
	Encoded   bool
	Catalogue string // how the names of files end, in lower case, that say what values mean; "": there are none
	Declares  bool   // files can say of values that they mean missing
	Packed    bool   // files are compressed as a whole, which the format undoes itself
	// files say what numbers mean: categories that are no numbers are written as numbers with labels, to others as text
	Labelled  bool
	FileLabel bool                       // the data set has a label
	Notes     bool                       // files have notes or documents
	Options   func(of Settings) []Option // what else can be chosen about reading a file with such settings; nil: nothing
}

// Format reads files of one kind.
type Format interface {
	Info() Info
	// Recognise reports whether a file is of this kind, from its first bytes or
	// whatever else of it is needed, with the settings that it suggests.
	Recognise(ctx context.Context, in *Source) (Settings, bool, error)
	// Read reads a file. The meter counts bytes. The context is looked at at least
	// every 16,384 rows. Errors are those of Source.Failure, or of the context.
	Read(ctx context.Context, in *Source, o ReadOptions, meter *progress.Meter) (*File, error)
}

// Catalogued is a format whose files leave it to others to say what values mean.
type Catalogued interface {
	Format
	// Label gives the variables of a file that was read the value labels of a catalogue.
	// Errors are those of Source.Failure, or of the context.
	Label(ctx context.Context, catalogue *Source, f *File, o ReadOptions) error
}

// Writer is a format that is written too.
type Writer interface {
	Format
	// Lacks says in sentences what of a file cannot be held by this format and
	// becomes something else, before anything is written; none: all of it can.
	Lacks(f *File, settings Settings) []string
	// Write writes a file; the meter counts rows. Settings that are left out are
	// those of a new file.
	Write(ctx context.Context, w io.Writer, f *File, settings Settings, meter *progress.Meter) error
}

// ReadOptions say what to read of a file. The zero value: all.
type ReadOptions struct {
	Encoding string          // character set of its texts, as Charset takes it; "": as the file says or suggests
	Columns  map[string]bool // names of the variables wanted; nil: all
	Rows     int             // read at most so many; 0: all
	Compact  bool            // numbers of few distinct values may come as Few, in an eighth of the memory
	Settings Settings
}

// Wants reports whether a variable is to be read.
func (o *ReadOptions) Wants(name string) bool { return o.Columns == nil || o.Columns[name] }

// MayWant is Wants for a name as the file spells it: names are asked for as they are shown,
// so that whatever cannot be told apart is read.
func (o *ReadOptions) MayWant(name string) bool { return o.Wants(name) || !utf8.ValidString(name) }

// AtMost returns how many of so many rows are to be read.
func (o *ReadOptions) AtMost(rows int64) int64 {
	if o.Rows > 0 {
		return min(rows, int64(o.Rows))
	}
	return rows
}

// Option is one thing that can be chosen about reading a file.
type Option struct {
	Setting string   // its name among the settings
	Name    string   // on the screen
	Help    string   // in a sentence or two
	First   bool     // it says what of the file is read, and stands before the others
	Choices []Choice // the first is the default; none: a text is given
}

// Choice is a value of an option.
type Choice struct {
	Value string
	Name  string // on the screen
}

// Choices returns values of an option, each followed by its name.
func Choices(valuesAndNames ...string) (out []Choice) {
	for pair := range slices.Chunk(valuesAndNames, 2) {
		out = append(out, Choice{pair[0], pair[1]})
	}
	return out
}

// Plain returns values that stand on the screen as they are.
func Plain(values ...string) []Choice {
	out := make([]Choice, len(values))
	for i, value := range values {
		out[i] = Choice{value, value}
	}
	return out
}

// Ending is the setting under which a writer finds the ending of the name of the
// file that is written, such as ".zsav"; it may be left out.
const Ending = "ending"
