package statfile

import (
	"context"
	"io"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
)

// Settings are choices about a file by names that belong to its format: the
// sheet, the version, the compression. They are kept in scripts.
type Settings map[string]string

// Format reads files of one kind.
type Format interface {
	Name() string  // in scripts: "sav"
	Title() string // on the screen: "SPSS"

	// Recognise reports whether a file is of this kind, from its first bytes or
	// whatever else of it is needed, with the settings that it suggests.
	Recognise(ctx context.Context, in *Source) (Settings, bool, error)
	// Choices returns what can be chosen about reading a file with such settings;
	// the encoding is none of them, see Encoded.
	Choices(settings Settings) []Choice
	// Encoded reports whether files may be in a character set that they do not
	// say, so that it can be asked for.
	Encoded() bool
	// Declares reports whether files can say of values that they mean missing.
	Declares() bool
	// Read reads a file. The meter counts bytes. The context is looked at at least
	// every 16,384 rows. Errors are those of Source.Failure, or of the context.
	Read(ctx context.Context, in *Source, o ReadOptions, meter *progress.Meter) (*File, error)
}

// Writer is a format that is written too.
type Writer interface {
	Format
	// Endings returns the endings of the names of such files, in lower case, the
	// usual one first: ".sav".
	Endings() []string
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

// Choice is one thing that can be chosen about reading a file.
type Choice struct {
	Setting string        // its name among the settings
	Name    string        // on the screen
	Help    string        // in a sentence or two
	Values  []ChoiceValue // the first is the default; none: a text is given
}

// NoChoices is part of formats that ask nothing about reading a file.
type NoChoices struct{}

// Choices returns none.
func (NoChoices) Choices(Settings) []Choice { return nil }

// ChoiceValue is a value of a setting.
type ChoiceValue struct{ Value, Name string }

// Ending is the setting under which a writer finds the ending of the name of the
// file that is written, such as ".zsav"; it may be left out.
const Ending = "ending"

// Labelled is a writer whose files say what numbers mean. Categories that are no
// numbers are written to them as numbers with labels, to others as text.
type Labelled interface {
	Writer
	// Labelled marks such writers.
	Labelled()
}
