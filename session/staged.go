package session

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sdcdesk/sdcdesk/engine/fileio"
)

// staged is a file that is written and synced beside the place it is to have.
// Several files are staged before the first of them is placed, so that they
// appear together or not at all.
type staged struct {
	path      string
	temporary string // "" once it is placed or discarded
	force     bool
	replaced  bool // there was a file before
}

// stage writes a file beside its place, readable by its owner only. A file
// that exists is an error that wraps fileio.ErrExists unless force is set;
// source is a file that is never replaced, "" for none.
func stage(path string, force bool, source string, write func(io.Writer) error) (*staged, error) {
	replaced, err := checkPlace(path, force, source)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return nil, placeError(path, err)
	}
	s := &staged{path: path, temporary: file.Name(), force: force, replaced: replaced}
	buffered := bufio.NewWriterSize(file, 1<<16)
	if err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = file.Sync()
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		s.discard()
		return nil, placeError(path, err)
	}
	return s, nil
}

// checkPlace reports a path where nothing may be written, and whether there is
// a file to be replaced.
func checkPlace(path string, force bool, source string) (replaced bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, placeError(path, err)
	}
	if source != "" {
		if original, err := os.Stat(source); err == nil && os.SameFile(original, info) {
			return false, fmt.Errorf("%w: %s is never written; choose another name", fileio.ErrSource, path)
		}
	}
	switch {
	case info.IsDir():
		return false, fmt.Errorf("%w: %s; name a file in it", fileio.ErrDirectory, path)
	case !info.Mode().IsRegular():
		return false, fmt.Errorf("%s is no ordinary file; choose another name", path)
	case !force:
		return false, existsError(path)
	}
	return true, nil
}

func existsError(path string) error {
	return fmt.Errorf("%w: %s; choose another name, or replace it", fileio.ErrExists, path)
}

func placeError(path string, err error) error {
	reason := err
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		reason = pathError.Err
	}
	return fmt.Errorf("%s is not written: %w", path, reason)
}

// place gives the file its name. Without force nothing that came to exist
// meanwhile is replaced.
func (s *staged) place() error {
	if !s.force {
		err := os.Link(s.temporary, s.path)
		if err == nil {
			s.discard()
			syncFolder(filepath.Dir(s.path))
			return nil
		}
		if _, there := os.Lstat(s.path); errors.Is(err, fs.ErrExist) || there == nil {
			return existsError(s.path)
		}
		// The file system has no links: rename, which does not look.
	}
	if err := os.Rename(s.temporary, s.path); err != nil {
		return placeError(s.path, err)
	}
	s.temporary = ""
	syncFolder(filepath.Dir(s.path))
	return nil
}

// discard removes what is not placed.
func (s *staged) discard() {
	if s.temporary != "" {
		_ = os.Remove(s.temporary)
		s.temporary = ""
	}
}

// placeAll places all files or none: where one fails, those that are new are
// removed again.
func placeAll(files []*staged) error {
	for i, file := range files {
		if err := file.place(); err != nil {
			for _, before := range files[:i] {
				if !before.replaced {
					_ = os.Remove(before.path)
				}
			}
			for _, rest := range files[i:] {
				rest.discard()
			}
			return err
		}
	}
	return nil
}

// writeFile stages and places one file.
func writeFile(path string, force bool, source string, write func(io.Writer) error) error {
	file, err := stage(path, force, source, write)
	if err != nil {
		return err
	}
	return placeAll([]*staged{file})
}
