package fileio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
)

// input is an open file.
type input struct {
	name    string // for messages
	size    int64
	head    []byte                       // the first bytes, at most headSize
	content io.Reader                    // from the first byte on
	labels  map[string]map[string]string // of codes by variable, from the code lists of a described file
	lacking []string                     // code lists that a description names and that are not there
}

// open opens a file for reading. The caller closes it.
func open(path string) (*os.File, input, error) {
	in := input{name: filepath.Base(path)}
	info, err := os.Stat(path)
	if err != nil {
		return nil, in, unreadable(path, err)
	}
	if info.IsDir() {
		return nil, in, failure(ErrDirectory, "%s is a folder; choose a file in it", path)
	}
	if !info.Mode().IsRegular() {
		return nil, in, failure(ErrNotText, "%s is no ordinary file; copy its content to a file first", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, in, unreadable(path, err)
	}
	in.size, in.content = info.Size(), file
	in.head = make([]byte, min(headSize, in.size))
	n, err := file.ReadAt(in.head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		file.Close()
		return nil, in, unreadable(path, err)
	}
	in.head = in.head[:n]
	return file, in, nil
}

// check reports content that no reader takes.
func (in *input) check() error {
	if len(in.head) == 0 {
		return failure(ErrEmpty, "%s is empty: it has no bytes", in.name)
	}
	return nil
}

// unreadable says in plain words why a file cannot be read.
func unreadable(path string, err error) error {
	reason := err
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		reason = pathError.Err
	}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &wrapped{fmt.Sprintf("%s: there is no such file; check the name", path), err}
	case errors.Is(err, fs.ErrPermission):
		return &wrapped{fmt.Sprintf("%s: no permission to read the file", path), err}
	default:
		return &wrapped{fmt.Sprintf("%s: %v", path, reason), err}
	}
}

func prefixed(name string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// GuessFile returns the format that a file suggests. The whole file is read
// once where only that tells UTF-8 from Windows-1252. Errors are those of Read.
func GuessFile(path string) (Format, error) {
	file, in, err := open(path)
	if err != nil {
		return Format{}, err
	}
	defer file.Close()
	if err := in.check(); err != nil {
		return Format{}, err
	}
	if f, found, err := in.describedBeside(path); found || err != nil {
		return f, err
	}
	reader, err := readerOf(in, Format{})
	if err != nil {
		return Format{}, err
	}
	f := reader.Guess(in.head)
	if f.Encoding == UTF8 {
		valid, err := validUTF8(file)
		if err != nil {
			return f, unreadable(path, err)
		}
		if !valid {
			f.Encoding = Windows1252
		}
	}
	return f, nil
}

// validUTF8 reports whether all of a text is UTF-8.
func validUTF8(text io.Reader) (bool, error) {
	buffer := make([]byte, 1<<18)
	kept := 0
	for {
		n, err := text.Read(buffer[kept:])
		part := buffer[:kept+n]
		invalid := invalidUTF8(part)
		if invalid < len(part) {
			return false, nil
		}
		kept = copy(buffer, cutCharacter(part))
		if errors.Is(err, io.EOF) {
			return kept == 0, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// Read reads a file. f is a Format from Guess or GuessFile, changed as the user
// wants; fields it leaves empty are guessed. The dataset does not depend on the
// number of processors. The context is looked at every few hundred records; the
// meter counts bytes. Errors wrap the sentinels of this package, those of
// package io/fs, or that of the context.
func Read(ctx context.Context, path string, f Format, meter *progress.Meter) (*microdata.Dataset, *ReadReport, error) {
	file, in, err := open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	in.readCodeLists(path, f)
	return read(ctx, in, f, meter)
}

// Open opens a file, or a pipe, whose content is not a dataset. Errors are
// sentences; they wrap ErrDirectory or those of package io/fs.
func Open(path string) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return nil, failure(ErrDirectory, "%s is a folder; choose a file in it", path)
	}
	return file, nil
}

// ReadBytes reads a file that is in memory; name is for messages. See Read.
func ReadBytes(ctx context.Context, name string, content []byte, f Format, meter *progress.Meter) (*microdata.Dataset, *ReadReport, error) {
	return read(ctx, inMemory(name, content), f, meter)
}

func inMemory(name string, content []byte) input {
	return input{name: name, size: int64(len(content)), head: content[:min(headSize, len(content))], content: bytes.NewReader(content)}
}

func read(ctx context.Context, in input, f Format, meter *progress.Meter) (*microdata.Dataset, *ReadReport, error) {
	if err := in.check(); err != nil {
		return nil, nil, err
	}
	reader, err := readerOf(in, f)
	if err != nil {
		return nil, nil, err
	}
	return reader.read(ctx, in, f, meter)
}
