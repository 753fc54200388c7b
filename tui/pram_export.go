package tui

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/pram"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// matrixExport writes the transition matrices of a variable to a file.
type matrixExport struct {
	saving
	doc      session.Document
	variable method.PRAMVariable
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
	d.path = defaultPath(d.doc, "-"+fileWord(variable.Variable)+"-matrix.csv")
	d.fields = []*formField{d.fieldPath("Users of the protected file need the matrix to correct their tables. " +
		"It has probabilities, no values of records; the seed is not in it.")}
	d.saving.write = d.writing
	d.about = func(s views.State, width int) []string {
		if note := pram.Kept(&d.variable); note != "" {
			return views.Wrapped(s.Theme.Changed.Render, "The file says: "+note+".", width)
		}
		return nil
	}
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

// Title names the variable.
func (d *matrixExport) Title() string {
	return "Export the transition matrix of " + views.Safe(d.variable.Variable)
}

func (d *matrixExport) writing(path string) (Effect, error) {
	doc, variable, replace := d.doc, d.variable, d.replace
	return Launch{Title: "writing " + filepath.Base(path), Work: func(context.Context, *progress.Meter) (string, error) {
		if err := doc.WriteFile(path, replace, func(w io.Writer) error { return pram.WriteCSV(w, &variable) }); err != nil {
			return "", err
		}
		return "matrix written to " + path, nil
	}}, nil
}
