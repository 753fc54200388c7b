package tui

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// surveyWithPersons runs the program on the survey with its person IDs, which are a critical finding, and moves to
// the row of that finding.
func surveyWithPersons(t testing.TB, width, height int) *driver {
	t.Helper()
	return withPersons(t, "sample.csv", width, height)
}

// withPersons is surveyWithPersons for a given file.
func withPersons(t testing.TB, name string, width, height int) *driver {
	t.Helper()
	scenario := surveyScenario()
	scenario.Remove = nil
	return start(t, Options{Demo: true, OpenDemo: opener(name, scenario)}, width, height)
}

// records returns the number of records in words.
func (d *driver) records() string { return draw.Count(d.m.bench.doc.Data().Len()) + " records" }

// fixCritical fixes all critical findings, each with one key.
func (d *driver) fixCritical() *driver {
	d.Helper()
	for range 10 {
		if strings.Contains(d.Text(), "✗ critical") {
			d.focus("✗ critical").Press("1")
		}
	}
	return d.Dialog().Lacks("✗ critical")
}

// leave presses enter in the dialog of an export, and types the word if it is asked for.
func (d *driver) leave() *driver {
	d.Helper()
	if d.Press("enter"); strings.Contains(d.Text(), "type yes") {
		d.accept()
	}
	return d
}

// accept gives a reason, a name and the word, and presses enter.
func (d *driver) accept() *driver {
	d.Helper()
	return d.Type("agreed").Press("enter").Type("A. B.").Press("enter").Type("yes").Press("enter")
}

// written returns the texts of the files in the program's folder.
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

// Critical findings are shown before the first byte is written. The fix is one key, after which nothing is asked,
// and can be undone.
func TestExportFindsAndFixes(t *testing.T) {
	d := withPersons(t, "survey.csv", 120, 40).Press("e")
	d.Dialog().Contains("critical", "✗ critical", "Original household IDs")
	d.Press("enter").Screen().Contains("Export with these findings?", "You accept: No protection, Original household IDs")
	d.Press("enter").Screen().Contains("nothing was written: give the reason")
	d.Type("agreed").Press("enter", "enter").Screen().Contains("nothing was written: give the name")
	d.Type("A. B.").Press("enter").Type("no").Press("enter").Screen().Contains("nothing was written: type yes")
	if files := written(t); len(files) > 0 {
		t.Fatalf("there is %v", files)
	}
	d.Press("esc").fixCritical()
	if steps := d.steps(); len(steps) != 1 || !strings.HasSuffix(steps[0], "in whole households") { // members reveal suppressed cells
		t.Errorf("steps %q", steps)
	}
	d.Dialog().Contains("random IDs       hid")
	d.Press("enter").Screen().Contains("protected file written")
	if header, _, _ := strings.Cut(written(t)["survey-protected.csv"], "\n"); !strings.HasPrefix(header, "hid,") {
		t.Errorf("the file begins %q", header)
	}
	if d.Press("u"); len(d.steps()) != 1 || strings.Contains(d.steps()[0], "households") {
		t.Errorf("after undo the steps are %q", d.steps())
	}
}

// Before the first step the dialog says that nothing is protected; after it, file and name are called protected.
func TestExportNamesWhatIsProtected(t *testing.T) {
	d := withPersons(t, "survey.csv", 120, 40).Press("e")
	d.Dialog().Contains("no protection has been applied", "file without protection", "survey-copy.csv", "✗ critical       No protection: ")
	d.Dialog().Contains("✗ No protection", "1  apply local suppression for k = 3").Dialog().Lacks("protected") // before the household IDs
	d.focus("✗ critical       No protection: 4,443 of 5,000 records violate 3-anonymity").Press("1")
	d.Dialog().Contains("protected file", "survey-protected.csv").Dialog().Lacks("No protection")
	if d.Press("esc", "u", "e"); d.m.dialog.Title() != "Export: no protection has been applied" {
		t.Errorf("after undo the title is %q", d.m.dialog.Title())
	}
	d.Dialog().Contains("survey-copy.csv")
}

// The typed word starts writing, and the message names what was accepted.
func TestExportAcceptsByTheWord(t *testing.T) {
	d := surveyWithPersons(t, 200, 40).Press("e", "enter").accept()
	d.Screen().Contains(d.records(), "accepted: No protection, Original household IDs")
	if !strings.Contains(written(t)["survey-copy.csv"], "pid") {
		t.Error("the file lacks what was accepted")
	}
}

