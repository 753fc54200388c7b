package fileio

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// ReadRecords reads records like a file, except that declared texts stay texts.
func TestReadRecords(t *testing.T) {
	var text strings.Builder
	for i := range 70_000 { // more bytes than small arrays
		fmt.Fprintf(&text, "%02d,%d.50,\"a\"\"\nb%d\",1\n", i%30, i, i%3)
	}
	text.WriteString(",,\"\",1\n")
	said := &microdata.Description{Label: "a code"}
	variables := []RecordVariable{{Name: "code", Text: true, Said: said}, {Name: `x,"y"`}, {Name: ""}, {Name: "none", Skipped: true}}
	data, report, err := ReadRecords(t.Context(), "person", strings.NewReader(text.String()), variables, NewFormat())
	if err != nil {
		t.Fatal(err)
	}
	code, x, last := data.Columns()[0], data.Columns()[1], data.Columns()[2]
	if data.Len() != 70_001 || len(data.Columns()) != 3 || code.Kind() != microdata.Category || code.Text(1) != "01" || code.Description() != said ||
		x.Name() != `x,"y"` || x.Kind() != microdata.Number || x.Text(7) != "7.50" || last.Text(4) != "a\"\nb1" || last.MissingCount() != 1 {
		t.Errorf("%d records of %d variables: %q, %q, %q", data.Len(), len(data.Columns()), code.Text(1), x.Text(7), last.Text(4))
	}
	if report.Format.QuotedNames || len(report.Warnings) != 1 {
		t.Errorf("%q", report.Warnings)
	}
	format, folder := NewFormat(), t.TempDir()
	if format.Scratch, err = store.New(folder); err != nil {
		t.Fatal(err)
	}
	mapped, _, err := ReadRecords(t.Context(), "person", strings.NewReader(text.String()), variables, format)
	if err != nil || mapped.Hash() != data.Hash() {
		t.Errorf("in scratch files: other data, or %v", err)
	}
	if err := format.Scratch.Close(); err != nil {
		t.Error(err)
	}
	format = NewFormat()
	format.MostMemory = 1 << 16
	if _, _, err := ReadRecords(t.Context(), "person", strings.NewReader(text.String()), variables, format); !errors.Is(err, ErrMemory) {
		t.Errorf("in little memory: %v", err)
	}
	broken := errors.New("interrupted export")
	if _, _, err := ReadRecords(t.Context(), "person", io.MultiReader(strings.NewReader("1,2,3,1\n"), failing{broken}), variables, NewFormat()); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
}

// failing is a reader that returns an error.
type failing struct{ err error }

// Read returns the error.
func (f failing) Read([]byte) (int, error) { return 0, f.err }
