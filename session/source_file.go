package session

import (
	"context"
	"os"
	"path/filepath"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// file is data of a file.
type file struct{ origin }

// files is the kind of source that takes whatever no other kind does.
func files(identity Identity, format fileio.Format) Source {
	identity.Path = canonical(identity.Path)
	return &file{origin{identity, format}}
}

// OpenFile reads a file and returns what a session on it starts from. Errors
// are those of fileio.Read.
func OpenFile(ctx context.Context, path string, format fileio.Format, meter *progress.Meter) (Opening, error) {
	data, report, err := fileio.Read(ctx, path, format, meter)
	if err != nil {
		return Opening{}, err
	}
	identity, err := statted(path)
	return Opening{Source: files(identity, report.Format), Data: data, Warnings: report.Warnings}, err
}

func (f *file) within(memory int64, scratch *store.Store) Source {
	out := *f
	out.format.MostMemory, out.format.Scratch = memory, scratch
	return &out
}

// File returns the path, .
func (f *file) File() string { return f.identity.Path }

// Changed compares size and time; a file that is gone has changed.
func (f *file) Changed() bool {
	now, err := statted(f.File())
	return err != nil || now.Size != f.identity.Size || !now.Modified.Equal(f.identity.Modified)
}

// Open reads the file.
func (f *file) Open(ctx context.Context, meter *progress.Meter) (Opening, error) {
	return OpenFile(ctx, f.identity.Path, f.format, meter)
}

// statted says how a file is now: its size and its time.
func statted(path string) (Identity, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Identity{}, err
	}
	return Identity{Path: path, Size: info.Size(), Modified: info.ModTime().UTC()}, nil
}

// canonical returns the one absolute path of a file, symbolic links followed.
func canonical(path string) string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(absolute); err == nil {
		return real
	}
	return absolute
}