// If enter is pressed before the check has finished, or while a fix runs, it waits.
func TestExportWaitsForTheCheck(t *testing.T) {
	d := guide(t, 120, 40).Hold().Press("e", "enter")
	d.Dialog().Contains("runs …", "when the checks end")
	if d.Release().accept(); d.m.dialog != nil || written(t)["guide10-copy.csv"] == "" {
		t.Errorf("nothing was written:\n%s", d.Text())
	}
}

// A step that fixes a finding is applied as from its dialog; if enter is pressed meanwhile, the data with the step
// are written after they were checked.
func TestExportWaitsForAFix(t *testing.T) {
	d := guide(t, 120, 40).Press("e")
	for range 20 {
		if !strings.Contains(d.Text(), "No protection:") || slices.ContainsFunc(strings.Split(d.Text(), "\n"), func(line string) bool {
			return strings.Contains(line, "▸ ") && strings.Contains(line, "No protection:")
		}) {
			break
		}
		d.Press("down")
	}
	d.Hold().Press("1", "enter")
	if files := written(t); len(files) > 0 {
		t.Fatalf("there is %v before the step is made", files)
	}
	if d.Release(); len(d.steps()) != 1 || !strings.Contains(d.steps()[0], "k-anonymity") {
		t.Fatalf("steps %q", d.steps())
	}
	if text := written(t)["guide10-protected.csv"]; !strings.Contains(text, ",,") {
		t.Errorf("no cell of the file is blank:\n%s", text)
	}
	if d.Press("u"); len(d.steps()) > 0 {
		t.Errorf("after undo there are the steps %q", d.steps())
	}
}

