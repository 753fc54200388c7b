package statfile

import (
	"cmp"
	"context"
	"io"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// RowsPerBlock returns how many rows of so many bytes one goroutine takes at a time: few
// enough to stay in the processor's cache, or of long rows to take little memory.
func RowsPerBlock(width int) int {
	const blockBytes, longBytes, fewest = 1 << 19, 1 << 22, 64
	return min(parallel.Block, max(1, blockBytes/max(1, width), min(fewest, longBytes/max(1, width))))
}

// RowMemory is what a goroutine reads a block of rows into, and numbers of theirs.
type RowMemory struct {
	Rows    []byte
	Numbers []float64
}

// ReadRows reads rows of a width that stand one after the other from a place on, in
// blocks, which several goroutines decode; first is the first row of the block. The meter
// counts bytes.
func (s *Source) ReadRows(ctx context.Context, at int64, rows, width int, meter *progress.Meter,
	decode func(m *RowMemory, first int) error) error {
	each := RowsPerBlock(width)
	return parallel.EachLarge(ctx, (rows+each-1)/each, int64(each)*int64(width), func(m *RowMemory, block int) (err error) {
		first := block * each
		count := min(each, rows-first)
		if m.Rows, err = s.BytesIn(m.Rows, at+int64(first)*int64(width), int64(count)*int64(width)); err != nil {
			return err
		}
		meter.Add(int64(len(m.Rows)))
		return decode(m, first)
	})
}

// WriteRows writes rows in their order, in blocks of so many, which several goroutines
// make while those before are written: block appends the rows from one to before another
// to memory that is used again. The meter counts rows.
func WriteRows(ctx context.Context, w io.Writer, rows, each int, meter *progress.Meter,
	block func(memory []byte, from, to int) []byte) error {
	meter.Start(int64(rows))
	workers := runtime.GOMAXPROCS(0)
	making, made := make([][]byte, 2*workers), make([][]byte, 2*workers)
	var failed error // to be looked at when the writing has ended
	writing := parallel.Go(func() {})
	defer func() { writing.Wait() }() // after a panic too nothing is written any more
	for start := 0; start < rows; start += each * len(making) {
		n := min(len(making), (rows-start+each-1)/each)
		err := parallel.Tasks(ctx, n, workers, func(_, i int) {
			from := start + i*each
			making[i] = block(making[i][:0], from, min(from+each, rows))
		})
		if writing.Wait(); failed != nil || err != nil {
			return cmp.Or(failed, err)
		}
		making, made = made, making
		blocks := made[:n]
		writing = parallel.Go(func() {
			for i := 0; i < len(blocks) && failed == nil; i++ {
				_, failed = w.Write(blocks[i])
			}
			meter.Add(int64(min(each*n, rows-start)))
		})
	}
	writing.Wait()
	return cmp.Or(failed, ctx.Err())
}

// WriteFixedRows is WriteRows for rows of a width; fill puts their bytes into memory
// that may hold anything.
func WriteFixedRows(ctx context.Context, w io.Writer, rows, width int, meter *progress.Meter,
	fill func(block []byte, from, to int)) error {
	return WriteRows(ctx, w, rows, RowsPerBlock(width), meter, func(memory []byte, from, to int) []byte {
		size := (to - from) * width
		memory = slices.Grow(memory, size)[:size]
		fill(memory, from, to)
		return memory
	})
}

// Gather gathers so many rows, which put puts into blocks; less than 0: it is not known how many. They become the
// columns of the variables, and the file notes what is to be known of their texts. Errors are those of put and of
// Blocks.Columns.
func (f *File) Gather(ctx context.Context, in *Source, o *ReadOptions, charset *Charset, rows int,
	put func(*Blocks) error) error {
	blocks := NewBlocks(in, len(f.Variables), rows, o.Compact, charset.Decode)
	if err := put(blocks); err != nil {
		return err
	}
	columns, err := blocks.Columns(ctx, func(i int) bool { return f.Variables[i].Kind == Text })
	for i := range columns {
		f.Variables[i].Column = columns[i]
	}
	f.Warnings, f.Encoding = append(f.Warnings, charset.Warnings()...), charset.Name()
	return err
}

// Only leaves out the variables that are not to be read.
func (f *File) Only(o *ReadOptions) {
	f.Variables = slices.DeleteFunc(f.Variables, func(v Variable) bool { return !o.Wants(v.Name) })
}
