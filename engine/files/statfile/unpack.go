package statfile

import (
	"bytes"
	"compress/bzip2"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/xi2/xz"
)

// Unpacker returns a reader of decompressed content; with more than one goroutine it reads ahead.
type Unpacker func(content *io.SectionReader, goroutines int) (io.ReadCloser, error)

// Signatures of compressed files.
const (
	gzipStart  = "\x1f\x8b"
	zstdStart  = "\x28\xb5\x2f\xfd"
	bzip2Start = "BZh"
	xzStart    = "\xfd7zXZ\x00"
)

// UnpackerOf returns the Unpacker for the first bytes of a file, which recognises gzip, zstd, bzip2 and xz, or
// nil. Errors of its reader mean damaged content or wrap ErrLimit.
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

// Window sizes of zstd in bytes: the decompressed data kept in memory.
const (
	usualWindow = 8 << 20 // default of programs
	mostSmall   = 1 << 25 // for a small file, which cannot need more
	mostWindow  = 1 << 27 // maximum accepted by the zstd program without an option
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

// newXZ limits the dictionary to the size used by xz -9.
func newXZ(content *io.SectionReader, _ int) (io.ReadCloser, error) {
	r, err := xz.NewReader(content, xz.DefaultDictMax)
	return io.NopCloser(r), err
}
