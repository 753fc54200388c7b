package session

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// Notes that identify, and their harmless twins.
var (
	mayor    = fileio.Metadata{Label: "Household survey", Notes: []string{"checked", "hid 17 is the mayor, tel 0171 2345678"}}
	harmless = fileio.Metadata{Label: "Household survey 2024", Notes: []string{"Fieldwork March to May 2024, 1,200 households.",
		"Weights sum up to 8,858,775; hid identifies the household.", "See https://www.example.org/survey/codebook"}}
)

// withNotes writes a file with metadata and returns its path.
func withNotes(t *testing.T, ending string, m fileio.Metadata) string {
	t.Helper()
	text := "hid,region,income\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,r%d,%d\n", 100+i/3, i%4, 1000+13*(i%5))
	}
	data, format := readText(t, text)
	path := filepath.Join(t.TempDir(), "survey"+ending)
	format = fileio.FormatFor(path, format)
	format.Metadata = m
	_, err := fileio.Write(t.Context(), path, data, format, fileio.WriteOptions{}, nil)
	must(t, err)
	return path
}

const notesScript = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region"],"household":"hid"}}
{"step":"suppress-kanonymity","params":{"k":3}}
{"step":"new-ids","params":{"variables":["hid"]},"seed":7123456789}
`

// Notes that identify are found in a file, and in a protected one that keeps them; other protected files have no
// notes.
func TestNotesThatIdentify(t *testing.T) {
	for _, ending := range []string{".dta", ".sav"} {
		for _, c := range []struct {
			metadata fileio.Metadata
			found    int
		}{{mayor, 1}, {harmless, 0}} {
			path := withNotes(t, ending, c.metadata)
			found, err := CheckFile(t.Context(), CheckOptions{File: path})
			must(t, err)
			if named := notesIn(found); len(named) != c.found || c.found > 0 && (!named[0].Critical || named[0].Count != 1) {
				t.Errorf("%s: %v", path, named)
			}
			checkNotesOut(t, path, c.metadata, c.found)
		}
	}
}

// checkNotesOut runs a script on a file with and without its notes.
func checkNotesOut(t *testing.T, path string, m fileio.Metadata, count int) {
	t.Helper()
	folder := t.TempDir()
	script := filepath.Join(folder, "steps.jsonl")
	must(t, os.WriteFile(script, []byte(notesScript), 0o600))
	for _, keep := range []bool{false, true} {
		out := filepath.Join(folder, fmt.Sprint(keep)+filepath.Ext(path))
		var warned []string
		must(t, Run(t.Context(), RunOptions{Script: script, File: path, Out: out, KeepNotes: keep,
			Warn: func(message string) { warned = append(warned, message) }}))
		named := slices.ContainsFunc(warned, func(text string) bool { return strings.HasPrefix(text, "critical: file-notes: ") })
		if named != (keep && count > 0) {
			t.Errorf("%s, kept %v: %q", path, keep, warned)
		}
		_, report, err := fileio.Read(t.Context(), out, fileio.FormatFor(out, fileio.NewFormat()), nil)
		must(t, err)
		want := fileio.Metadata{}
		if keep {
			want = m
		}
		if got := report.Format.Metadata; got.Label != want.Label || !slices.Equal(got.Notes, want.Notes) {
			t.Errorf("%s, kept %v: %q", path, keep, got)
		}
	}
}

func notesIn(found []check.Finding) []check.Finding {
	return slices.DeleteFunc(found, func(f check.Finding) bool { return f.Name != "file-notes" })
}

// A file format without notes is released without a finding about them, and without a message.
func TestNotesThatAFileCannotHold(t *testing.T) {
	d := performed(t, withNotes(t, ".dta", mayor))
	for path, want := range map[string]int{"out.csv": 0, "out.xlsx": 0, "out.xpt": 0, "out.sav": 1, "out.dta": 1, "out.rds": 1} {
		found, err := d.Check(t.Context(), ExportOptions{Path: path, KeepNotes: true}, NewAnalyst(), nil)
		must(t, err)
		if named := notesIn(found); len(named) != want || want > 0 && !named[0].Fixes[0].DropNotes {
			t.Errorf("%s: %v", path, named)
		}
		lacks, err := d.Lacks(t.Context(), ExportOptions{Path: path})
		must(t, err)
		if text := strings.Join(lacks, "\n"); strings.Contains(text, "notes") || strings.Contains(text, "label of the file") {
			t.Errorf("%s: %s", path, text)
		}
	}
}

func performed(t *testing.T, path string) Document {
	t.Helper()
	script := filepath.Join(t.TempDir(), "steps.jsonl")
	must(t, os.WriteFile(script, []byte(notesScript), 0o600))
	d, err := Perform(t.Context(), RunOptions{Script: script, File: path})
	must(t, err)
	return d
}

// Neither notes nor the label of the dataset are in a session file, a script or a report.
func TestNotesAreWrittenNowhereElse(t *testing.T) {
	d := performed(t, withNotes(t, ".sav", mayor))
	texts := map[string]string{}
	var script bytes.Buffer
	must(t, d.WriteScript(&script, true))
	texts["script"] = script.String()
	for name, audience := range map[string]Audience{"internal report": Internal, "user report": Users} {
		found, err := d.Check(t.Context(), ExportOptions{Path: "out.sav", KeepNotes: true}, NewAnalyst(), nil)
		must(t, err)
		var text bytes.Buffer
		must(t, d.WriteReport(context.Background(), &text, ReportOptions{Path: "r.md", Audience: audience, Findings: found}, NewAnalyst()))
		texts[name] = text.String()
	}
	journal := filepath.Join(t.TempDir(), "session.jsonl")
	opening, err := OpenFile(t.Context(), d.Source.File(), d.Source.Format(), nil)
	must(t, err)
	opening.Journal = journal
	s, err := New(opening)
	must(t, err)
	do(t, s, step("shuffle-records", `{}`))
	must(t, s.Close())
	text, err := os.ReadFile(journal)
	must(t, err)
	if texts["session file"] = string(text); len(text) == 0 {
		t.Error("the session file is empty")
	}
	for what, text := range texts {
		for _, line := range mayor.Texts() {
			if strings.Contains(text, line) {
				t.Errorf("the %s has %q:\n%s", what, line, text)
			}
		}
	}
}

// Metadata in scripts of earlier versions are not written.
func TestNotesOfEarlierScripts(t *testing.T) {
	path, script := withNotes(t, ".sav", harmless), filepath.Join(t.TempDir(), "steps.jsonl")
	must(t, os.WriteFile(script, []byte(`{"format":"sdcdesk-script","version":1}
{"scenario":{},"file":{"type":"sav","options":{"label":"by Anna Huber","notes":"hid 17"}}}`), 0o600))
	d, err := Perform(t.Context(), RunOptions{Script: script, File: path})
	must(t, err)
	var text bytes.Buffer
	must(t, d.WriteScript(&text, true))
	if strings.Contains(text.String(), "Huber") || strings.Contains(text.String(), "hid 17") {
		t.Error(text.String())
	}
}
