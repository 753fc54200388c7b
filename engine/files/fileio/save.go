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

// Write writes a dataset to a file; see WriteTo. The file appears atomically: it is written next to path with mode
// 0600, synced and renamed. An existing file is replaced only with Force, otherwise the error wraps ErrExists; the
// source of the data is never replaced (ErrSource). Companions are written with it under the same conditions. A
// name of another file type is rejected (ErrName). After an error there is no new file and an old one is
// unchanged. The meter counts records.
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

// Save writes a file that is not a dataset, under the conditions of Write.
func Save(path string, o WriteOptions, write func(io.Writer) error) error {
	files := Staging{Options: o}
	defer files.Discard()
	if err := files.Add(path, write); err != nil {
		return err
	}
	return files.Place()
}

// Staging collects files that appear together or not at all.
type Staging struct {
	Options WriteOptions // only Force and Source are used
	files   []stagedFile
	before  []func() error
}

// stagedFile is a temporary file in the folder of its final path. It stays open and locked until it is renamed, so
// that it is not mistaken for a leftover.
type stagedFile struct {
	path, temporary string
	file            *os.File
}

// Add writes and syncs a temporary file in the folder of path, with mode 0600; leftovers of killed programs in the
// folder are removed. Errors are those of Write.
func (s *Staging) Add(path string, write func(io.Writer) error) error {
	if err := Writable(path, s.Options); err != nil {
		return err
	}
	RemoveUnplaced(filepath.Dir(path))
	file, err := os.CreateTemp(filepath.Dir(path), stagedStart+"*"+stagedEnd)
	if err != nil {
		return unwritable(path, err)
	}
	s.files = append(s.files, stagedFile{path, file.Name(), file}) // to be discarded even after a panic
	_ = Lock(file)                                                 // before the first byte; see FindUnplaced
	synced := &syncedFile{file: file, syncing: parallel.Go(func() {})}
	defer func() { synced.syncing.Wait() }() // no sync may continue after a panic
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

// syncedFile syncs a file while it is written, because syncing a large one at its end would take long.
type syncedFile struct {
	file    *os.File
	more    int               // bytes since the start of the last sync
	syncing *parallel.Pending // the last sync
	failed  error             // error of an earlier sync, which the system may report only once
}

// Write writes, and starts a sync if enough was written since the last one.
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

// end syncs the rest.
func (s *syncedFile) end() error {
	s.syncing.Wait()
	if s.failed != nil {
		return s.failed
	}
	return s.file.Sync()
}

// AddData adds a dataset and its companions. Errors are those of Write.
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
	var companionPaths []string
	for _, companion := range companions {
		err := s.Add(companion.Path, func(w io.Writer) error {
			_, err := io.WriteString(w, companion.Text)
			return err
		})
		if err != nil {
			return nil, err
		}
		companionPaths = append(companionPaths, companion.Path)
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
	report.CompanionPaths, report.Warning = companionPaths, warning
	return report, nil
}

// Before adds a function that Place calls before it renames any file; if it fails, no file is renamed.
func (s *Staging) Before(do func() error) { s.before = append(s.before, do) }

// Place renames all files to their final paths. If one fails, the new ones before it are removed. Without Force, a
// file created in the meantime is not replaced (ErrExists).
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
			_ = file.file.Close() // Windows cannot rename an open file
		}
		if err := rename(file.temporary, file.path, s.Options.Force); err != nil {
			for _, path := range made {
				_ = os.Remove(path)
			}
			return unwritable(file.path, err)
		}
		_ = os.Remove(file.temporary) // remains if rename used a link
		_ = file.file.Close()         // the content was synced
		SyncFolder(filepath.Dir(file.path))
		if isNew {
			made = append(made, file.path)
		}
	}
	s.files = nil
	return nil
}

// Discard removes the files that were not placed.
func (s *Staging) Discard() {
	for _, file := range s.files {
		_ = file.file.Close()
		_ = os.Remove(file.temporary)
	}
}

// Writable returns an error of Write if path must not be written under the options, as far as that can be checked
// in advance.
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
		for _, kept := range append(descriptionsOf(o.Source), files...) {
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

// rename renames the temporary file. Without force, a file created in the meantime is not replaced.
func rename(temporary, path string, force bool) error {
	if force {
		return os.Rename(temporary, path)
	}
	err := os.Link(temporary, path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// The file system has no links: reserve the name with an empty file first.
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

// SyncFolder makes the name of a new file durable, on systems that support it; its content already is.
func SyncFolder(folder string) {
	if f, err := os.Open(folder); err == nil {
		_ = f.Sync()
		f.Close()
	}
}

// unwritable describes in plain words why a file cannot be written.
func unwritable(path string, err error) error {
	if own := new(statfile.Failure); errors.As(err, &own) {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return inWords(path, err, "%s: the folder does not exist; check the path",
		"%s: no permission to write to this folder; choose another folder", "writing %s: %v; nothing was changed")
}
