package fileio

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// roomFor returns an error that wraps ErrMemory, with advice, if a file does not fit into the free memory or the
// memory limit of the format.
func roomFor(ctx context.Context, k kind, in *input, f Format) error {
	most, allowed := freeMemory(), f.MostMemory
	need, what := needed(ctx, k, in, f)
	what = in.name + " " + what
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

// needed estimates the memory that a file needs, and describes it; need is 0 if it is unknown.
func needed(ctx context.Context, k kind, in *input, f Format) (need int64, what string) {
	f.MostMemory = 0
	ctx, done := in.within(ctx, &f)
	defer done()
	need, what = k.size(ctx, in, f)
	need += int64(float64(need) * float64(in.beyond) / float64(in.stored()))
	return need, fmt.Sprintf("%s and needs about %s of memory", what, statfile.Megabytes(need))
}

// Room estimates the memory needed from the size of a file. It returns an error that wraps ErrMemory if it exceeds
// the free memory or the limit of the format, and nil if the file fits or the size is unknown.
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

// within sets the memory limit for reading the file in a format, and returns a context that ends when the limit is
// exceeded. Memory is counted until done is called.
func (in *input) within(ctx context.Context, f *Format) (within context.Context, done context.CancelFunc) {
	most := f.MostMemory
	if most <= 0 {
		most = statfile.Usual(in.stored() + in.beyond)
		if free := freeMemory(); free > 0 {
			const head = 16 << 20 // sufficient to recognise the file
			most = min(most, max(free, head))
		}
	}
	in.scratch, in.budget = f.Scratch, statfile.NewBudget(in.name, most)
	return in.budget.During(ctx)
}

// freeMemory returns the bytes of available memory, from the system or the memory limit of the Go runtime; 0 if
// unknown. It is a variable for tests.
var freeMemory = func() int64 {
	free := systemMemory()
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 && (free <= 0 || limit < free) {
		free = limit
	}
	return free
}

// size estimates the memory for a text file: at most one and a half times its size while it is parsed, in
// proportion to the selected columns.
func (text) size(_ context.Context, in *input, f Format) (int64, string) {
	size, what := in.size, "has "+statfile.Megabytes(in.size)
	if z, compressed := in.content.(*zipReader); compressed {
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

// size estimates the memory for a file of another program: eight bytes for a number and four for a text, and as
// much again for building the first columns.
func (k statfileKind) size(ctx context.Context, in *input, f Format) (int64, string) {
	if k.Info().Packed { // counting would unpack the whole file
		return 0, ""
	}
	o := f.readOptions()
	o.Rows = 1
	file, err := k.Read(ctx, k.source(in), o, nil)
	if err != nil || file.Total <= 0 {
		return 0, "" // reading returns the error
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
