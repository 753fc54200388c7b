package tui

import (
	"fmt"
	"io"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/export"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// openExport opens the export dialog for the current session.
func (m *Model) openExport() {
	m.open(export.New(m.bench.doc.Document(), m.bench.analyst, m.options.Now(), m.bench.exporting))
}

// keepExport stores the export choices in the session.
func (m *Model) keepExport() {
	if m.bench == nil {
		return
	}
	if err := m.bench.exporting.Keep(m.bench.doc); err != nil {
		m.fail(err)
	}
}

// renewPicture passes the current session to the open dialog if it shows a snapshot of it.
func (m *Model) renewPicture() {
	if dialog, ok := m.dialog.(interface{ Look(doc session.Document) }); ok {
		dialog.Look(m.bench.doc.Document())
	}
}

// waitsForFix postpones enter until the step that the open dialog asked for is applied, so that the dialog writes
// the data with the step.
func (m *Model) waitsForFix(msg tea.KeyPressMsg) bool {
	dialog := m.dialog
	if _, ok := dialog.(interface{ GoOn() draw.Action }); !ok || m.work == nil || m.work.Owner != dialog ||
		msg.String() != "enter" {
		return false
	}
	m.idle(func() {
		if m.dialog == dialog {
			m.key(msg)
		}
	})
	return true
}

// goOn lets the open dialog continue what it postponed until a search was done.
func (m *Model) goOn() {
	if dialog, ok := m.dialog.(interface{ GoOn() draw.Action }); ok {
		m.do(dialog.GoOn())
	}
}

// openMatrixExport opens the dialog for the matrices of a variable. Matrices that users could not correct their
// tables with are refused.
func (m *Model) openMatrixExport(variable method.PRAMVariable, problem error) {
	if problem == nil {
		problem = m.recoded(variable)
	}
	if problem != nil {
		m.refuse("there is no matrix for users: " + problem.Error())
		return
	}
	path := export.DefaultPath(m.bench.doc.Document(), "-"+wording.FileWord(variable.Variable, "")+"-matrix.csv")
	dialog := dialogs.NewWriting("Export the transition matrix of "+draw.Safe(variable.Variable), path,
		"Users need the matrix to correct their tables. It contains probabilities, but no values of records and no "+
			"seed.",
		"matrix written to ", func(w io.Writer) error { return pram.WriteCSV(w, &variable) })
	dialog.About = func(s views.State, width int) []string {
		if note := pram.Kept(&variable); note != "" {
			return s.Changed.Wrapped("Message in the file: "+note+".", width)
		}
		return nil
	}
	m.open(dialog)
}

// recoded returns an error if the data have a category that is not in the matrices.
func (m *Model) recoded(variable method.PRAMVariable) error {
	column, ok := m.bench.doc.Data().Column(variable.Variable)
	if !ok {
		return fmt.Errorf("%s no longer exists", variable.Variable)
	}
	changed := fmt.Errorf("the categories of %s were changed since", variable.Variable)
	categories, known := column.Categories(), map[string]bool{}
	for i := range variable.Strata {
		for k, label := range variable.Strata[i].Levels {
			known[label] = true
			if _, there := categories.CodeOf(label); !there && variable.Strata[i].After[k] > 0 {
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
