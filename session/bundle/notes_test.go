package bundle_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/session/bundle"
)

// noted writes the survey as an SPSS file with documents, and returns its path.
func noted(t *testing.T, folder string, notes ...string) string {
	t.Helper()
	data, report, err := fileio.Read(t.Context(), original(t, 200), fileio.NewFormat(), nil)
	must(t, err)
	path := filepath.Join(folder, "persons.sav")
	format := fileio.FormatFor(path, report.Format)
	format.Metadata = fileio.Metadata{Label: "Survey", Notes: notes}
	_, err = fileio.Write(t.Context(), path, data, format, fileio.WriteOptions{Force: true}, nil)
	must(t, err)
	return path
}

// A bundle has the notes of the original only on request, and then the signed page says so; their finding is
// accepted like others, and other notes are other data.
func TestNotesOfTheOriginal(t *testing.T) {
	for _, keep := range []bool{false, true} {
		folder := t.TempDir()
		path := noted(t, folder, "household 17: call 0171 2345678")
		d, o := document(t, path, steps), options(t)
		o.KeepNotes, o.Accept = keep, everything(t, document(t, path, steps))
		_, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil)
		if keep {
			if err == nil || !strings.Contains(err.Error(), "file-notes") {
				t.Fatalf("notes left: %v", err)
			}
			found, err := d.Check(t.Context(), session.ExportOptions{Path: "out.sav", KeepNotes: true}, session.NewAnalyst(), nil)
			must(t, err)
			o.Accept = check.Accept(found, "for a test", "somebody", "")
			_, err = bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil)
			must(t, err)
		} else {
			must(t, err)
		}
		verdict := verified(t, o.Folder, path)
		page := strings.Join(verdict.Page(), "\n")
		if !verdict.Holds() || strings.Contains(page, "Notes            kept") != keep || strings.Contains(page, "0171 2345678") { // a hash may contain four digits
			t.Errorf("kept %v:\n%s", keep, page)
		}
		_, report, err := fileio.Read(t.Context(), filepath.Join(o.Folder, "users", "persons-protected.sav"),
			fileio.FormatFor("x.sav", fileio.NewFormat()), nil)
		must(t, err)
		if (len(report.Format.Metadata.Texts()) > 0) != keep {
			t.Errorf("kept %v: %q", keep, report.Format.Metadata)
		}
		for name, text := range filesIn(t, o.Folder) {
			if strings.Contains(text, "0171 2345678") && !(keep && strings.HasSuffix(name, ".sav")) {
				t.Errorf("kept %v: %s has a note", keep, name)
			}
		}
		noted(t, folder, "household 18: call 0171 2345679")
		if again := verified(t, o.Folder, path); again.Holds() == keep {
			t.Errorf("kept %v, other notes: %q", keep, problems(again))
		}
	}
}
