package dialogs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// SaveForm is a form that writes a file to a path. An existing file is replaced only if enter is pressed again.
type SaveForm struct {
	formDialog
	Path    string
	Replace bool // an existing file may be replaced: enter was pressed twice
	Problem string
	// write returns the action that writes the file, or an error if it cannot be written.
	Write func(path string) (draw.Action, error)
	// companions returns the files that would be written with that of the path and that describe it; nil: none.
	Companions func(path string) []string
	// about draws what is written, unless there is a problem; nil: nothing.
	About func(s views.State, width int) []string
}

// Writing is a SaveForm with its own window.
type Writing struct {
	Narrow
	SaveForm
}

// NewWriting returns the dialog that writes content to a path. help is that of the path; the path is appended to
// the notice. More fields are options.
func NewWriting(heading, path, help, notice string, content func(w io.Writer) error, more ...*Field) *Writing {
	d := &Writing{}
	d.Heading, d.Path = heading, path
	d.Fields = append([]*Field{d.PathField(help)}, more...)
	d.SaveForm.Write = func(path string) (draw.Action, error) {
		return Write{Title: "writing " + filepath.Base(path), Path: path, Replace: d.Replace, Notice: notice + path,
			Content: content}, nil
	}
	return d
}

// PathField returns the field of the path.
func (d *SaveForm) PathField(help string) *Field {
	return &Field{Label: "path", Help: help,
		Value: func() string { return d.Path },
		Typed: func(text string) error {
			d.Path, d.Replace, d.Problem = text, false, ""
			return nil
		},
	}
}

// Keys shows what enter would do.
func (d *SaveForm) Keys() []key.Binding {
	yes := "write"
	if d.Replace {
		yes = "replace the file"
	}
	return d.keys(yes)
}

// HandleKey edits the fields; enter writes.
func (d *SaveForm) HandleKey(msg tea.KeyPressMsg, _ views.State) draw.Action {
	return d.handle(msg, d.save)
}

// save writes the file, unless an existing file would be replaced without confirmation.
func (d *SaveForm) save() (action draw.Action) {
	path := ExpandHome(strings.TrimSpace(d.Path))
	if path == "" {
		d.Problem = "type the name of the file to write"
		return nil
	}
	existing, err := d.existing(path)
	switch {
	case err == nil && existing != "" && !d.Replace:
		d.Replace, d.Problem = true, existing+"; enter again replaces it"
	case err == nil:
		action, err = d.Write(path)
	}
	if err != nil {
		d.Problem = err.Error()
		return nil
	}
	return action
}

// existing names the file that would be replaced, or returns "".
func (d *SaveForm) existing(path string) (string, error) {
	_, err := os.Stat(path)
	if err == nil {
		return draw.Safe(filepath.Base(path)) + " exists", nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if d.Companions != nil {
		for _, companion := range d.Companions(path) {
			if _, err := os.Stat(companion); err == nil {
				return filepath.Base(companion) + " exists and would describe the file", nil
			}
		}
	}
	return "", nil
}

// View draws the fields and the problem, or what is written.
func (d *SaveForm) View(s views.State, width, height int) string {
	return strings.Join(d.WithUnder(s, width, max(1, height), func(int) []string {
		switch {
		case d.Problem != "":
			return s.Warning.Wrapped(d.Problem, width)
		case d.About != nil:
			return d.About(s, width)
		}
		return nil
	}), "\n")
}

// ExpandHome replaces a leading ~ with the user's home folder.
func ExpandHome(path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") {
		if home, err := os.UserHomeDir(); err == nil {
			return home + path[1:]
		}
	}
	return path
}
