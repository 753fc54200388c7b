package tui

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// saving is the dialog that writes a file: a form with the path. A file that
// exists is only replaced when enter is pressed again.
type saving struct {
	form
	back    Dialog // the dialog it was opened from; nil: none
	path    string
	replace bool // an existing file may be replaced: enter was pressed twice
	problem string
	// write returns what writes the file; an error says why it cannot be.
	write func(path string) (Effect, error)
	// exists says which file would be replaced besides that of the path; "" or nil:
	// none.
	exists func(path string) string
	// about draws what is written, while there is no problem; nil: nothing.
	about func(s views.State, width int) []string
}

func (d *saving) fieldPath(help string) *formField {
	return &formField{label: "path", help: help,
		value: func() string { return d.path },
		typed: func(text string) error {
			d.path, d.replace, d.problem = text, false, ""
			return nil
		},
	}
}

// Typing reports whether the path is being typed.
func (d *saving) Typing() bool { return d.form.Typing() }

// Keys says what enter would do.
func (d *saving) Keys() []key.Binding {
	yes := "write"
	if d.replace {
		yes = "replace the file"
	}
	return append(d.form.keys(), bind("enter", yes, "enter"), backKey(d.back))
}

// HandleKey edits the fields; enter writes.
func (d *saving) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	if d.handle(msg) {
		return Stay{}
	}
	switch msg.String() {
	case "esc":
		return backTo(d.back)
	case "enter":
		return d.save()
	}
	return Stay{}
}

// save writes, unless there is a file that somebody may want to keep.
func (d *saving) save() Effect {
	path := expandHome(strings.TrimSpace(d.path))
	if path == "" {
		d.problem = "name a file to write"
		return Stay{}
	}
	_, err := os.Stat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.problem = err.Error()
		return Stay{}
	}
	existing := ""
	if err == nil {
		existing = views.Safe(filepath.Base(path)) + " exists"
	}
	if d.exists != nil {
		existing = cmp.Or(d.exists(path), existing)
	}
	if existing != "" && !d.replace {
		d.replace, d.problem = true, existing+"; enter again replaces it"
		return Stay{}
	}
	effect, err := d.write(path)
	if err != nil {
		d.problem = err.Error()
		return Stay{}
	}
	return effect
}

// View draws the fields, and what is wrong or what is written.
func (d *saving) View(s views.State, width, height int) string {
	lines := append(d.form.view(s.Theme, width), "")
	switch {
	case d.problem != "":
		lines = append(lines, views.Wrapped(s.Theme.Warning.Render, d.problem, width)...)
	case d.about != nil:
		lines = append(lines, d.about(s, width)...)
	}
	return strings.Join(lines[:min(len(lines), max(1, height))], "\n")
}

// expandHome replaces a leading ~ by the user's home folder.
func expandHome(path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") {
		if home, err := os.UserHomeDir(); err == nil {
			return home + path[1:]
		}
	}
	return path
}
