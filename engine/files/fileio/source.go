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
	path    string // "": in memory
	name    string // for messages
	size    int64
	head    []byte  // the first bytes, at most headSize
	content content // from the first byte on
	budget  *statfile.Budget
	scratch *store.Store // of what is read; nil: the heap

	parts  []string // of a folder: the paths of the files after this one
	beyond int64    // bytes of these

	labels  map[string]map[string]string // of codes by variable, from the code lists of a described file
	lacking []string                     // code lists that a description names and that are not there
	records []RecordVariable             // what another says of the variables of records that come as text
}

// content is what a file holds, from the start or at any place.
type content interface {
	io.Reader
	io.ReaderAt
}

// watched is content that is read no further once a context has ended, and in parts, so
// that it is looked at often.
type watched struct {
	content
	ctx context.Context
}

// mostAtOnce is the number of bytes that are read between two looks at the context.
const mostAtOnce = 1 << 20

// Read reads on.
func (w watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.content.Read(p[:min(len(p), mostAtOnce)])
}

// ReadAt reads from a place on.
func (w watched) ReadAt(p []byte, at int64) (n int, err error) {
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

// cancelled reports whether an error is that of a context that has ended.
func cancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// openOrdinary opens a file for reading and returns its size. Nothing but an
// ordinary file is opened: a pipe would wait for somebody to write to it.
// Errors are sentences.
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

// open opens a data file for reading, as long as the context lasts, or the first file of a folder. The caller closes it.
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

// openFile is open for a file.
func openFile(ctx context.Context, path string) (io.Closer, input, error) {
	in := input{path: path, name: filepath.Base(path)}
	file, size, err := openOrdinary(path)
	if err != nil {
		return nil, in, err
	}
	in.size, in.content = size, watched{file, ctx}
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

// check reports content that no reader takes.
func (in *input) check() error {
	if len(in.head) == 0 {
		return failure(ErrEmpty, "%s is empty", in.name)
	}
	return nil
}

// takenBy reports whether a kind takes the file as it is, compressed or not.
func (in *input) takenBy(k kind) bool {
	_, compressed := in.content.(*zipped)
	return !compressed || k.info().Packed
}

// notText is the error of a file of another program.
func (in *input) notText() error {
	if _, compressed := in.content.(*zipped); compressed {
		return failure(ErrNotText, "%s contains %s; only text files can be read compressed: decompress the file first", in.name,
			cmp.Or(otherProgram(in.head), "text"))
	}
	return failure(ErrNotText,
		"%s looks like %s, which sdcdesk cannot read: export the data as CSV from the program that wrote it", in.name,
		otherProgram(in.head))
}

// unreadable says in plain words why a file cannot be read.
func unreadable(path string, err error) error {
	if own := new(statfile.Failure); errors.As(err, &own) {
		return err
	}
	return inWords(path, err, "%s: no such file; check the name", "%s: no permission to read the file", "%s: %v")
}

// inWords says in plain words, with the path, what the system says of a file: that
// it is missing, that it is forbidden, or something else.
func inWords(path string, err error, missing, forbidden, other string) error {
	var reason syscall.Errno // without the path
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

// GuessFile returns the format that a file suggests. The whole of a text file
// is read once where only that tells UTF-8 from Windows-1252; the meter counts
// bytes. Errors are those of Read.
func GuessFile(ctx context.Context, path string, meter *progress.Meter) (Format, error) {
	file, in, err := open(ctx, path)
	if err != nil {
		return Format{}, err
	}
	defer file.Close()
	return formats().recognise(ctx, &in, meter)
}

// Read reads a file. f is a Format from Guess or GuessFile, changed as the user
// wants; fields it leaves empty are guessed. The dataset does not depend on the
// number of processors. The context is looked at every few hundred records; the
// meter counts bytes. Errors wrap the sentinels of this package, those of
// package io/fs, or that of the context.
func Read(ctx context.Context, path string, f Format, meter *progress.Meter) (*microdata.Dataset, *ReadReport, error) {
	file, in, err := open(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	return formats().read(ctx, &in, f, meter)
}

// Open opens a file whose content is not a dataset; a pipe is refused, by whatever name
// a shell hands it over: nothing waits for somebody to write to it. Errors are
// sentences; they wrap ErrDirectory, ErrNotText or those of package io/fs.
func Open(path string) (*os.File, error) {
	file, _, err := openOrdinary(path)
	return file, err
}

// ReadBytes reads a file that is in memory; name is for messages. See Read.
func ReadBytes(ctx context.Context, name string, content []byte, f Format,
	meter *progress.Meter) (*microdata.Dataset, *ReadReport, error) {
	in := inMemory(name, content)
	in.content = watched{in.content, ctx}
	return formats().read(ctx, &in, f, meter)
}

func inMemory(name string, content []byte) input {
	return input{name: name, size: int64(len(content)), head: content[:min(headSize, len(content))],
		content: bytes.NewReader(content), budget: statfile.NewBudget(name, statfile.Usual(int64(len(content))))}
}
