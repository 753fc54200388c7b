package paged

import (
	"errors"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// ErrSorting is wrapped where the records of a source cannot be sorted.
var ErrSorting = errors.New("records of a file that is read in passes are not sorted")

// Wanted says which records a page has.
type Wanted struct {
	Filter  notation.Condition // on the cells of the source; zero: all records
	By      []Sorted           // the first before all others; those that are alike stay as they are in the source
	From    Place
	Records int // at most
}

// Sorted is a variable that records are sorted by: numbers by their size, texts by their letters, missing cells last.
type Sorted struct {
	Variable string
	Down     bool
}

// Place says which of the records that meet the filter a page has.
type Place struct {
	At Anchor
	// Mark is that of a record on another page, see Page.Marks, or for From what somebody typed.
	Mark string
}

// Anchor is what a place is counted from.
type Anchor uint8

// The anchors.
const (
	First  Anchor = iota // the first records
	Last                 // the last ones
	After                // those that follow a record
	Before               // those before it
	From                 // those from what tells records apart on: see Page.Called
)

// Page is some records of a source, as it has them.
type Page struct {
	Data      *microdata.Dataset // its variables are those of the source
	Rows      []uint32           // of the data after the steps: the first that records of the group of each are in, or streamed.Left
	Groups    []uint32           // of the records, as they were counted
	Undecided streamed.Undecided // what only some records of a group lose, once that is told
	Sampled   []streamed.Sampled // of each record: how many of its group are kept; nil: all

	Called string   // what tells records apart: a column, "ctid", "record"
	Names  []string // that, of each record
	Marks  []string // of each record: what a Place takes
	Before int      // number of records before; -1: not known
	Starts bool     // no record stands before
	Ends   bool     // no record follows
}

// Len returns the number of records.
func (p *Page) Len() int { return len(p.Names) }

// Cut leaves so many records of a page, those nearest to the place that was asked for; a source looks for one more,
// which tells whether others follow.
func (p *Page) Cut(w *Wanted, data func(from, to int) (*microdata.Dataset, error)) (err error) {
	n, back := p.Len(), w.From.At == Last || w.From.At == Before
	from, to := 0, min(n, w.Records)
	if back {
		from, to = max(0, n-w.Records), n
	}
	p.Starts, p.Ends = w.From.At == First || back && from == 0, w.From.At == Last || !back && to == n
	p.Names, p.Marks = p.Names[from:to], p.Marks[from:to]
	if p.Groups != nil {
		p.Groups = p.Groups[from:to]
	}
	if p.Before >= 0 {
		p.Before += from
	}
	p.Data, err = data(from, to)
	return err
}
