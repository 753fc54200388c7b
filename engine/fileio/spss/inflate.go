package spss

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"runtime"
	"slices"

	"github.com/klauspost/compress/zlib"

	"github.com/sdcdesk/sdcdesk/engine/fileio/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// stream gives the bytes of the data from front to back.
type stream interface {
	// next appends more bytes; none at the end. read is the number of bytes of the
	// file that were read so far.
	next(ctx context.Context, window []byte) (longer []byte, read int64, err error)
}

// windowSize is how much of a file is looked at at a time.
const windowSize = 8 << 20

// direct gives the bytes as they are.
type direct struct {
	in *statfile.Source
	at int64
}

func (d *direct) next(_ context.Context, window []byte) ([]byte, int64, error) {
	more := min(windowSize, d.in.Size()-d.at)
	window = slices.Grow(window, int(more))
	_, err := d.in.BytesIn(window[len(window):], d.at, more)
	d.at += more
	return window[:len(window)+int(more)], d.at, err
}

// inflated gives the bytes that zlib blocks hold, several at a time.
type inflated struct {
	in     *statfile.Source
	blocks []zlibBlock
	parts  []bytes.Buffer // the blocks of the last call
}

type zlibBlock struct{ at, size, inflated int64 }

// mostRatio is more than zlib can compress.
const mostRatio = 1040

// readTrailer reads where the blocks are.
func readTrailer(in *statfile.Source, start int64, order binary.ByteOrder) (*inflated, error) {
	c := in.Cursor(start, order)
	c.Skip(8)
	trailer := int64(c.Uint64())
	if c.Err() == nil && (trailer < start+24 || trailer > in.Size()) {
		return nil, in.Failure(statfile.ErrDamaged, "the list of compressed blocks is said to stand at byte %d, and the file ends at byte %d: it is truncated or damaged", trailer, in.Size())
	}
	c.Skip(8)
	c.At = trailer
	c.Skip(20)
	count := int64(c.Uint32())
	if count*24 > c.Left() {
		c.Fail(statfile.ErrDamaged, "%d compressed blocks are claimed, and the rest of the file cannot list them", count)
	}
	z := &inflated{in: in}
	for range count {
		c.Skip(8)
		block := zlibBlock{at: int64(c.Uint64()), inflated: int64(c.Uint32()), size: int64(c.Uint32())}
		if c.Err() == nil && (block.at < start+24 || block.at > trailer || block.size > trailer-block.at || block.inflated > block.size*mostRatio) {
			c.Fail(statfile.ErrDamaged, "a compressed block that cannot be where and what it is said to be")
		}
		if c.Err() != nil {
			break
		}
		z.blocks = append(z.blocks, block)
	}
	return z, c.Err()
}

func (z *inflated) next(ctx context.Context, window []byte) ([]byte, int64, error) {
	n := min(len(z.blocks), max(2, runtime.GOMAXPROCS(0)))
	now := z.blocks[:n]
	z.blocks = z.blocks[n:]
	if n == 0 {
		return window, z.in.Size(), nil
	}
	if z.parts == nil {
		z.parts = make([]bytes.Buffer, n)
	}
	if err := parallel.Each(ctx, n, func(i int) error { return z.inflate(now[i], &z.parts[i]) }); err != nil {
		return window, 0, err
	}
	for i := range now {
		window = append(window, z.parts[i].Bytes()...)
	}
	return window, now[n-1].at + now[n-1].size, nil
}

// inflate makes out what a block holds.
func (z *inflated) inflate(b zlibBlock, out *bytes.Buffer) error {
	reader, err := zlib.NewReader(io.NewSectionReader(z.in, b.at, b.size))
	if err == nil {
		out.Reset()
		out.Grow(int(min(b.inflated, windowSize)))
		var n int64
		if n, err = io.Copy(out, io.LimitReader(reader, b.inflated)); err == nil && n == b.inflated {
			if _, err = reader.Read(make([]byte, 1)); err == io.EOF { // its checksum was right
				return nil
			}
		}
	}
	return z.in.Failure(statfile.ErrDamaged, "the compressed block at byte %d is damaged", b.at)
}
