package fileio

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// input is an open file.
type input struct {
	path    string // "" if in memory
	name    string // name in messages
	size    int64
	head    []byte  // at most the first headSize bytes
	content content // from the first byte
	budget  *statfile.Budget
	scratch *store.Store // memory of the columns; nil for the heap

	parts  []string // paths of the other files of a folder
	beyond int64    // total size of parts

	labels  map[string]map[string]string // value labels by variable, from the code lists of a described file
	lacking []string                     // code lists in the description that do not exist
	records []RecordVariable             // descriptions of the variables for ReadRecords
}

// content is the content of a file, sequentially or at any offset.
type content interface {
	io.Reader
	io.ReaderAt
}

// contextReader is content that returns an error once a context has ended. It reads in limited portions, so that the
// context is checked often.
type contextReader struct {
	content
	ctx context.Context
}

// mostAtOnce is the maximum number of bytes read between checks of the context.
const mostAtOnce = 1 << 20

// Read implements io.Reader.
func (w contextReader) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.content.Read(p[:min(len(p), mostAtOnce)])
}

// ReadAt implements io.ReaderAt.
func (w contextReader) ReadAt(p []byte, at int64) (n int, err error) {
	for part := range slices.Chunk(p, mostAtOnce) {
		if err := w.ctx.Err(); err != nil {
			return n, err
		}
		read, err := w.content.ReadAt(part, at+int64(n))
		if n += read; err != nil {
			return n, err
		}
	}
	return n, nil
}

// cancelled reports whether an error is that of a cancelled context.
func cancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// openOrdinary opens a regular file for reading and returns its size. Other files are rejected: a pipe would wait
// for a writer. Errors are complete sentences.
func openOrdinary(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, 0, unreadable(path, err)
	case info.IsDir():
		return nil, 0, failure(ErrDirectory, "%s is a folder; choose a file in it", path)
	case !info.Mode().IsRegular():
		return nil, 0, failure(ErrNotText, "%s is not a regular file; copy its content to a file first", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, unreadable(path, err)
	}
	return file, info.Size(), nil
}

// open opens a data file, or the first file of a folder, for reading until the context ends. The caller closes it.
func open(ctx context.Context, path string) (io.Closer, input, error) {
	paths, err := Files(path)
	if err != nil {
		return nil, input{}, err
	}
	file, in, err := openFile(ctx, paths[0])
	if err != nil || paths[0] == path {
		return file, in, err
	}
	in.name, in.parts = filepath.Base(path), paths[1:]
	for _, part := range in.parts {
		if info, err := os.Stat(part); err == nil {
			in.beyond += info.Size()
		}
	}
	return file, in, nil
}

// openFile is open for a single file.
func openFile(ctx context.Context, path string) (io.Closer, input, error) {
	in := input{path: path, name: filepath.Base(path)}
	file, size, err := openOrdinary(path)
	if err != nil {
		return nil, in, err
	}
	in.size, in.content = size, contextReader{file, ctx}
	in.head = make([]byte, min(headSize, in.size))
	n, err := in.content.ReadAt(in.head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		file.Close()
		return nil, in, unreadable(path, err)
	}
	in.head = in.head[:n]
	content, err := in.unzip(ctx, file)
	if err != nil {
		file.Close()
		return nil, in, err
	}
	return content, in, nil
}

// check returns an error for content that no reader accepts.
func (in *input) check() error {
	if len(in.head) == 0 {
		return failure(ErrEmpty, "%s is empty", in.name)
	}
	return nil
}

// takenBy reports whether a file type accepts the file as it is, compressed or not.
func (in *input) takenBy(k kind) bool {
	_, compressed := in.content.(*zipReader)
	return !compressed || k.info().Packed
}

// notText returns the error for a file of another program.
func (in *input) notText() error {
	if _, compressed := in.content.(*zipReader); compressed {
		return failure(ErrNotText, "%s contains %s; only text files can be read compressed: decompress the file first", in.name,
			cmp.Or(otherProgram(in.head), "text"))
	}
	return failure(ErrNotText,
		"%s looks like %s, which sdcdesk cannot read: export the data as CSV from the program that wrote it", in.name,
		otherProgram(in.head))
}

// unreadable describes in plain words why a file cannot be read.
func unreadable(path string, err error) error {
	if own := new(statfile.Failure); errors.As(err, &own) {
		return err
	}
	return inWords(path, err, "%s: no such file; check the name", "%s: no permission to read the file", "%s: %v")
}

// inWords returns an error in plain words for a path: missing, forbidden or other, depending on the system's
// error.
func inWords(path string, err error, missing, forbidden, other string) error {
	var reason syscall.Errno // the reason without the path
	switch {
	case cancelled(err):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return failure(err, missing, path)
	case errors.Is(err, fs.ErrPermission):
		return failure(err, forbidden, path)
	case errors.As(err, &reason):
		return failure(err, other, path, reason)
	default:
		return failure(err, other, path, err)
	}
}

func prefixed(name string, err error) error {
	if cancelled(err) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// GuessFile returns the format that a file suggests. If necessary it reads a whole text file to distinguish UTF-8
// from Windows-1252; the meter counts bytes. Errors are those of Read.
func GuessFile(ctx context.Context, path string, meter *progress.Meter) (Format, error) {
	file, in, err := open(ctx, path)
	if err != nil {
		return Format{}, err
	}
	defer file.Close()
	return formats().recognise(ctx, &in, meter)
}

// Read reads a file. f is a Format from Guess or GuessFile, possibly changed by the user; empty fields are
// guessed. The dataset does not depend on the number of processors. The context is checked every few hundred
// records; the meter counts bytes. Errors wrap those of this package, of package io/fs, or of the context.
func Read(ctx context.Context, path string, f Format, meter *progress.Meter) (*microdata.Dataset, *ReadReport, error) {
	file, in, err := open(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	return formats().read(ctx, &in, f, meter)
}

// Open opens a regular file that is not a dataset; pipes are rejected, whatever name the shell gives them, because
// they would wait for a writer. Errors are complete sentences; they wrap ErrDirectory, ErrNotText or errors of
// package io/fs.
func Open(path string) (*os.File, error) {
	file, _, err := openOrdinary(path)
	return file, err
}

// ReadBytes is Read for a file in memory; name appears in messages.
func ReadBytes(ctx context.Context, name string, content []byte, f Format,
	meter *progress.Meter) (*microdata.Dataset, *ReadReport, error) {
	in := inMemory(name, content)
	in.content = contextReader{in.content, ctx}
	return formats().read(ctx, &in, f, meter)
}

func inMemory(name string, content []byte) input {
	return input{name: name, size: int64(len(content)), head: content[:min(headSize, len(content))],
		content: bytes.NewReader(content), budget: statfile.NewBudget(name, statfile.Usual(int64(len(content))))}
}
