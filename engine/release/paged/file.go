package paged

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// File is a file that is read in passes, and what an earlier one found.
type File struct {
	Path      string
	Format    fileio.Format
	Variables []fileio.Described // all, in their order
	Records   int
	Marks     []fileio.Mark // in the order of the file, as far as it is read on from places within
}

// Page reads a page: from the last mark before it on, or from the start, and on until it is full. The meter counts
// bytes. Errors are those of Sift and fileio.ReadPass, and ErrSorting.
func (f *File) Page(ctx context.Context, w *Wanted, meter *progress.Meter) (*Page, error) {
	if len(w.By) > 0 {
		return nil, fmt.Errorf("%w: that would take all of them at a time", ErrSorting)
	}
	meets, err := Sift(w.Filter, f.Variables, Sieve[meets](holding{}))
	if err != nil {
		return nil, err
	}
	mark, err := strconv.Atoi(w.From.Mark)
	if err != nil && (w.From.At == After || w.From.At == Before || w.From.At == From) {
		return nil, notation.Refusedf("records of this file have numbers: type one")
	}
	s := &search{File: f, meets: meets, all: w.Filter.IsZero(), most: w.Records + 1, meter: meter}
	switch w.From.At {
	case Last:
		err = s.back(ctx, f.Records)
	case Before:
		err = s.back(ctx, mark)
	case After:
		err = s.between(ctx, mark+1, f.Records, false)
	case From:
		err = s.between(ctx, max(0, min(mark, f.Records)-1), f.Records, false)
	default:
		err = s.between(ctx, 0, f.Records, false)
	}
	if err != nil {
		return nil, err
	}
	return s.page(w)
}

// search looks for the records of a page.
type search struct {
	*File
	meets meets
	all   bool // every record meets it
	most  int  // records, of a page and one more
	meter *progress.Meter
	found []record
}

func (s *search) page(w *Wanted) (*Page, error) {
	page := &Page{Called: "record", Before: -1}
	for _, r := range s.found {
		page.Names, page.Marks = append(page.Names, strconv.Itoa(r.at+1)), append(page.Marks, strconv.Itoa(r.at))
	}
	switch {
	case s.all && len(s.found) > 0:
		page.Before = s.found[0].at
	case w.From.At == First:
		page.Before = 0
	}
	return page, page.Cut(w, func(from, to int) (*microdata.Dataset, error) { return dataOf(s.found[from:to], s.Variables) })
}

// firstStretch is the number of records that are looked at first where a search goes back.
const firstStretch = 1 << 18

// back looks for the last records before one: where the file can be read on from a mark, in longer and longer
// stretches.
func (s *search) back(ctx context.Context, before int) error {
	stretch := firstStretch
	if len(s.Marks) == 0 {
		stretch = before
	}
	if s.all {
		stretch = s.most
	}
	var found []record
	for before > 0 && len(found) < s.most {
		from := max(0, before-stretch)
		s.found = nil
		if err := s.between(ctx, from, before, true); err != nil {
			return err
		}
		found = append(s.found, found...)
		before, stretch = from, 2*stretch
	}
	s.found = found
	return nil
}

// errFull ends a pass that has found enough.
var errFull = errors.New("the page is full")

// between looks for the first records, or the last, from one to before another.
func (s *search) between(ctx context.Context, from, to int, last bool) error {
	pass := &fileio.Pass{Known: map[string]*fileio.Described{}, Beside: func(ctx context.Context, p *fileio.Piece) (func() error,
		error) {
		var found []record
		if p.First < to && p.First+p.Records > from {
			data, err := p.Data(ctx)
			if err != nil {
				return nil, err
			}
			found = s.inPiece(data, p.First, from, to, last)
		}
		end := p.First + p.Records
		return func() error {
			if s.found = append(s.found, found...); last {
				s.found = slices.Clone(s.found[max(0, len(s.found)-s.most):])
			}
			if end >= to || !last && len(s.found) >= s.most {
				return errFull
			}
			return nil
		}, nil
	}}
	for i := range s.Variables {
		pass.Known[s.Variables[i].Name] = &s.Variables[i]
	}
	if at := sort.Search(len(s.Marks), func(i int) bool { return s.Marks[i].Record > from }); at > 0 {
		pass.From = s.Marks[at-1]
	}
	_, err := fileio.ReadPass(ctx, s.Path, s.Format, pass, s.meter)
	if errors.Is(err, errFull) {
		err = nil
	}
	return err
}

// inPiece returns the records of a piece that are looked for, the first or the last as many as are wanted.
func (s *search) inPiece(data *microdata.Dataset, first, from, to int, last bool) (found []record) {
	meets := s.meets(data)
	start, end, step := max(0, from-first), min(data.Len(), to-first), 1
	if last {
		start, end, step = end-1, start-1, -1
	}
	for row := start; row != end && len(found) < s.most; row += step {
		if meets(row) {
			found = append(found, record{first + row, cellsOf(data, row)})
		}
	}
	if last {
		slices.Reverse(found)
	}
	return found
}
