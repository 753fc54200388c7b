package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// SourceKind says what kind of place data come from.
type SourceKind string

// The kinds of sources.
const (
	SourceFile          SourceKind = "file"
	SourceDemonstration SourceKind = "demonstration" // made by the program, the same every time
)

// Source is where the data of a session come from. What depends on its kind
// stands in this file.
type Source struct {
	Path     string    `json:"path"` // absolute; a name in angle brackets for data that is no file
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
	Hash     string    `json:"hash"` // of the dataset as it was read
}

// Kind tells the kind by the path.
func (s Source) Kind() SourceKind {
	if strings.HasPrefix(s.Path, "<") && strings.HasSuffix(s.Path, ">") {
		return SourceDemonstration
	}
	return SourceFile
}

// File returns the path of the file; "" for data that is none.
func (s Source) File() string {
	if s.Kind() == SourceFile {
		return s.Path
	}
	return ""
}

// SourceOfFile describes a file as it is now. The hash is set by the session.
func SourceOfFile(path string) (Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Source{}, err
	}
	return Source{Path: canonical(path), Size: info.Size(), Modified: info.ModTime().UTC()}, nil
}

// OpenFile reads a file and returns what a session on it starts from. Errors
// are those of fileio.Read.
func OpenFile(ctx context.Context, path string, format fileio.Format, meter *progress.Meter) (Opening, error) {
	data, report, err := fileio.Read(ctx, path, format, meter)
	if err != nil {
		return Opening{}, err
	}
	source, err := SourceOfFile(path)
	return Opening{Source: source, Format: report.Format, Data: data, Report: report}, err
}

// open reads the data anew. format says how a file is read; nil: plainly.
func (s Source) open(ctx context.Context, format *fileio.Format, meter *progress.Meter) (Opening, error) {
	if s.Kind() != SourceFile {
		return Opening{}, fmt.Errorf("%s is no file: open the %s", s.Path, s.Kind())
	}
	if format == nil {
		format = &fileio.Format{}
	}
	return OpenFile(ctx, s.Path, *format, meter)
}

// changed reports whether the source is not as the session found it, as far as
// can be told without reading it.
func (s Source) changed() bool {
	if s.Kind() != SourceFile {
		return false
	}
	now, err := os.Stat(s.Path)
	return err != nil || now.Size() != s.Size || !now.ModTime().Equal(s.Modified)
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
