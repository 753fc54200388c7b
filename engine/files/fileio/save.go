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
	"runtime"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Write writes a dataset to a file; see WriteTo. The file appears when it is
// whole: it is written beside its place with mode 0600, synced and renamed. A
// file that exists is replaced only with Force, else the error wraps ErrExists;
// the source of the data is never replaced (ErrSource). Companions are written
// with it, under the same conditions. A name that belongs to
// another kind of file is refused (ErrName). After an error there is
// no new file and the old one is untouched. The meter counts records.
func Write(ctx context.Context, path string, d *microdata.Dataset, f Format, o WriteOptions,
	meter *progress.Meter) (*WriteReport, error) {
	files := Staging{Options: o}
	defer files.Discard()
	report, err := files.AddData(ctx, path, d, f, o, meter)
	if err == nil {
		err = files.Place()
	}
	if err != nil {
		return nil, err
	}
	return report, nil
}

// Save writes a file that is no dataset, under the conditions of Write.
func Save(path string, o WriteOptions, write func(io.Writer) error) error {
	files := Staging{Options: o}
	defer files.Discard()
	if err := files.Add(path, write); err != nil {
		return err
	}
	return files.Place()
}

// Staging gathers files that are to appear together or not at all.
type Staging struct {
	Options WriteOptions // of which Force and Source count
	files   []staged
	before  []func() error
}

// staged is a file that is written beside the place it is to have. It stays open, and
// locked, until it has it, so that nobody takes it for one that was left.
type staged struct {
	path, temporary string
	file            *os.File
}

// Add writes and syncs a file beside its place, with mode 0600; files that killed
// programs left there are removed. Errors are those of Write.
func (s *Staging) Add(path string, write func(io.Writer) error) error {
	if err := Writable(path, s.Options); err != nil {
		return err
	}
	RemoveUnplaced(filepath.Dir(path))
	file, err := os.CreateTemp(filepath.Dir(path), stagedStart+"*"+stagedEnd)
	if err != nil {
		return unwritable(path, err)
	}
	s.files = append(s.files, staged{path, file.Name(), file}) // discarded after a panic too
	_ = Lock(file)                                             // before the first byte: see FindUnplaced
	synced := &syncedFile{file: file, syncing: parallel.Go(func() {})}
	defer func() { synced.syncing.Wait() }() // after a panic too nothing is synced any more
	buffered := bufio.NewWriterSize(synced, 1<<16)
	if err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = synced.end()
	}
	if err != nil {
		return unwritable(path, err)
	}
	return nil
}

// syncedFile is a file that is synced while it is written, since the sync of a large one at its
// end would take long.
type syncedFile struct {
	file    *os.File
	more    int               // bytes since the last sync was begun
	syncing *parallel.Pending // the last sync
	failed  error             // that of a sync that has ended: the system may tell it only once
}

// Write writes, and begins a sync where much has come since the last one.
func (s *syncedFile) Write(content []byte) (int, error) {
	const each = 1 << 25
	n, err := s.file.Write(content)
	if s.more += n; err == nil && s.more >= each {
		if s.syncing.Wait(); s.failed != nil {
			return n, s.failed
		}
		s.more, s.syncing = 0, parallel.Go(func() { s.failed = s.file.Sync() })
	}
	return n, err
}

// end syncs what is left.
func (s *syncedFile) end() error {
	s.syncing.Wait()
	if s.failed != nil {
		return s.failed
	}
	return s.file.Sync()
}

// AddData adds a dataset and the files that describe it. Errors are those of Write.
func (s *Staging) AddData(ctx context.Context, path string, d *microdata.Dataset, f Format, o WriteOptions,
	meter *progress.Meter) (report *WriteReport, err error) {
	if err := CheckName(path, f); err != nil {
		return nil, err
	}
	companions, err := Companions(path, d, f, o)
	warning := ""
	if errors.Is(err, ErrNoLabels) {
		warning, companions = err.Error(), nil
	} else if err != nil {
		return nil, prefixed(filepath.Base(path), err)
	}
	var beside []string
	for _, companion := range companions {
		err := s.Add(companion.Path, func(w io.Writer) error {
			_, err := io.WriteString(w, companion.Text)
			return err
		})
		if err != nil {
			return nil, err
		}
		beside = append(beside, companion.Path)
	}
	err = s.Add(path, func(w io.Writer) (err error) {
		if o.Copy != nil {
			w = io.MultiWriter(w, o.Copy)
		}
		report, err = WriteAs(ctx, path, w, d, f, o, meter)
		return err
	})
	if err != nil {
		return nil, err
	}
	report.Beside, report.Warning = beside, warning
	return report, nil
}

