package fileio

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// staged is a file that is written and synced beside the place it is to have.
type staged struct {
	path      string
	temporary string // "" once it is placed or discarded
	force     bool
}

// stage writes a file beside its place, with mode 0600; files that killed
// programs left there more than a day ago are removed. What is not placed has to
// be discarded.
func stage(path string, o WriteOptions, write func(io.Writer) error) (*staged, error) {
	if err := Writable(path, o); err != nil {
		return nil, err
	}
	removeStale(filepath.Dir(path), time.Now())
	temporary, err := os.CreateTemp(filepath.Dir(path), stagedStart+"*"+stagedEnd)
	if err != nil {
		return nil, unwritable(path, err)
	}
	s := &staged{path: path, temporary: temporary.Name(), force: o.Force}
	whole := false
	defer func() {
		if !whole { // after a panic too
			s.discard()
		}
	}()
	buffered := bufio.NewWriterSize(temporary, 1<<16)
	err = write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = temporary.Sync()
	}
	if closing := temporary.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, unwritable(path, err)
	}
	whole = true
	return s, nil
}

// place gives the file its name. Without Force nothing that came to exist
// meanwhile is replaced (ErrExists).
func (s *staged) place() error {
	if err := rename(s.temporary, s.path, s.force); err != nil {
		return unwritable(s.path, err)
	}
	s.discard() // after a link there are two names
	syncFolder(filepath.Dir(s.path))
	return nil
}

// discard removes a file that is not placed; after place it does nothing.
func (s *staged) discard() {
	if s.temporary != "" {
		_ = os.Remove(s.temporary)
		s.temporary = ""
	}
}

// Writable reports a path that must not be written under the options; nil: it
// can be, as far as can be told beforehand. Errors are those of Write.
func Writable(path string, o WriteOptions) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return unwritable(path, err)
		}
		return nil
	}
	if err != nil {
		return unwritable(path, err)
	}
	if o.Source != "" {
		for _, kept := range append(descriptionsBeside(o.Source), o.Source) {
			if source, err := os.Stat(kept); err == nil && os.SameFile(source, info) {
				return failure(ErrSource, "%s is the file the data come from, or describes it; it is never written: choose another name", path)
			}
		}
	}
	switch {
	case info.IsDir():
		return failure(ErrDirectory, "%s is a folder; name a file in it", path)
	case !info.Mode().IsRegular():
		return failure(ErrFormat, "%s is no ordinary file; choose another name", path)
	case !o.Force:
		return exists(path)
	}
	return nil
}

func exists(path string) error {
	return failure(ErrExists, "%s exists; choose another name, or allow to replace it", path)
}

// rename gives the temporary file its name. Without force nothing that came to
// exist meanwhile is replaced.
func rename(temporary, path string, force bool) error {
	if force {
		return os.Rename(temporary, path)
	}
	err := os.Link(temporary, path)
	if err == nil {
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return exists(path)
	}
	// The file system has no links: take the name with an empty file first.
	holder, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return exists(path)
	}
	if err != nil {
		return err
	}
	holder.Close()
	if err := os.Rename(temporary, path); err != nil {
		os.Remove(path)
		return err
	}
	return nil
}

// syncFolder makes the name of a new file last. Not every system can; the
// file's content is safe by then.
func syncFolder(folder string) {
	if f, err := os.Open(folder); err == nil {
		_ = f.Sync()
		f.Close()
	}
}

// unwritable says in plain words why a file cannot be written.
func unwritable(path string, err error) error {
	var own *wrapped
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &own):
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	case errors.Is(err, fs.ErrNotExist):
		return &wrapped{fmt.Sprintf("%s: there is no folder of this name; check the path", path), err}
	case errors.Is(err, fs.ErrPermission):
		return &wrapped{fmt.Sprintf("%s: no permission to write in this folder; choose another one", path), err}
	}
	return &wrapped{fmt.Sprintf("%s could not be written: %v; nothing was changed", path, reasonOf(err)), err}
}
