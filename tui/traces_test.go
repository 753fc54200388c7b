package tui

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// listed returns the contents of every file below folders.
func listed(t *testing.T, folders ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				all[path] = ""
				return err
			}
			text, err := os.ReadFile(path)
			all[path] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// With --no-trace nothing but exports is written, no earlier session is offered, and the screen says so at every
// size.
func TestNoTraceLeavesNothing(t *testing.T) {
	state, temporary, work := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temporary)
	}
	file := writeSurvey(t)
	worked(t, Options{Path: file}) // a session with a journal
	before := listed(t, state, temporary, work, filepath.Dir(file))
	if len(before) < 5 {
		t.Fatalf("the session is not kept: %d files", len(before))
	}
	t.Chdir(work)
	d := start(t, Options{Path: file, NoTrace: true}, 120, 40).Press("enter", "a", "enter")
	if recodeAge(d); len(d.steps()) != 1 {
		t.Fatalf("steps %q", d.steps())
	}
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		d.Resize(size[0], size[1])
		d.Screen().Contains("not saved")
	}
	d.Press("?").Screen().Lacks("resumed later")
	d.Press("esc", "[", "[", "y")
	d.Screen().Contains("not copied")
	d.Press("q")
	d.Dialog().Contains("Discard unsaved steps?", "1 step is not in any exported script")
	d.Press("esc", "e").focus("output").Press("right", "right", "enter", "q", "enter")
	if !d.quit {
		t.Error("the program is not quit")
	}
	if path := d.m.bench.doc.JournalPath(); path != "" {
		t.Errorf("there is a journal %s", path)
	}
	after := listed(t, state, temporary, work, filepath.Dir(file))
	for path, text := range after {
		exported := strings.HasPrefix(path, filepath.Join(filepath.Dir(file), "survey-"))
		if was, there := before[path]; !exported && (!there || was != text) {
			t.Errorf("%s was written", path)
		}
	}
	if len(after) != len(before)+1 {
		t.Errorf("%d files, %d before and the export", len(after), len(before))
	}
	start(t, Options{NoTrace: true, Recent: session.ListJournals}, 120, 40).Screen().Lacks("recent sessions")
}

// The clipboard is asked about once per session.
func TestCopyingAsksOnce(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("[", "[")
	press := func(key string) string {
		_, cmd := d.m.Update(draw.Press(key))
		if cmd == nil {
			return ""
		}
		text := copied(cmd)
		d.run(cmd)
		return text
	}
	if text := press("y"); text != "" {
		t.Errorf("%q is copied before anybody was asked", text)
	}
	d.Dialog().Contains("Copy to the clipboard?", "Other programs can read")
	if text := press("esc"); text != "" || press("Y") != "" {
		t.Errorf("%q is copied without an answer", text)
	}
	if text := press("y"); text == "" || d.m.dialog != nil {
		t.Error("nothing is copied after yes")
	}
	d.Screen().Contains("copied to the clipboard")
	if text := press("y"); text == "" {
		t.Error("it is asked again")
	}
	d = surveyOf(t, 120, 40).Press("[", "[", "y", "n")
	d.Screen().Contains("not copied")
	if text := press("y"); text != "" || d.m.dialog != nil {
		t.Errorf("after no: %q, %v", text, d.m.dialog)
	}
	d.Screen().Contains("you declined for this session")
}

// The rest of a killed export is removed at the next start, and reported.
func TestLeftoversAreFoundAtTheStart(t *testing.T) {
	work, beside := t.TempDir(), t.TempDir()
	leave := func(folder string) string {
		path := filepath.Join(folder, ".sdcdesk-17.tmp")
		if err := os.WriteFile(path, []byte("a record"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Chdir(work)
	paths := []string{leave(work), leave(beside)}
	d := start(t, Options{Recent: func(known *session.MethodSource) ([]session.JournalInfo, error) {
		return []session.JournalInfo{{Source: known.Source(filepath.Join(beside, ".sdcdesk-17.tmp"), fileio.NewFormat())}}, nil
	}}, 120, 40)
	d.Screen().Contains("removed 2 unfinished files of an export that was interrupted")
	gone := func() {
		t.Helper()
		for _, path := range paths {
			if _, err := os.Stat(path); !os.IsNotExist(err) {
				t.Errorf("%s is left: %v", path, err)
			}
		}
	}
	gone()
	file := writeSurvey(t)
	paths = []string{leave(work), leave(filepath.Dir(file))}
	start(t, Options{Path: file}, 120, 40)
	gone()
	paths = []string{leave(work)}
	surveyOf(t, 120, 40)
	gone()
	kept := leave(work)
	start(t, Options{NoTrace: true}, 120, 40)
	if _, err := os.Stat(kept); err != nil {
		t.Errorf("with --no-trace: %v", err)
	}
}

// The workbench and the start page use the alternate screen, and the window title names the file.
func TestScreenIsGoneAtTheEnd(t *testing.T) {
	for title, d := range map[string]*driver{"sdcdesk: survey.csv": surveyOf(t, 80, 24), "sdcdesk": start(t, Options{}, 80, 24)} {
		if v := d.m.View(); !v.AltScreen || v.WindowTitle != title {
			t.Errorf("alternate screen %v, title %q, not %q", v.AltScreen, v.WindowTitle, title)
		}
	}
}

// The keys of the Numeric tab say in other tabs where they work.
func TestMaskingKeysNameTheirTab(t *testing.T) {
	for _, key := range []string{"M", "N", "B"} {
		surveyOf(t, 120, 40).Press(key).Screen().Contains("open the Numeric tab first")
	}
}
