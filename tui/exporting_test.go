package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// surveyWithPersons runs the program on the survey with its person numbers, which are a
// grave finding, and leads to the row of that finding.
func surveyWithPersons(t testing.TB, width, height int) *driver {
	t.Helper()
	scenario := surveyScenario()
	scenario.Remove = nil
	return start(t, Options{Demo: true, OpenDemo: opener("survey.csv", scenario)}, width, height)
}

// written are the files in the folder of the program, with their texts.
func written(t testing.TB) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[filepath.ToSlash(path)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// What is grave is found before the first byte; its mend is one key, after which nothing
// is asked, and undo takes it back.
func TestExportFindsAndMends(t *testing.T) {
	d := surveyWithPersons(t, 120, 40).Press("e")
	d.Dialog().Contains("1 grave", "✗ grave", "Direct identifiers")
	d.Press("enter").Screen().Contains("Export with what was found?", "You accept: Direct identifiers")
	d.Type("no").Press("enter").Screen().Contains("nothing was written")
	if files := written(t); len(files) > 0 {
		t.Fatalf("there is %v", files)
	}
	d.Press("esc", "esc").focus("✗ grave").Press("1")
	d.Dialog().Contains(", 0 grave").Dialog().Lacks("✗ grave")
	if removed := d.m.bench.doc.Document().Scenario.Remove; len(removed) != 1 || removed[0] != "pid" {
		t.Errorf("the mend leaves out %q", removed)
	}
	d.Press("enter").Screen().Contains("protected file written")
	header, _, _ := strings.Cut(written(t)["survey-protected.csv"], "\n")
	if header == "" || strings.Contains(header, "pid") {
		t.Errorf("the file begins %q", header)
	}
	d.Press("u")
	if removed := d.m.bench.doc.Document().Scenario.Remove; len(removed) > 0 {
		t.Errorf("after undo %q are left out", removed)
	}
}

// The typed word writes, and it is said what was accepted.
func TestExportAcceptsByTheWord(t *testing.T) {
	d := surveyWithPersons(t, 200, 40).Press("e", "enter").Type("yes").Press("enter")
	d.Screen().Contains("5,000 records", "accepted: Direct identifiers")
	if !strings.Contains(written(t)["survey-protected.csv"], "pid") {
		t.Error("the file lacks what was accepted")
	}
}

// enter that is pressed before the check has ended, or while a mend is made, waits.
func TestExportWaitsForTheCheck(t *testing.T) {
	d := surveyOf(t, 120, 40).Hold().Press("e", "enter")
	d.Dialog().Contains("runs …", "as soon as the check has ended")
	if d.Release(); d.m.dialog != nil || written(t)["survey-protected.csv"] == "" {
		t.Errorf("nothing was written:\n%s", d.Text())
	}
}
