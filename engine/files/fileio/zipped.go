package fileio

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// zipReader is the decompressed content of a file compressed by gzip, zstd, bzip2 or xz. It is read sequentially;
// ReadAt decompresses again from the front.
type zipReader struct {
	file   io.ReaderAt
	closer io.Closer // of the file
	name   string
	size   int64           // of the file
	ctx    context.Context // decompression stops when it ends
	open   statfile.Unpacker
	reader io.ReadCloser   // nil before the first read
	meter  *progress.Meter // counts the compressed bytes read
}

// unzip replaces the content of a compressed file with the decompressed content. The caller closes the result,
// which closes the file.
func (in *input) unzip(ctx context.Context, file *os.File) (io.Closer, error) {
	open := statfile.UnpackerOf(in.head)
	if open == nil {
		return file, nil
	}
	z := &zipReader{file: in.content, closer: file, name: in.name, size: in.size, open: open, ctx: ctx}
	head := make([]byte, headSize)
	n, err := z.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	in.head, in.content = head[:n], z
	if n < headSize {
		in.size = int64(n)
	} else {
		in.size = max(in.size, headSize+1) // the actual size is known only at the end
	}
	return z, nil
}

// restart decompresses from the start; the meter counts compressed bytes.
func (z *zipReader) restart(meter *progress.Meter, goroutines int) (io.ReadCloser, error) {
	inner, err := z.open(io.NewSectionReader(progress.ReaderAt{ReaderAt: z.file, Meter: meter}, 0, z.size), goroutines)
	return contextUnzipper{inner, z.ctx}, err
}

// contextUnzipper stops when a context ends, because a few compressed bytes can contain gigabytes.
type contextUnzipper struct {
	io.ReadCloser
	ctx context.Context
}

// Read implements io.Reader.
func (w contextUnzipper) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.ReadCloser.Read(p[:min(len(p), mostAtOnce)])
}

func (z *zipReader) damaged(err error) error {
	if err == nil || cancelled(err) || errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if errors.Is(err, ErrLimit) {
		return failure(ErrLimit, "%s: %v", z.name, err)
	}
	return failure(ErrNotText, "%s: the compressed file is truncated or damaged", z.name)
}

// Read implements io.Reader.
func (z *zipReader) Read(p []byte) (int, error) {
	if z.reader == nil {
		reader, err := z.restart(z.meter, min(4, runtime.GOMAXPROCS(0)))
		if err != nil {
			return 0, z.damaged(err)
		}
		z.reader = reader
	}
	n, err := z.reader.Read(p)
	if err == io.EOF { // release memory
		err = cmp.Or(z.reader.Close(), err)
		z.reader = io.NopCloser(strings.NewReader(""))
	}
	return n, z.damaged(err)
}

// Close closes the file.
func (z *zipReader) Close() error {
	if z.reader != nil {
		z.reader.Close()
	}
	return z.closer.Close()
}

// inflated estimates the decompressed size from the compression of the beginning; 0 if that cannot be read.
func (z *zipReader) inflated() int64 {
	const beginning = 4 << 20
	taken := new(progress.Meter)
	taken.Start(z.size)
	reader, err := z.restart(taken, 1)
	if err != nil {
		return 0
	}
	defer reader.Close()
	n, err := io.CopyN(io.Discard, reader, beginning)
	if err != nil {
		return n // the whole content, or an error that reading returns
	}
	return int64(float64(n) / taken.Fraction())
}

// ReadAt implements io.ReaderAt. It decompresses everything before the offset.
func (z *zipReader) ReadAt(p []byte, at int64) (int, error) {
	reader, err := z.restart(nil, 1)
	if err != nil {
		return 0, z.damaged(err)
	}
	defer reader.Close()
	if _, err := io.CopyN(io.Discard, reader, at); err != nil {
		return 0, z.damaged(err)
	}
	for n := 0; ; { // not io.ReadFull, whose error at the end means truncated content
		read, err := reader.Read(p[n:])
		if n += read; n == len(p) || err != nil {
			return n, z.damaged(err)
		}
	}
}

// zipEnding splits the extension of a compressed file from a path.
func zipEnding(path string) (inner, ending string) {
	ending = strings.ToLower(filepath.Ext(path))
	if ending == ".gz" || ending == ".zst" {
		return path[:len(path)-len(ending)], ending
	}
	return path, ""
}

// zipper returns a writer that compresses according to the extension of a path, or w itself. The caller closes it.
func zipper(path string, w io.Writer) (io.WriteCloser, error) {
	switch _, ending := zipEnding(path); ending {
	case ".gz":
		return gzip.NewWriter(w), nil
	case ".zst":
		return zstd.NewWriter(w)
	}
	return nopCloser{w}, nil
}

type nopCloser struct{ io.Writer }

// Close does nothing.
func (nopCloser) Close() error { return nil }
