package fileio

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
)

// Write writes a dataset to a file; see WriteTo. The file appears when it is
// whole: it is written beside its place with mode 0600, synced and renamed. A
// file that exists is replaced only with Force, else the error wraps ErrExists;
// the source of the data is never replaced (ErrSource). Companions are written
// with it, under the same conditions. A name that belongs to
// another kind of file is refused (ErrName). After an error there is
// no new file and the old one is untouched. The meter counts records.
func Write(ctx context.Context, path string, d *microdata.Dataset, f Format, o WriteOptions, meter *progress.Meter) (*WriteReport, error) {
	writer, err := formats().writer(f)
	if err == nil {
		err = checkName(path, writer)
	}
	if err != nil {
		return nil, err
	}
	files := Staging{Options: o}
	defer files.Discard()
	if err := files.AddCompanions(path, d, f, o); err != nil {
		return nil, err
	}
	var report *WriteReport
	err = files.Add(path, func(w io.Writer) (err error) {
		report, err = writer.write(ctx, w, d, f, o, meter)
		return err
	})
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
	staged  []*staged
}

// Add writes and syncs a file beside its place. Errors are those of Write.
func (s *Staging) Add(path string, write func(io.Writer) error) error {
	file, err := stage(path, s.Options, write)
	if err == nil {
		s.staged = append(s.staged, file)
	}
	return err
}

// AddCompanions adds the files that describe a dataset which is written to path.
func (s *Staging) AddCompanions(path string, d *microdata.Dataset, f Format, o WriteOptions) error {
	companions, err := Companions(path, d, f, o)
	if err != nil {
		return prefixed(filepath.Base(path), err)
	}
	for _, companion := range companions {
		if err := s.Add(companion.Path, companion.write); err != nil {
			return err
		}
	}
	return nil
}

// Place gives all files their names. Where one fails, those that are new are
// removed again.
func (s *Staging) Place() error {
	var made []string
	for _, file := range s.staged {
		_, err := os.Lstat(file.path)
		isNew := errors.Is(err, fs.ErrNotExist)
		if err := file.place(); err != nil {
			for _, path := range made {
				_ = os.Remove(path)
			}
			return err
		}
		if isNew {
			made = append(made, file.path)
		}
	}
	return nil
}

// Discard removes what is not placed.
func (s *Staging) Discard() {
	for _, file := range s.staged {
		file.discard()
	}
}