// Before has something done first of all when the files get their names; where it fails, none does.
func (s *Staging) Before(do func() error) { s.before = append(s.before, do) }

// Place gives all files their names. Where one fails, those that are new are
// removed again. Without Force nothing that came to exist meanwhile is replaced
// (ErrExists).
func (s *Staging) Place() error {
	for _, do := range s.before {
		if err := do(); err != nil {
			return err
		}
	}
	var made []string
	for _, file := range s.files {
		_, err := os.Lstat(file.path)
		isNew := errors.Is(err, fs.ErrNotExist)
		if runtime.GOOS == "windows" {
			_ = file.file.Close() // what is open has its name for good there
		}
		if err := rename(file.temporary, file.path, s.Options.Force); err != nil {
			for _, path := range made {
				_ = os.Remove(path)
			}
			return unwritable(file.path, err)
		}
		_ = os.Remove(file.temporary) // after a link there are two names
		_ = file.file.Close()         // its content was synced
		SyncFolder(filepath.Dir(file.path))
		if isNew {
			made = append(made, file.path)
		}
	}
	s.files = nil
	return nil
}

// Discard removes what is not placed.
func (s *Staging) Discard() {
	for _, file := range s.files {
		_ = file.file.Close()
		_ = os.Remove(file.temporary)
	}
}

// Writable reports a path that must not be written under the options; nil: it
// can be, as far as can be told beforehand. Errors are those of Write.
func Writable(path string, o WriteOptions) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err = os.Stat(filepath.Dir(path)); err == nil {
			return nil
		}
	}
	if err != nil {
		return unwritable(path, err)
	}
	if o.Source != "" {
		files, err := Files(o.Source)
		if err != nil {
			files = []string{o.Source}
		}
		for _, kept := range append(descriptionsBeside(o.Source), files...) {
			if source, err := os.Stat(kept); err == nil && os.SameFile(source, info) {
				return failure(ErrSource,
					"%s is the original file or its description and is never overwritten: choose another name", path)
			}
		}
	}
	switch {
	case info.IsDir():
		return failure(ErrDirectory, "%s is a folder; name a file in it", path)
	case !info.Mode().IsRegular():
		return failure(ErrFormat, "%s is not a regular file; choose another name", path)
	case !o.Force:
		return exists(path)
	}
	return nil
}

func exists(path string) error {
	return failure(ErrExists, "%s exists; choose another name, or allow replacing it", path)
}

// rename gives the temporary file its name. Without force nothing that came to
// exist meanwhile is replaced.
func rename(temporary, path string, force bool) error {
	if force {
		return os.Rename(temporary, path)
	}
	err := os.Link(temporary, path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// The file system has no links: take the name with an empty file first.
		var holder *os.File
		if holder, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil {
			holder.Close()
			if err = os.Rename(temporary, path); err != nil {
				os.Remove(path)
				return err
			}
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return exists(path)
	}
	return err
}

// SyncFolder makes the name of a new file last. Not every system can; the
// file's content is safe by then.
func SyncFolder(folder string) {
	if f, err := os.Open(folder); err == nil {
		_ = f.Sync()
		f.Close()
	}
}

// unwritable says in plain words why a file cannot be written.
func unwritable(path string, err error) error {
	if own := new(statfile.Failure); errors.As(err, &own) {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return inWords(path, err, "%s: the folder does not exist; check the path",
		"%s: no permission to write to this folder; choose another folder", "writing %s: %v; nothing was changed")
}
