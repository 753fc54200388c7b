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

// RowsPerBlock returns the number of rows of a width that a goroutine processes at a time: few enough to stay in
// the processor's cache, and to use little memory for long rows.
func RowsPerBlock(width int) int {
	const blockBytes, longBytes, fewest = 1 << 19, 1 << 22, 64
	return min(parallel.Block, max(1, blockBytes/max(1, width), min(fewest, longBytes/max(1, width))))
}

// RowMemory is memory that a goroutine reuses for blocks of rows and their numbers.
type RowMemory struct {
	Rows    []byte
	Numbers []float64
}

// ReadRows reads consecutive rows of a width, starting at an offset, in blocks that several goroutines decode;
// first is the first row of the block. The meter counts bytes.
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

// WriteRows writes rows in order, in blocks of each rows, which several goroutines format while earlier blocks are
// written: block appends the rows [from, to) to reused memory. The meter counts rows.
func WriteRows(ctx context.Context, w io.Writer, rows, each int, meter *progress.Meter,
	block func(memory []byte, from, to int) []byte) error {
	meter.Start(int64(rows))
	workers := runtime.GOMAXPROCS(0)
	making, made := make([][]byte, 2*workers), make([][]byte, 2*workers)
	var failed error // read only after writing has ended
	writing := parallel.Go(func() {})
	defer func() { writing.Wait() }() // no writing may continue after a panic
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

// WriteFixedRows is WriteRows for rows of a fixed width; fill sets all bytes of undefined memory.
func WriteFixedRows(ctx context.Context, w io.Writer, rows, width int, meter *progress.Meter,
	fill func(block []byte, from, to int)) error {
	return WriteRows(ctx, w, rows, RowsPerBlock(width), meter, func(memory []byte, from, to int) []byte {
		size := (to - from) * width
		memory = slices.Grow(memory, size)[:size]
		fill(memory, from, to)
		return memory
	})
}

// Gather sets the columns of the variables from rows that put adds to blocks, and records warnings about their
// texts; rows is negative if unknown. Errors are those of put and of Blocks.Columns.
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

// Only removes the variables that are not selected.
func (f *File) Only(o *ReadOptions) {
	f.Variables = slices.DeleteFunc(f.Variables, func(v Variable) bool { return !o.Wants(v.Name) })
}
