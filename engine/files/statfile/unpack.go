package statfile

import (
	"bytes"
	"compress/bzip2"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/xi2/xz"
)

// Unpacker reads what compressed content holds, from front to back, with so many goroutines:
// more than one read ahead.
type Unpacker func(content *io.SectionReader, goroutines int) (io.ReadCloser, error)

// How compressed files start.
const (
	gzipStart  = "\x1f\x8b"
	zstdStart  = "\x28\xb5\x2f\xfd"
	bzip2Start = "BZh"
	xzStart    = "\xfd7zXZ\x00"
)

// UnpackerOf returns what unpacks a file by its first bytes: gzip, zstd, bzip2 or xz; nil for
// others. Its errors are those of the content, which is damaged, or wrap ErrLimit.
func UnpackerOf(head []byte) Unpacker {
	switch {
	case bytes.HasPrefix(head, []byte(gzipStart)):
		return func(content *io.SectionReader, _ int) (io.ReadCloser, error) { return gzip.NewReader(content) }
	case bytes.HasPrefix(head, []byte(zstdStart)):
		return func(content *io.SectionReader, goroutines int) (io.ReadCloser, error) {
			return newZstd(head, content, goroutines)
		}
	case bytes.HasPrefix(head, []byte(bzip2Start)):
		return func(content *io.SectionReader, _ int) (io.ReadCloser, error) {
			return io.NopCloser(bzip2.NewReader(content)), nil
		}
	case bytes.HasPrefix(head, []byte(xzStart)):
		return newXZ
	}
	return nil
}

// Windows of zstd, in bytes: how much of what was unpacked is in memory at once.
const (
	usualWindow = 8 << 20 // of programs
	mostSmall   = 1 << 25 // of a file that is no longer itself
	mostWindow  = 1 << 27 // what the zstd program takes without being asked
)

func newZstd(head []byte, content *io.SectionReader, goroutines int) (io.ReadCloser, error) {
	var h zstd.Header
	if h.Decode(head) == nil && h.WindowSize > usualWindow {
		if goroutines = 1; h.WindowSize > mostSmall && content.Size() < mostSmall {
			return nil, Failuref(ErrLimit, "decompression needs more than %s of memory: decompress the file first, or compress it without --long", Megabytes(mostSmall))
		}
	}
	d, err := zstd.NewReader(content, zstd.WithDecoderMaxWindow(mostWindow), zstd.WithDecoderConcurrency(goroutines),
		zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// newXZ takes no dictionary that is larger than that of xz -9.
func newXZ(content *io.SectionReader, _ int) (io.ReadCloser, error) {
	r, err := xz.NewReader(content, xz.DefaultDictMax)
	return io.NopCloser(r), err
}
