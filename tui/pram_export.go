package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/pram"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// matrixExport writes the transition matrices of a variable to a file.
type matrixExport struct {
	form
	doc      session.Document
	variable method.PRAMVariable
	path     string
	replace  bool // enter was pressed on a file that exists
	problem  string
}

// openMatrixExport opens the dialog for the matrices of a variable. Matrices that
// users could not correct their tables with are not written.
func (m *Model) openMatrixExport(variable method.PRAMVariable, problem error) tea.Cmd {
	if m.waits(func(m *Model) tea.Cmd { return m.openMatrixExport(variable, problem) }) {
		return nil
	}
	if problem == nil {
		problem = m.recoded(variable)
	}
	if problem != nil {
		m.notify("there is no matrix for users: "+problem.Error(), true)
		return nil
	}
	d := &matrixExport{doc: m.bench.doc.Document(), variable: variable}
	source := &export{doc: d.doc, what: exportReport}
	path := source.defaultPath()
	d.path = strings.TrimSuffix(path, "-report.html") + "-" + fileWord(variable.Variable) + "-matrix.csv"
	d.fields = []*formField{{
		label: "path",
		help:  "Users of the protected file need the matrix to correct their tables. It has probabilities, no values of records; the seed is not in it.",
		value: func() string { return d.path },
		typed: func(text string) error {
			d.path, d.replace, d.problem = text, false, ""
			return nil
		},
	}}
	return m.open(d, "")
}

// recoded reports a category of the data that the matrices do not know.
func (m *Model) recoded(variable method.PRAMVariable) error {
	column, ok := m.bench.doc.Data().Column(variable.Variable)
	if !ok {
		return fmt.Errorf("%s is not there any more", variable.Variable)
	}
	changed := fmt.Errorf("the categories of %s were changed since", variable.Variable)
	categories := column.Categories()
	labels, known := map[string]bool{}, map[string]bool{}
	for _, level := range categories.Levels {
		labels[level.Label] = true
	}
	for i := range variable.Strata {
		for k, label := range variable.Strata[i].Levels {
			if known[label] = true; variable.Strata[i].After[k] > 0 && !labels[label] {
				return changed
			}
		}
	}
	for i, level := range categories.Levels {
		if !known[level.Label] && categories.Counts()[i+1] > 0 && variable.Kept == 0 {
			return changed
		}
	}
	return nil
}

// fileWord makes a name fit to be a part of a file's name.
func fileWord(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, name)
}

func (d *matrixExport) Title() string {
	return "Export the transition matrix of " + views.Safe(d.variable.Variable)
}

func (d *matrixExport) Typing() bool { return d.form.Typing() }

func (d *matrixExport) Keys() []key.Binding {
	yes := "write"
	if d.replace {
		yes = "replace the file"
	}
	return append(d.form.keys(), bind("enter", yes, "enter"), bind("esc", "cancel", "esc"))
}

// HandleKey edits the path; enter writes, and replaces a file that exists only
// when it is pressed again.
func (d *matrixExport) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	if d.handle(msg) {
		return Stay{}
	}
	switch msg.String() {
	case "esc":
		return Close{}
	case "enter":
		return d.write()
	}
	return Stay{}
}

func (d *matrixExport) write() Effect {
	path := expandHome(strings.TrimSpace(d.path))
	if path == "" {
		d.problem = "name a file to write"
		return Stay{}
	}
	if _, err := os.Stat(path); err == nil && !d.replace {
		d.problem = filepath.Base(path) + " exists; enter again replaces it"
		d.replace = true
		return Stay{}
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.problem = err.Error()
		return Stay{}
	}
	job := *d
	return Launch{Title: "writing " + filepath.Base(path), Work: func(context.Context, *progress.Meter) (string, error) {
		if err := job.doc.WriteFile(path, job.replace, func(w io.Writer) error { return pram.WriteCSV(w, &job.variable) }); err != nil {
			return "", err
		}
		return "matrix written to " + path, nil
	}}
}

// View draws the path, and what is wrong with it.
func (d *matrixExport) View(s views.State, width, height int) string {
	lines := append(d.form.view(s.Theme, width), "")
	if note := pram.Kept(&d.variable); note != "" {
		lines = append(lines, wrap(s.Theme.Changed.Render, "The file says: "+note+".", width)...)
	}
	if d.problem != "" {
		lines = append(lines, wrap(s.Theme.Warning.Render, d.problem, width)...)
	}
	return strings.Join(lines[:min(len(lines), max(1, height))], "\n")
}