// released checks that a protected file and both reports were written.
func (d *driver) released(folder, file string) {
	d.Helper()
	d.Screen().Contains("released with both reports")
	for _, name := range []string{"users/" + file, "users/report.html", "internal/report.html", "internal/script.jsonl"} {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || len(text) == 0 {
			d.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
}

// A new user needs ten keys from a file to a protected one with both reports; after a finished session three are
// enough.
func TestKeysOfARelease(t *testing.T) {
	path := writeSurvey(t)
	d := start(t, Options{Path: path}, 120, 40).Press("enter", "a", "enter", "e", "right", "enter").accept()
	d.released(filepath.Join(filepath.Dir(path), "survey-release"), "survey-copy.csv")
	guide(t, 80, 24).Press("K", "enter", "e", "right", "enter").released("guide10-release", "guide10-protected.csv")
}

// From a protected file with two critical findings, file, both reports and bundle take five keys at any screen
// size: the dialog offers the fixes of the first critical finding wherever the cursor is, except in a text field.
func TestKeysOfAProtectedRelease(t *testing.T) {
	for i, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		if !longtests.Some(i, 3) {
			continue
		}
		d := start(t, Options{Path: writeSurvey(t)}, size[0], size[1]).Press("enter", "a", "enter", "K", "enter", "e")
		d.Dialog().Contains("✗ Original household IDs", "1  assign random IDs to hid at export", "2  assign random IDs to hid as a step")
		d.Screen().Contains("1–3 fix")
		d.Press("1").Dialog().Contains("✗ k-anonymity that does not hold", "1  suppress region, ", "2  remove ")
		d.Screen().Contains("1–3 fix") // of the finding that is first now
		d.Press("1").Dialog().Contains("0 critical")
		d.Screen().Lacks(" fix ")
		d.Press("right", "enter")
		d.released(filepath.Join(filepath.Dir(d.m.bench.doc.Source().File()), "survey-release"), "survey-protected.csv")
	}
}

// If no key can fix a finding, the dialog says what to do and names no key.
func TestExportOfTinyFiles(t *testing.T) {
	for name, c := range map[string]struct{ text, want, fixes string }{
		"untouched": {"sex,age\nf,34\nm,51\nf,34\n", "1  apply local suppression for k = 3", "1 fix"},
		"one":       {"sex,age\nf,34\n", "1 of 1 record violates 3-anonymity", ""},
		"empty":     {"sex,age\n", "no step changed a value", ""},
	} {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
			d := start(t, Options{Demo: true, OpenDemo: textOpener(name+".csv", c.text, surveyScenarioOf("sex", "age"))}, size[0], size[1])
			d.Press("e").Dialog().Contains("no protection has been applied", "✗ No protection", c.want)
			if c.fixes != "" {
				d.Screen().Contains(c.fixes)
			} else if d.Press("1"); len(d.steps()) > 0 || strings.Contains(d.Text(), " fix ") {
				t.Errorf("%s: a fix that does nothing is offered:\n%s", name, d.Text())
			}
			d.Press("i").Screen().Contains("No protection (critical)")
			d.Press("esc", "enter").Screen().Contains("You accept: No protection.")
			d.accept().Screen().Contains("written to " + name + "-copy.csv")
			if err := os.Remove(name + "-copy.csv"); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// While a path is typed a digit is a part of it.
func TestDigitsArePartsOfPaths(t *testing.T) {
	d := surveyWithPersons(t, 120, 40).Press("e", "down", "1")
	if steps, fresh := d.steps(), d.m.bench.exporting; len(steps) > 0 || d.m.bench.doc.CanUndo() {
		t.Errorf("steps %q, options %+v", steps, fresh)
	}
	d.Dialog().Contains("random IDs       no").Dialog().Contains("path             1")
}

// Choices in the dialog are kept, whether something is written or not; each kind of export keeps its typed path,
// and the two reports have different paths.
func TestOptionsOutliveTheDialog(t *testing.T) {
	d := guide(t, 120, 40).Press("K", "enter", "e", "right")
	d.focus("random order").Press("right").focus("escape formulas").Press("right")
	d.focus("person responsible").Type("Ada Baker").focus("contact").Type("data@office.example")
	d.focus("path").retype("first").Press("enter").Screen().Contains("released with both reports")
	for name, want := range map[string]string{"internal/report.html": "Ada Baker", "users/report.html": "data@office.example"} {
		if text := written(t)["first/"+name]; !strings.Contains(text, want) {
			t.Errorf("%s lacks %q", name, want)
		}
	}
	d.Press("e").Dialog().Contains("◂ release ▸", "path                first", "escape formulas     no", "random order        yes",
		"Ada Baker", "data@office.example")
	d.Press("right").Dialog().Contains("guide10-report.html", "Ada Baker").Dialog().Lacks("data@office.example")
	d.Press("enter").Screen().Contains("report written to guide10-report.html")
	d.Press("e").focus("user report").Press("right").Dialog().Contains("guide10-user-report.html", "data@office.example")
	d.Press("enter").Screen().Contains("report written to guide10-user-report.html")
	if files := written(t); !strings.Contains(files["guide10-report.html"], "Disclosure control report for guide10-protected.csv") ||
		!strings.Contains(files["guide10-user-report.html"], "Notes for users of guide10-protected.csv") {
		t.Error("the reports are not named after the protected file")
	}
	d.Press("e").chooseExport("protected file").Dialog().Contains("path             guide10-protected.csv")
	d.Press("esc", "e").Dialog().Contains("random order     yes")
}

// Choices in the dialog are restored when the session is resumed, except acceptances; they are not a step and not
// part of scripts.
func TestOptionsSurviveTheSession(t *testing.T) {
	folder, path := filepath.Split(writeSurvey(t))
	t.Chdir(folder)
	d := start(t, Options{Path: path}, 120, 40).Press("enter", "a", "enter", "K", "enter", "e", "right")
	d.focus("random order").Press("right").focus("escape formulas").Press("right").focus("random IDs").Press("right")
	d.focus("person responsible").Type("Ada Baker").focus("contact").Type("data@office.example").focus("path").Type("first")
	d.Press("esc", "esc", "e").chooseExport("script").focus("path").Type("steps.jsonl").Press("enter", "q")
	if script := written(t)["steps.jsonl"]; script == "" || strings.Contains(script, "Baker") || strings.Contains(script, "export") {
		t.Errorf("the script is\n%s", script)
	}
	d = start(t, Options{Path: path}, 120, 40).Press("enter")
	if steps := d.steps(); len(steps) != 1 {
		t.Fatalf("steps %q", steps)
	}
	d.Press("e").Dialog().Contains("◂ script ▸", "path    steps.jsonl")
	d.chooseExport("release").Dialog().Contains("path                first", "random order        yes", "escape formulas     no",
		"random IDs          hid", "Ada Baker", "data@office.example")
}

// A typed seed of a step is critical; its fix repeats the step with a new seed, and then the later steps.
func TestTypedSeedIsRedrawn(t *testing.T) {
	beside(t)
	d := guide(t, 120, 40)
	name := d.m.bench.scenario.Keys[0]
	for _, step := range []session.StepSpec{
		{Step: "pram", Params: json.RawMessage(`{"variables":["` + name + `"]}`), Seed: 7},
		{Step: "suppress-kanonymity", Params: json.RawMessage(`{"k":2}`)},
		{Step: "shuffle-records", Seed: 1 << 31},
	} {
		d.act(func() { d.m.apply(step, nil) })
		d.Send()
	}
	before := d.steps()
	d.Press("e").Dialog().Contains("Seeds that can be guessed: 2", "1  new seeds for steps 1 (pram) and 3 (shuffle-records)")
	d.Press("1").Dialog().Lacks("Seeds that can be guessed")
	steps := d.m.bench.doc.Steps()
	if len(steps) != 3 || steps[0].Spec.Seed < 1<<32 || steps[2].Spec.Seed < 1<<32 || !slices.Equal(d.steps(), before) {
		t.Errorf("the steps are %q", d.steps())
	}
	if d.Press("esc", "u"); d.m.bench.doc.Steps()[0].Spec.Seed != 7 {
		t.Error("undo does not bring the old steps back")
	}
}

// A release asks for the word if there is a critical finding, names what was accepted, and is replaced only if
// enter is pressed twice.
func TestReleaseWithAcceptedFindings(t *testing.T) {
	d := surveyWithPersons(t, 200, 40).Press("e", "right", "enter")
	if files := written(t); len(files) > 0 {
		t.Fatalf("there is %v", files)
	}
	d.accept().Screen().Contains(d.records() + "; accepted: No protection, Original household IDs")
	first := written(t)
	if text := first["survey-release/internal/check.json"]; !strings.Contains(text, `"household-ids"`) {
		t.Errorf("what was accepted does not stay inside: %s", text)
	}
	d.Press("e", "enter").Screen().Contains("survey-release exists") // what to export stays chosen
	d.fixCritical()
	d.Press("enter", "enter").Screen().Contains("released")
	if script := written(t)["survey-release/internal/script.jsonl"]; !strings.Contains(script, `"new-ids"`) ||
		!strings.Contains(script, `"households":["region"`) {
		t.Errorf("the script of what replaces it is %q", script)
	}
	if err := errors.Join(os.MkdirAll("other", 0o700), os.WriteFile("other/mine.txt", []byte("mine"), 0o600)); err != nil {
		t.Fatal(err)
	}
	d.Press("e", "down").retype("other").Press("enter", "enter").Screen().Contains("other")
	if entries, err := os.ReadDir("other"); err != nil || len(entries) != 1 {
		t.Errorf("a folder that is no release has %v, %v", entries, err)
	}
}

// Notes of the original are kept only with the switch, and a fix drops them again.
func TestExportKeepsNotes(t *testing.T) {
	data, report, err := fileio.Read(t.Context(), filepath.Join(here, "..", "testdata", "guide10.csv"), fileio.NewFormat(), nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "guide10.dta")
	format := fileio.FormatFor(path, report.Format)
	format.Metadata = fileio.Metadata{Notes: []string{"for the mayor call 0171 2345678"}}
	if _, err := fileio.Write(t.Context(), path, data, format, fileio.WriteOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	patterns, err := identify.Default().Read(strings.NewReader(`{"identifier":"places of work","content":"mployed"}`))
	if err != nil {
		t.Fatal(err)
	}
	d := start(t, Options{Path: path, Patterns: patterns}, 120, 40).Press("enter")
	d.Press("down", "down", "down").Screen().Contains("identifiers: Lstat", "removed?")
	d.Press("a", "enter", "e").Dialog().Contains("keep notes  ", "no").Dialog().Lacks("Identifying notes")
	d.focus("keep notes").Press("right").Dialog().Contains("✗ critical", "Identifying notes: 1 of 1")
	for range 30 {
		if strings.Contains(d.Text(), "1  remove the notes") {
			break
		}
		d.Press("down")
	}
	d.Press("1").focus("keep notes").Dialog().Contains("◂ no ▸").Dialog().Lacks("Identifying notes")
	if d.m.bench.analyst.Patterns() != patterns {
		t.Error("the check does not go by the patterns")
	}
}
