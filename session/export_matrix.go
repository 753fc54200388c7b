package session

import (
	"io"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/pram"
)

// ExportMatrix writes the transition matrices of a variable as CSV, for those
// who get the file. A file that exists is replaced with force only; the source
// file never is.
func (d Document) ExportMatrix(path string, force bool, variable *method.PRAMVariable) error {
	return writeFile(path, force, d.sourcePath(), func(w io.Writer) error { return pram.WriteCSV(w, variable) })
}
