package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui"
)

// traced makes a state folder with the session of an open file, and returns the folder of the file and that of the
// sessions.
func traced(t *testing.T, file string) (open *session.Session, folder, state string) {
	t.Helper()
	folder, state = t.TempDir(), filepath.Join(t.TempDir(), "state")
	t.Setenv("XDG_STATE_HOME", state)
	path := filepath.Join(folder, file)
	writes(t, path, "sex,age\nf,3\nm,4\n")
	opening, err := session.OpenFile(context.Background(), path, fileio.NewFormat(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if open, err = session.New(opening); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = open.Close() })
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"sex"}
	if err := open.SetScenario(scenario); err != nil {
		t.Fatal(err)
	}
	return open, folder, filepath.Join(state, "sdcdesk")
}

func writes(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// namesIn returns the names of the files in a folder.
func namesIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// Every file that the program keeps or left is listed and removed; other files stay, and so do files in use.
func TestWhereListsAndRemoves(t *testing.T) {
	open, folder, state := traced(t, "small.csv")
	journal := filepath.Base(open.JournalPath())
	text, err := os.ReadFile(open.JournalPath())
	if err != nil {
		t.Fatal(err)
	}
	const unreadable = "old.csv-0123456789ab-20250102T030405-01234567.jsonl"
	for name, content := range map[string]string{journal + ".damaged": string(text), journal + ".damaged-2": "x",
		unreadable: "x", "copied.jsonl": string(text), "notes.txt": "mine", "mine.jsonl": "{}", "mine.jsonl.damaged": "x",
		"backup.damaged-old": "x", journal + ".damaged.old": "x"} {
		writes(t, filepath.Join(state, name), content)
	}
	writes(t, filepath.Join(folder, ".sdcdesk-17.tmp"), "a record")
	writes(t, filepath.Join(folder, ".sdcdesk-mine.tmp"), "x")
	outside := t.TempDir()
	using := fileio.Staging{}
	defer using.Discard()
	if err := using.Add(filepath.Join(outside, "out.csv"), func(w io.Writer) error {
		_, err := io.WriteString(w, "a record")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	writes(t, filepath.Join(outside, ".sdcdesk-4.tmp"), "a record")

	output, err := sdcdesk("where", "--json", "--in", outside)
	if err != nil {
		t.Fatal(err)
	}
	var found session.Traces
	if err := json.Unmarshal([]byte(output), &found); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{journal: session.TraceSession, journal + ".damaged": session.TraceDamaged,
		journal + ".damaged-2": session.TraceDamaged, unreadable: session.TraceSession, "copied.jsonl": session.TraceSession,
		".sdcdesk-17.tmp": session.TraceExport, ".sdcdesk-4.tmp": session.TraceExport}
	inUse := 0
	for _, file := range found.Files {
		if kind, known := kinds[file.Name]; known && kind != file.Kind {
			t.Errorf("%s is told to be a %s, it is a %s", file.Name, file.Kind, kind)
		}
		if file.InUse {
			inUse++
		}
	}
	if len(found.Files) != len(kinds)+1 || inUse != 2 {
		t.Errorf("%d files, %d in use: %s", len(found.Files), inUse, output)
	}

	if _, err := sdcdesk("where", "--remove", "all"); exitStatus(err) != 2 || !strings.Contains(err.Error(), "--yes") {
		t.Errorf("without a terminal and --yes: %v", err)
	}
	if _, err := sdcdesk("where", "--remove", "notes.txt", "--yes"); exitStatus(err) != 2 {
		t.Errorf("a file that is not the program's: %v", err)
	}
	if output, err := sdcdesk("where", "--remove", unreadable, unreadable, "--yes"); err != nil || output != "1 file removed\n" {
		t.Errorf("one by its name: %q, %v", output, err)
	}
	output, err = sdcdesk("where", "--remove", "all", "--yes", "--in", outside)
	if exitStatus(err) != 1 || !strings.Contains(output, journal+" was not removed: another program uses it") ||
		!strings.Contains(output, "5 files removed") {
		t.Errorf("%v\n%s", err, output)
	}
	if got := namesIn(t, state); !slices.Equal(got, []string{"backup.damaged-old", "mine.jsonl", "mine.jsonl.damaged",
		"notes.txt", journal, journal + ".damaged.old"}) {
		t.Errorf("left in the folder of sessions: %q", got)
	}
	if got := namesIn(t, folder); !slices.Equal(got, []string{".sdcdesk-mine.tmp", "small.csv"}) {
		t.Errorf("left beside the source: %q", got)
	}
	if err := using.Place(); err != nil {
		t.Errorf("the export that ran meanwhile: %v", err)
	}
	if err := open.Close(); err != nil {
		t.Fatal(err)
	}
	if output, err := sdcdesk("where", "--remove", "all", "--yes"); err != nil || output != "1 file removed\n" {
		t.Errorf("after it was closed: %q, %v", output, err)
	}
}

// File names do not act on a terminal, and JSON has them unchanged.
func TestWhereIsHarmless(t *testing.T) {
	const name = "small\x1b[2J.csv"
	_, folder, _ := traced(t, name)
	for _, flags := range [][]string{{"where"}, {"where", "--json"}} {
		output, err := sdcdesk(flags...)
		if err != nil || strings.ContainsRune(output, 0x1b) || !strings.Contains(output, folder) {
			t.Errorf("%v\n%q", err, output)
		}
	}
	if _, err := sdcdesk("where", "--in", filepath.Join(folder, "nowhere")); exitStatus(err) != 2 {
		t.Errorf("a folder that is not there: %v", err)
	}
	if output, err := sdcdesk("__complete", "where", "--remove", ""); err != nil || !strings.Contains(output, ".jsonl\nall\n") {
		t.Errorf("completed with %q, %v", output, err)
	}
}

func TestRemovingIsAgreed(t *testing.T) {
	for answer, want := range map[string]bool{"y\n": true, " Yes\n": true, "n\n": false, "\n": false, "": false, "all\n": false} {
		var out strings.Builder
		if got := agreed(strings.NewReader(answer), &out, 2); got != want || out.String() != "remove 2 files? y/n " {
			t.Errorf("%q is taken for %v after %q", answer, got, out.String())
		}
	}
}

// A session with --no-trace is not stored anywhere.
func TestNoTraceKeepsNoSession(t *testing.T) {
	if _, err := sdcdesk("demo", "--no-trace", "--session", "s.jsonl"); exitStatus(err) != 2 {
		t.Errorf("with --session: %v", err)
	}
	screen := screenFlags{program: testProgram(), options: tui.Options{NoTrace: true}}
	if options, err := screen.complete(); err != nil || !options.NoTrace {
		t.Errorf("the screen would keep one: %v", err)
	}
}
