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
		err = CheckName(path)
	}
	if err != nil {
		return nil, err
	}
	companions, err := Companions(path, d, f, o)
	if err != nil {
		return nil, prefixed(filepath.Base(path), err)
	}
	var report *WriteReport
	err = save(path, o, func(w io.Writer) (err error) {
		report, err = writer.write(ctx, w, d, f, o, meter)
		return err
	}, companions...)
	if err != nil {
		return nil, err
	}
	return report, nil
}

// save stages a file with its companions and places all.
func save(path string, o WriteOptions, write func(io.Writer) error, companions ...Companion) error {
	var staged []*Staged
	defer func() {
		for _, file := range staged {
			file.Discard()
		}
	}()
	for _, companion := range companions {
		file, err := Stage(companion.Path, o, companion.Write)
		if err != nil {
			return err
		}
		staged = append(staged, file)
	}
	file, err := Stage(path, o, write)
	if err != nil {
		return err
	}
	staged = append(staged, file)
	return PlaceAll(staged)
}

// PlaceAll gives several files their names. Where one fails, those that are new
// are removed again.
func PlaceAll(files []*Staged) error {
	var made []string
	for _, file := range files {
		_, err := os.Lstat(file.path)
		isNew := errors.Is(err, fs.ErrNotExist)
		if err := file.Place(); err != nil {
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
