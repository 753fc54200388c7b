package randomisation

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/pram"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// matrixExport writes the transition matrices of a variable to a file.
type matrixExport struct {
	dialogs.Narrow
	dialogs.Saving
	variable method.PRAMVariable
}

// FileWord makes a name fit to be a part of a file's name.
func FileWord(name string) string {
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

func (d *matrixExport) writing(path string) (dialogs.Effect, error) {
	return dialogs.Write{Title: "writing " + filepath.Base(path), Path: path, Replace: d.Replace, Notice: "matrix written to " + path,
		Content: func(w io.Writer) error { return pram.WriteCSV(w, &d.variable) }}, nil
}

// NewMatrixExport opens on the matrices of a variable; path is where they would be
// written.
func NewMatrixExport(variable method.PRAMVariable, path string) *matrixExport {
	d := &matrixExport{variable: variable}
	d.Path = path
	d.Fields = []*dialogs.Field{d.PathField("Users of the protected file need the matrix to correct their tables. " +
		"It has probabilities, no values of records; the seed is not in it.")}
	d.Saving.Write = d.writing
	d.About = func(s views.State, width int) []string {
		if note := pram.Kept(&d.variable); note != "" {
			return views.Wrapped(s.Theme.Changed.Render, "The file says: "+note+".", width)
		}
		return nil
	}
	return d
}
