package fileio

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Pass says what is looked at while a file is read once, piece by piece, without being kept
// in memory. Passes over a file that did not change meet the same pieces and groups.
type Pass struct {
	By       []string // variables: records form a group whose cells in them are spelled alike; none: all are one
	Sum      string   // variable of positive numbers that are added up in the groups; "": none
	Describe bool     // all variables are described
	Values   []string // variables that are described, with all of their values up to MostValues

	Piece int // bytes of text that a piece has where there are so many; 0: as many as are read fast

	// InOrder is called for one piece after the other, in the order of the file; nil: not.
	InOrder func(*Piece) error
	// Beside is called for every piece after InOrder, for several at a time, and what it returns
	// in the order of the file again; nil: not. It can ask for the cells.
	Beside func(context.Context, *Piece) (inOrder func() error, err error)
	// From is where reading begins: a mark of an earlier pass; zero: at the start. Groups are then those of the rest.
	From Mark
	// Known are the variables by name, as an earlier pass described them: the cells are those of the whole file
	// then. nil: those that the piece alone would have.
	Known map[string]*Described
}

// Mark is a place in a file that is read on from there.
type Mark struct {
	Record int   // number of records before
	offset int64 // in the file
	line   int
}

// Piece is some records of a file.
type Piece struct {
	Mark    Mark      // where it begins; zero: nothing reads on from there
	First   int       // number of records before
	Records int       // in it
	Groups  []uint32  // of its records: number of the group, in the order in which groups come first
	Sums    []float64 // of its records: the numbers that are added up; nil: none are

	Decimals int // of these numbers, at most

	data func(ctx context.Context) (*microdata.Dataset, error)
}

// Data returns the cells of the records, of all variables that are read. It is called once, and good
// until Beside returns.
func (p *Piece) Data(ctx context.Context) (*microdata.Dataset, error) { return p.data(ctx) }

// Passed is what a pass found.
type Passed struct {
	*ReadReport
	Records   int
	Groups    *microdata.Dataset // by group: the variables of By and the sums, in the order of the file; nil: there are none of both
	Variables []Described        // all that the file has and are read; nil where they are not described
}

// Described is what a pass found of a variable.
type Described struct {
	Name  string
	Kind  microdata.Kind
	Said  *microdata.Description // by the file; nil: nothing
	Blank int                    // records without a value
	// Column has a row for each value, which stands for its records; nil where there are more than are kept.
	Column   *microdata.Column
	Spelling *microdata.Spelling // of its cells; nil: nothing is told
}

// Known returns the variables by name.
func (p *Passed) Known() map[string]*Described {
	known := make(map[string]*Described, len(p.Variables))
	for i := range p.Variables {
		known[p.Variables[i].Name] = &p.Variables[i]
	}
	return known
}

// numbers reports whether the variable is stored as numbers, of which there are many.
func (d *Described) numbers() bool {
	return d.Kind != microdata.Category && (d.Column == nil || d.Column.StoredAsNumbers() != nil ||
		len(d.Column.Categories().Levels) > mostLevels)
}

// mostDescribed is the number of values up to which they are kept of a variable that no group
// goes by; MostValues is that where somebody asks for them.
const (
	mostDescribed = 10_000
	MostValues    = 1_000_000
)

// most returns how many values of a variable are kept; 0: it is not described.
func (p *Pass) most(name string) int {
	switch {
	case slices.Contains(p.Values, name):
		return MostValues
	case p.Describe:
		return mostDescribed
	}
	return 0
}

// columns returns the variables that are read; nil: all.
func (p *Pass) columns(wanted []string) []string {
	if p.Describe || p.Beside != nil {
		return wanted
	}
	names := append(slices.Clone(p.By), p.Values...)
	if p.Sum != "" {
		names = append(names, p.Sum)
	}
	return names
}

// places returns where among the names of a file the variables stand that groups go by, and that which is added up, -1
// where none is; the error wraps ErrFormat.
func (p *Pass) places(names []string) (by []int, summed int, err error) {
	for i, name := range names {
		if slices.Contains(p.By, name) {
			by = append(by, i)
		}
	}
	if summed = slices.Index(names, p.Sum); len(by) < len(p.By) || p.Sum != "" && summed < 0 {
		wanted := Format{Columns: append(slices.Clone(p.By), p.Sum)}
		err = wanted.wantedAmong(append(slices.Clone(names), ""))
	}
	return by, summed, err
}

// passer is a reader that can read a file piece by piece, if it says so.
type passer interface {
	reader
	inPieces() bool
	pass(ctx context.Context, in *input, f Format, p *Pass, meter *progress.Meter) (*Passed, error)
}

// ReadPass reads a file once, without keeping it. Errors are those of Read, those of the calls of the
// pass, ErrFormat for a kind of file that is read as a whole alone, and microdata.ErrWeights
// for a variable that cannot be added up.
func ReadPass(ctx context.Context, path string, f Format, p *Pass, meter *progress.Meter) (*Passed, error) {
	file, in, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return formats().pass(ctx, &in, f, p, meter)
}

// ReadPassFrom is ReadPass for delimited text in a complete format that comes from elsewhere than a file; name is for
// messages.
func ReadPassFrom(ctx context.Context, name string, from io.Reader, f Format, p *Pass) (*Passed, error) {
	in := input{name: name, content: watched{incoming{from}, ctx}, budget: statfile.NewBudget(name, statfile.Usual(0))}
	return passText(ctx, in, f, p, tuning{block: p.Piece}, nil)
}

// incoming is content that comes once.
type incoming struct{ io.Reader }

// ReadAt returns that there is nothing to come back to.
func (incoming) ReadAt([]byte, int64) (int, error) { return 0, errors.ErrUnsupported }

func (r registry) pass(ctx context.Context, in *input, f Format, p *Pass, meter *progress.Meter) (*Passed, error) {
	kind, err := r.reader(in, f)
	if err != nil {
		return nil, err
	}
	passing := passerOf(kind)
	if passing == nil {
		return nil, errWhole(in.name, &f)
	}
	within, done := in.within(ctx, &f)
	defer done()
	passed, err := passing.pass(within, in, f, p, meter)
	if within.Err() != nil {
		return nil, cmp.Or(context.Cause(within), err)
	}
	return passed, err
}

// passerOf returns what reads files of a kind piece by piece; nil: nothing does.
func passerOf(kind reader) passer {
	if passing, ok := kind.(passer); ok && passing.inPieces() {
		return passing
	}
	return nil
}

// CanPass reports whether a file in a format can be read piece by piece.
func CanPass(f Format) bool {
	kind, _ := formats().of(f)
	return passerOf(kind) != nil
}

// CutsBlanks reports whether files of a format cut blanks at the ends of texts.
func CutsBlanks(f Format) bool {
	kind, _ := formats().of(f)
	k, ok := kind.(interface{ Info() statfile.Info })
	return ok && k.Info().Filled
}

// errWhole is the error of a file that cannot be read piece by piece.
func errWhole(name string, f *Format) error {
	return failure(ErrFormat, "%s: files of this kind (%s) are read as a whole alone; "+
		"convert it to text, or open it without --stream", name, f)
}
