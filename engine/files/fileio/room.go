package fileio

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// sizer is a reader that can tell, before it reads a file, how many bytes of memory
// reading takes at most; 0 where it cannot tell.
type sizer interface {
	size(ctx context.Context, in *input, f Format) (need int64, what string)
}

// roomFor reports a file that does not fit the memory that is free; the error wraps
// ErrMemory and says what would help.
func roomFor(ctx context.Context, k sizer, in *input, f Format) error {
	free := freeMemory()
	need, what := k.size(ctx, in, f)
	if free <= 0 || need <= free {
		return nil
	}
	return failure(ErrMemory,
		"%s %s, which takes about %s of memory, and %s are free: read only the variables that are needed (--columns), close other programs, or use a machine with more memory",
		in.name, what, gigabytes(need), gigabytes(free))
}

func gigabytes(bytes int64) string {
	if bytes < 1<<30 {
		return strconv.FormatInt(bytes>>20, 10) + " MB"
	}
	return strconv.FormatFloat(math.Round(float64(bytes)/(1<<30)*10)/10, 'f', -1, 64) + " GB"
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
	size, what := in.size, "has "+gigabytes(in.size)
	if z, compressed := in.content.(*zipped); compressed {
		size = z.inflated()
		what = "has about " + gigabytes(size) + " of text in " + gigabytes(z.size)
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
func (k statfileReader) size(ctx context.Context, in *input, f Format) (int64, string) {
	o := f.readOptions()
	o.Rows = 1
	file, err := k.Read(ctx, in.source(), o, nil)
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
