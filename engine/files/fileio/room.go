package fileio

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// roomFor reports a file that does not fit the memory that is free, or that the format lets reading take; the error
// wraps ErrMemory and says what would help.
func roomFor(ctx context.Context, k kind, in *input, f Format) error {
	most, allowed := freeMemory(), f.MostMemory
	f.MostMemory = 0
	ctx, done := in.within(ctx, &f)
	defer done()
	need, what := k.size(ctx, in, f)
	need += int64(float64(need) * float64(in.beyond) / float64(in.stored()))
	what = fmt.Sprintf("%s %s and needs about %s of memory", in.name, what, statfile.Megabytes(need))
	switch {
	case most > 0 && need > most:
		return failure(ErrMemory, "%s, but only %s are free (%s too little): keep the records in temporary files of a folder (--scratch DIR), "+
			"or read only the necessary variables (--columns)", what, statfile.Megabytes(most),
			statfile.Megabytes(need-most))
	case allowed > 0 && need > allowed:
		return failure(ErrMemory, "%s, but the limit is %s", what, statfile.Megabytes(allowed))
	}
	return nil
}

// Room reports, from what a file says of its size, that reading it takes more memory than is free, or than the
// format lets it take; the error wraps ErrMemory. nil: it fits, as far as can be told.
func Room(ctx context.Context, path string, f Format) error {
	file, in, err := open(ctx, path)
	if err != nil {
		return err
	}
	defer file.Close()
	k, err := formats().reader(&in, f)
	if err != nil {
		return err
	}
	return roomFor(ctx, k, &in, f)
}

// within gives the file the memory that reading it in a format may take, and returns the
// context that ends where there is no more. What is taken counts until done is called.
func (in *input) within(ctx context.Context, f *Format) (within context.Context, done context.CancelFunc) {
	most := f.MostMemory
	if most <= 0 {
		most = statfile.Usual(in.stored() + in.beyond)
		if free := freeMemory(); free > 0 {
			const head = 16 << 20 // to tell what the file is
			most = min(most, max(free, head))
		}
	}
	in.scratch, in.budget = f.Scratch, statfile.NewBudget(in.name, most)
	return in.budget.During(ctx)
}

// freeMemory returns how many bytes may be taken: what the system says is free, or
// what a limit of the Go runtime leaves; 0 where nothing is known. It can be
// replaced by tests.
var freeMemory = func() int64 {
	free := systemMemory()
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 && (free <= 0 || limit < free) {
		free = limit
	}
	return free
}

// size of a text file: while it is parsed it takes less than one and a half of it,
// of which cells that are not wanted take no part.
func (text) size(_ context.Context, in *input, f Format) (int64, string) {
	size, what := in.size, "has "+statfile.Megabytes(in.size)
	if z, compressed := in.content.(*zipped); compressed {
		size = z.inflated()
		what = "has about " + statfile.Megabytes(size) + " of text in " + statfile.Megabytes(z.size)
	}
	if len(f.Columns) > 0 {
		table, err := in.table(f, 1)
		if err != nil || len(table.Names) == 0 {
			return 0, ""
		}
		size = size * int64(min(len(f.Columns), len(table.Names))) / int64(len(table.Names))
	}
	return size + size/2, what
}

// size of a file of another program: eight bytes for a number and four for a text,
// and as much again for the column that is made of the first of them.
func (k foreign) size(ctx context.Context, in *input, f Format) (int64, string) {
	if k.Info().Packed { // all would be unpacked once more
		return 0, ""
	}
	o := f.readOptions()
	o.Rows = 1
	file, err := k.Read(ctx, k.source(in), o, nil)
	if err != nil || file.Total <= 0 {
		return 0, "" // reading tells what is wrong
	}
	each := 0
	for i := range file.Variables {
		if each += 8; file.Variables[i].Kind == statfile.Text {
			each += 4
		}
	}
	need := float64(file.Total) * float64(each)
	return int64(min(need+need/2, math.MaxInt64/2)), fmt.Sprintf("has %s of %s", wording.Counted(file.Total, "record"),
		wording.Counted(len(file.Variables), "variable"))
}
