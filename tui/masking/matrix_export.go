package masking

import (
	"io"
	"path/filepath"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// matrixExport writes the transition matrices of a variable to a file.
type matrixExport struct {
	dialogs.Narrow
	dialogs.Saving
}

// NewMatrixExport opens the dialog that writes the transition matrices of a variable
// to a file; path is where they would be written.
func NewMatrixExport(variable method.PRAMVariable, path string) dialogs.Dialog {
	d := &matrixExport{}
	d.Heading, d.Path = "Export the transition matrix of "+draw.Safe(variable.Variable), path
	d.Fields = []*dialogs.Field{d.PathField("Users of the protected file need the matrix to correct their tables. " +
		"It has probabilities, no values of records; the seed is not in it.")}
	d.Saving.Write = func(path string) (dialogs.Effect, error) {
		return dialogs.Write{Title: "writing " + filepath.Base(path), Path: path, Replace: d.Replace,
			Notice:  "matrix written to " + path,
			Content: func(w io.Writer) error { return pram.WriteCSV(w, &variable) }}, nil
	}
	d.About = func(s views.State, width int) []string {
		if note := pram.Kept(&variable); note != "" {
			return s.Theme.Changed.Wrapped("The file says: "+note+".", width)
		}
		return nil
	}
	return d
}
