package spss

import (
	"context"
	"encoding/binary"
	"io"
	"runtime"
	"slices"

	"github.com/klauspost/compress/zlib"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// stream reads the data sequentially.
type stream interface {
	// next appends more bytes to window, none at the end. read is the number of bytes of the file read so far.
	next(ctx context.Context, window []byte) (longer []byte, read int64, err error)
}

// windowSize is the number of bytes processed at a time.
const windowSize = 8 << 20

// plainData is uncompressed data.
type plainData struct {
	in *statfile.Source
	at int64
}

func (d *plainData) next(_ context.Context, window []byte) ([]byte, int64, error) {
	more := min(windowSize, d.in.Size()-d.at)
	window = slices.Grow(window, int(more))
	_, err := d.in.BytesIn(window[len(window):], d.at, more)
	d.at += more
	return window[:len(window)+int(more)], d.at, err
}

// inflated decompresses zlib blocks, several at a time.
type inflated struct {
	in     *statfile.Source
	blocks []zlibBlock
	large  *largeBlock // current large block; nil if none
}

// largeBlock is a block of unusual size, which is decompressed in parts because its claimed size cannot be
// trusted.
type largeBlock struct {
	zlibBlock
	io.ReadCloser
	left int64
}

type zlibBlock struct{ at, size, inflated int64 }

// mostRatio exceeds the maximum compression ratio of zlib.
const mostRatio = 1040

// readTrailer reads the list of blocks.
func readTrailer(in *statfile.Source, start int64, order binary.ByteOrder) (*inflated, error) {
	c := in.Cursor(start, order)
	c.Skip(8)
	trailer := int64(c.Uint64())
	if c.Err() == nil && (trailer < start+24 || trailer > in.Size()) {
		return nil, in.Failure(statfile.ErrDamaged,
			"the list of compressed blocks should start at byte %d, but the file ends at byte %d: it is truncated or "+
				"damaged", trailer, in.Size())
	}
	c.Skip(8)
	c.At = trailer
	c.Skip(20)
	count := int64(c.Uint32())
	if count*24 > c.Left() {
		c.Fail(statfile.ErrDamaged, "the file declares %d compressed blocks, more than the rest of the file can hold", count)
	}
	z := &inflated{in: in}
	for range count {
		c.Skip(8)
		block := zlibBlock{at: int64(c.Uint64()), inflated: int64(c.Uint32()), size: int64(c.Uint32())}
		if c.Err() == nil &&
			(block.at < start+24 || block.at > trailer || block.size > trailer-block.at ||
				block.inflated > block.size*mostRatio) {
			c.Fail(statfile.ErrDamaged, "a compressed block has an impossible position or size")
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
	at := slices.IndexFunc(z.blocks[:n], func(b zlibBlock) bool { return b.inflated > windowSize })
	if at == 0 || z.large != nil {
		return z.nextOfLarge(window)
	}
	if at > 0 {
		n = at
	}
	now := z.blocks[:n]
	z.blocks = z.blocks[n:]
	if n == 0 {
		return window, z.in.Size(), nil
	}
	places := make([][]byte, n) // decompressed blocks, initially after the window
	room := 0
	for _, b := range now {
		room += int(b.inflated)
	}
	window = slices.Grow(window, room)
	at = len(window)
	for i, b := range now {
		end := at + int(b.inflated)
		places[i], at = window[at:at:end], end
	}
	err := parallel.Each(ctx, n, func(i int) (err error) {
		places[i], err = z.inflate(places[i], now[i])
		return err
	})
	if err != nil {
		return window, 0, err
	}
	for _, content := range places {
		window = append(window, content...) // usually in place
	}
	return window, now[n-1].at + now[n-1].size, nil
}

// nextOfLarge appends the next part of the first block.
func (z *inflated) nextOfLarge(window []byte) ([]byte, int64, error) {
	if z.large == nil {
		b := z.blocks[0]
		reader, err := zlib.NewReader(io.NewSectionReader(z.in, b.at, b.size))
		if err != nil {
			return window, 0, z.damaged(b)
		}
		z.blocks, z.large = z.blocks[1:], &largeBlock{b, reader, b.inflated}
	}
	l := z.large
	n := int(min(l.left, windowSize))
	window = slices.Grow(window, n)[:len(window)+n]
	if _, err := io.ReadFull(l, window[len(window)-n:]); err != nil {
		return window, 0, z.damaged(l.zlibBlock)
	}
	if l.left -= int64(n); l.left == 0 {
		z.large = nil
		if n, err := l.Read(make([]byte, 1)); n > 0 || err != io.EOF { // verifies the checksum
			return window, 0, z.damaged(l.zlibBlock)
		}
	}
	return window, l.at + l.size - l.left*l.size/l.inflated, nil
}

func (z *inflated) damaged(b zlibBlock) error {
	return z.in.Failure(statfile.ErrDamaged, "the compressed block at byte %d is damaged", b.at)
}

// inflate appends the content of a block.
func (z *inflated) inflate(out []byte, b zlibBlock) ([]byte, error) {
	reader, err := zlib.NewReader(io.NewSectionReader(z.in, b.at, b.size))
	for err == nil && int64(len(out)) < b.inflated {
		if len(out) == cap(out) {
			out = slices.Grow(out, len(out))
		}
		var n int
		n, err = reader.Read(out[len(out):min(int64(cap(out)), b.inflated)])
		out = out[:len(out)+n]
	}
	if err == nil {
		_, err = reader.Read(make([]byte, 1))
	}
	if err == io.EOF && int64(len(out)) == b.inflated { // the checksum was correct
		return out, nil
	}
	return nil, z.damaged(b)
}
