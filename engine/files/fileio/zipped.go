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

// zipped is the content of a file that gzip, zstd, bzip2 or xz compressed: text inside is
// read as if it stood there. It is read from front to back; what is asked for at a
// place is decompressed anew.
type zipped struct {
	file   io.ReaderAt
	closer io.Closer // of the file
	name   string
	size   int64           // of the file
	ctx    context.Context // nothing is decompressed once it has ended
	open   statfile.Unpacker
	reader io.ReadCloser   // nil: not begun
	meter  *progress.Meter // of the bytes that the reader takes
}

// unzip makes the input one of what a compressed file holds; others stay. The caller
// closes what it returns, and the file with it.
func (in *input) unzip(ctx context.Context, file *os.File) (io.Closer, error) {
	open := statfile.UnpackerOf(in.head)
	if open == nil {
		return file, nil
	}
	z := &zipped{file: in.content, closer: file, name: in.name, size: in.size, open: open, ctx: ctx}
	head := make([]byte, headSize)
	n, err := z.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	in.head, in.content = head[:n], z
	if n < headSize {
		in.size = int64(n)
	} else {
		in.size = max(in.size, headSize+1) // how much it is shows at its end
	}
	return z, nil
}

// anew decompresses the content from the front; the meter counts the bytes that it takes.
func (z *zipped) anew(meter *progress.Meter, goroutines int) (io.ReadCloser, error) {
	inner, err := z.open(io.NewSectionReader(progress.ReaderAt{ReaderAt: z.file, Meter: meter}, 0, z.size), goroutines)
	return watchedUnzipping{inner, z.ctx}, err
}

// watchedUnzipping decompresses no more once a context has ended: a few bytes of a file can hold gigabytes.
type watchedUnzipping struct {
	io.ReadCloser
	ctx context.Context
}

// Read decompresses on.
func (w watchedUnzipping) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.ReadCloser.Read(p[:min(len(p), mostAtOnce)])
}

func (z *zipped) damaged(err error) error {
	if err == nil || cancelled(err) || errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if errors.Is(err, ErrLimit) {
		return failure(ErrLimit, "%s: %v", z.name, err)
	}
	return failure(ErrNotText, "%s: the compressed file is truncated or damaged", z.name)
}

// Read continues from the front.
func (z *zipped) Read(p []byte) (int, error) {
	if z.reader == nil {
		reader, err := z.anew(z.meter, min(4, runtime.GOMAXPROCS(0)))
		if err != nil {
			return 0, z.damaged(err)
		}
		z.reader = reader
	}
	n, err := z.reader.Read(p)
	if err == io.EOF { // make room
		err = cmp.Or(z.reader.Close(), err)
		z.reader = io.NopCloser(strings.NewReader(""))
	}
	return n, z.damaged(err)
}

// Close closes the file.
func (z *zipped) Close() error {
	if z.reader != nil {
		z.reader.Close()
	}
	return z.closer.Close()
}

// inflated returns about how many bytes the content has, by how its beginning is
// compressed; 0 where that cannot be read.
func (z *zipped) inflated() int64 {
	const beginning = 4 << 20
	taken := new(progress.Meter)
	taken.Start(z.size)
	reader, err := z.anew(taken, 1)
	if err != nil {
		return 0
	}
	defer reader.Close()
	n, err := io.CopyN(io.Discard, reader, beginning)
	if err != nil {
		return n // all there is, or reading tells what is wrong
	}
	return int64(float64(n) / taken.Fraction())
}

// ReadAt decompresses what stands before the place, too.
func (z *zipped) ReadAt(p []byte, at int64) (int, error) {
	reader, err := z.anew(nil, 1)
	if err != nil {
		return 0, z.damaged(err)
	}
	defer reader.Close()
	if _, err := io.CopyN(io.Discard, reader, at); err != nil {
		return 0, z.damaged(err)
	}
	for n := 0; ; { // not io.ReadFull: its error at the end is that of content that is cut
		read, err := reader.Read(p[n:])
		if n += read; n == len(p) || err != nil {
			return n, z.damaged(err)
		}
	}
}

// zipEnding parts a path from the ending of a compressed file.
func zipEnding(path string) (inner, ending string) {
	ending = strings.ToLower(filepath.Ext(path))
	if ending == ".gz" || ending == ".zst" {
		return path[:len(path)-len(ending)], ending
	}
	return path, ""
}

// zipper returns what compresses as the ending of a path says; w itself for
// others. What it returns has to be closed.
func zipper(path string, w io.Writer) (io.WriteCloser, error) {
	switch _, ending := zipEnding(path); ending {
	case ".gz":
		return gzip.NewWriter(w), nil
	case ".zst":
		return zstd.NewWriter(w)
	}
	return unclosed{w}, nil
}

type unclosed struct{ io.Writer }

// Close does nothing.
func (unclosed) Close() error { return nil }
