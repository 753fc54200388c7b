package lesson

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/session"
)

// The maximum sizes in bytes of the script of a lesson and of its data file.
const (
	mostScript = 1 << 20
	mostData   = 64 << 20
)

// IsFile reports whether the name of a lesson is the path of a script.
func IsFile(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".jsonl") }

// open reads the script of a user's lesson. Its data file is read later, by Open.
func open(path string) (*Lesson, error) {
	file, err := fileio.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLesson, err)
	}
	defer file.Close()
	text, err := within(file, mostScript)
	if err != nil {
		return nil, fmt.Errorf("%w: %s %w", ErrLesson, path, err)
	}
	l, err := Read(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	l.folder = filepath.Dir(path)
	return l, nil
}

// within reads everything, at most most bytes.
func within(r io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > most {
		return nil, fmt.Errorf("exceeds the %d MB that lessons may have", most>>20)
	}
	return text, nil
}

// Own reports whether the data of the lesson are a file next to its script.
func (l *Lesson) Own() bool { return l.folder != "" && !slices.Contains(builtIn, l.Data) }

// Open reads the data file next to the script, for a session without a journal, and checks its hash. Errors wrap
// ErrLesson or are those of package fileio.
func (l *Lesson) Open(ctx context.Context, meter *progress.Meter) (session.Opening, error) {
	content, err := l.content(l.Data, l.SHA256)
	if err != nil {
		return session.Opening{}, fmt.Errorf("%w: line 1: data: %s %w", ErrLesson, wording.Excerpt(l.Data), err)
	}
	data, report, err := fileio.ReadBytes(ctx, l.Data, content, fileio.NewFormat(), meter)
	if err != nil {
		return session.Opening{}, err
	}
	return session.Opening{Source: session.NewDemonstration(l.Data, report.Format), Data: data,
		Warnings: report.Warnings}, l.Fits(data)
}

// checkPath returns an error for a path that leaves the folder of the script, or a file without a hash. what names
// the file in the script.
func checkPath(what, path, sum string) error {
	switch {
	case path == "" || !filepath.IsLocal(filepath.FromSlash(path)) || strings.Contains(path, `\`):
		also := ""
		if what == "data" {
			also = `"guide10", "survey", or `
		}
		return fmt.Errorf(`%q is %sthe path of a file from the folder of the lesson, `+
			`which it must not leave; folders are parted by /`, what, also)
	case len(sum) != 64:
		return fmt.Errorf(`%q is a file of yours: %q must say its SHA-256, 64 digits and letters, `+
			`as the commands sha256sum and certutil print it`, what, map[bool]string{true: "sha256", false: "files"}[what == "data"])
	}
	return nil
}

// content reads a file with a hash from the folder of the script; links cannot lead out of it.
func (l *Lesson) content(path, sum string) ([]byte, error) {
	if l.folder == "" {
		return scripts.ReadFile("lessons/" + path)
	}
	root, err := os.OpenRoot(l.folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(filepath.FromSlash(path))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, errors.New("does not exist: put the file into the folder of the lesson")
	case err != nil:
		return nil, errors.New("cannot be read: a path or link must not leave the folder of the lesson")
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file: put a data file into the folder of the lesson")
	}
	file, err := root.Open(filepath.FromSlash(path))
	if err != nil {
		return nil, errors.New("cannot be opened: check its permissions")
	}
	defer file.Close()
	content, err := within(file, mostData)
	if err != nil {
		return nil, err
	}
	if is := sha256.Sum256(content); hex.EncodeToString(is[:]) != strings.ToLower(sum) {
		return nil, fmt.Errorf(`is not the file that the lesson was written for: its SHA-256 is %x. `+
			`If this is the right file, write that into the lesson`, is)
	}
	return content, nil
}

// Fits returns an error, with the line, for variables in the lesson that a file does not have, or whose roles do
// not fit. Errors wrap ErrLesson.
func (l *Lesson) Fits(data *microdata.Dataset) error {
	if err := l.Scenario.Check(data); err != nil {
		return fmt.Errorf("%w: line 2: %w", ErrLesson, err)
	}
	for i := range l.Parts {
		p := &l.Parts[i]
		named := []string{}
		for _, w := range p.Want {
			named = append(named, w.Categories, w.Changed, w.Variable)
		}
		for _, name := range append(named, p.variables()...) {
			if _, ok := data.Column(name); name != "" && !ok {
				return fmt.Errorf("%w: line %d: the data have no variable %q", ErrLesson, p.line, wording.Excerpt(name))
			}
		}
		for _, f := range p.figures() {
			if f.Record > data.Records() {
				return fmt.Errorf("%w: line %d: there is no record %d: the data have %d",
					ErrLesson, p.line, f.Record, data.Records())
			}
		}
	}
	return nil
}

// readable returns an error for a text that cannot be a script.
func readable(text []byte) error {
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return errors.New("the file is empty: its first line must describe the lesson")
	case !utf8.Valid(text):
		lines := 1
		for line := range bytes.Lines(text) {
			if !utf8.Valid(line) {
				return fmt.Errorf("line %d: the text is not UTF-8: save it as UTF-8", lines)
			}
			lines++
		}
	}
	return nil
}
