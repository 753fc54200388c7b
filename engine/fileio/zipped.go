package fileio

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// zipped is the content of a file that gzip or zstd compressed: text inside is
// read as if it stood there. It is read from front to back; what is asked for at a
// place is decompressed anew.
type zipped struct {
	file   *os.File
	name   string
	open   func(io.Reader) (io.ReadCloser, error)
	reader io.ReadCloser // nil: not begun
}

// unzipper returns what decompresses a file by its first bytes; nil for others.
func unzipper(head []byte) func(io.Reader) (io.ReadCloser, error) {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return func(r io.Reader) (io.ReadCloser, error) {
			const mostWindow = 1 << 27 // what the zstd program takes without being asked
			d, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(mostWindow))
			if err != nil {
				return nil, err
			}
			return d.IOReadCloser(), nil
		}
	}
	return nil
}

// unzip makes the input one of what a compressed file holds; others stay.
func (in *input) unzip(file *os.File) error {
	open := unzipper(in.head)
	if open == nil {
		return nil
	}
	z := &zipped{file: file, name: in.name, open: open}
	head := make([]byte, headSize)
	n, err := z.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	in.head, in.content = head[:n], z
	if n < headSize {
		in.size = int64(n)
	} else {
		in.size = max(in.size, headSize+1) // how much it is shows at its end
	}
	return nil
}

func (z *zipped) damaged(err error) error {
	if err == nil || errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return failure(ErrNotText, "%s: the compressed file is truncated or damaged", z.name)
}

// Read continues from the front.
func (z *zipped) Read(p []byte) (int, error) {
	if z.reader == nil {
		reader, err := z.open(io.NewSectionReader(z.file, 0, 1<<62))
		if err != nil {
			return 0, z.damaged(err)
		}
		z.reader = reader
	}
	n, err := z.reader.Read(p)
	return n, z.damaged(err)
}

// ReadAt decompresses what stands before the place, too.
func (z *zipped) ReadAt(p []byte, at int64) (int, error) {
	reader, err := z.open(io.NewSectionReader(z.file, 0, 1<<62))
	if err != nil {
		return 0, z.damaged(err)
	}
	defer reader.Close()
	if _, err := io.CopyN(io.Discard, reader, at); err != nil {
		return 0, z.damaged(err)
	}
	n, err := io.ReadFull(reader, p)
	if errors.Is(err, io.ErrUnexpectedEOF) && n > 0 && z.wholeTo(at+int64(n)) {
		err = io.EOF
	}
	return n, z.damaged(err)
}

// wholeTo reports whether the content ends well at a place.
func (z *zipped) wholeTo(at int64) bool {
	reader, err := z.open(io.NewSectionReader(z.file, 0, 1<<62))
	if err != nil {
		return false
	}
	defer reader.Close()
	n, err := io.Copy(io.Discard, io.LimitReader(reader, at+1))
	return err == nil && n == at
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
