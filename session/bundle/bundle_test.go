package bundle_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/session/bundle"
)

// A bundle has its two parts, and nothing else is left next to it.
func TestBundleHasTwoParts(t *testing.T) {
	path, o := original(t, 300), options(t)
	done := released(t, path, o)
	files := filesIn(t, o.Folder)
	if got := namesOf(files); got != "internal/check.json internal/manifest.json internal/report.html internal/script.jsonl "+
		"users/SHA256SUMS users/persons-protected.csv users/report.html" {
		t.Error(got)
	}
	if entries, err := os.ReadDir(filepath.Dir(o.Folder)); err != nil || len(entries) != 1 {
		t.Errorf("beside the bundle: %v, %v", entries, err)
	}
	safe := files["users/persons-protected.csv"]
	if done.Report.Records != 300 || strings.Count(safe, "\n") != 301 || strings.Contains(safe, "pid") {
		t.Errorf("%+v; %.80s", done.Report, safe)
	}
	for path := range files {
		if info, err := os.Stat(filepath.Join(o.Folder, path)); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others can read %s: %v, %v", path, info.Mode(), err)
		}
	}
}

// Nothing of the internal part is in the users one: seeds, parameters, the path and the hash of the source, who
// accepted what; with either kind of codebook and without.
func TestOutsideHoldsNothingOfTheInside(t *testing.T) {
	labelled := filepath.Join("..", "..", "testdata", "formats", "sav_haven_none.sav")
	scenario := `{"keys":["region","sex","age"],"household":"hid","remove":["pid"]}`
	for _, c := range []struct{ path, script, name, codebook string }{
		{original(t, 300), steps, "", ""},
		{labelled, strings.Split(steps, "\n")[0] + "\n" + `{"scenario":` + scenario + "}\n" +
			`{"step":"suppress-kanonymity","params":{"k":7}}` + "\n", "safe.csv", "csv"},
		{labelled, strings.Split(steps, "\n")[0] + "\n" + `{"scenario":` + scenario + "}\n", "safe.csv", "xml"},
	} {
		d, o := document(t, c.path, c.script), options(t)
		o.Name, o.Codebook, o.Accept = c.name, c.codebook, everything(t, d)
		for i := range o.Accept {
			o.Accept[i].By, o.Accept[i].Because = "Q. Somebody-Else", "as we agreed in May"
		}
		o.Responsible, o.Contact = "R. Sponsible", "ask@office.example"
		_, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil)
		must(t, err)
		files := filesIn(t, o.Folder)
		if !strings.Contains(files["internal/report.html"], "R. Sponsible") ||
			!strings.Contains(files["users/report.html"], "ask@office.example") {
			t.Error("the reports lack who is responsible, or whom to ask")
		}
		if book := files["users/codebook."+c.codebook]; (book != "") != (c.codebook != "") {
			t.Errorf("%q: %s", c.codebook, namesOf(files))
		}
		if v := verified(t, o.Folder, c.path); !v.Holds() {
			t.Errorf("%q: %q", c.codebook, problems(v))
		}
		holdsNothingOfTheInside(t, files, filepath.Dir(d.Source.File()), "Somebody-Else", "in May", "Sponsible")
	}
}

func holdsNothingOfTheInside(t *testing.T, files map[string]string, secrets ...string) {
	t.Helper()
	inside := files["internal/manifest.json"] + files["internal/script.jsonl"]
	secrets = append(secrets, "conservative", "breaks", "suppress-kanonymity", "shuffle-records")
	for _, pattern := range []string{`"seed":(\d+)`, `"(?:hash|sha256)": ?"([0-9a-f]+)"`, `"params":(\{[^}]+\})`} {
		for _, found := range regexp.MustCompile(pattern).FindAllStringSubmatch(inside, -1) {
			secrets = append(secrets, found[1])
		}
	}
	if len(secrets) < 15 {
		t.Fatalf("only %d things to look for: %v", len(secrets), secrets)
	}
	for name, text := range files {
		for _, secret := range secrets {
			public := name == "users/SHA256SUMS" && strings.Contains(text, secret+"  ")
			if strings.HasPrefix(name, "users/") && strings.Contains(text, secret) && !public {
				t.Errorf("%s has %s", name, secret)
			}
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(files["users/SHA256SUMS"]), "\n") {
		if _, name, there := strings.Cut(line, "  "); !there || files["users/"+name] == "" {
			t.Errorf("the list has %q, which is not outside", line)
		}
	}
}

// Unaccepted critical findings are refused, and nothing is written; the internal part has who accepted them.
func TestCriticalFindingsAreRefused(t *testing.T) {
	path, o := original(t, 100), options(t)
	d := document(t, path, strings.Replace(steps, `,"remove":["pid"]`, "", 1))
	if _, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil); !errors.Is(err, session.ErrCritical) ||
		!strings.Contains(err.Error(), "k-anonymity") {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Dir(o.Folder)); err != nil || len(left) > 0 {
		t.Errorf("written: %v, %v", left, err)
	}
	o.Accept = append(everything(t, d), check.Acceptance{Finding: "nothing", Because: "x", By: "y"})
	_, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil)
	must(t, err)
	files := filesIn(t, o.Folder)
	if !strings.Contains(files["internal/check.json"], `"by": "somebody"`) ||
		!strings.Contains(files["internal/manifest.json"], `"finding": "k-anonymity"`) ||
		strings.Contains(files["internal/manifest.json"], `"nothing"`) {
		t.Error(files["internal/check.json"], files["internal/manifest.json"])
	}
	if v := verified(t, o.Folder, path); !v.Holds() {
		t.Error(problems(v))
	}
}

// A document whose steps give other data when replayed is not released.
func TestStepsGiveTheSameAgain(t *testing.T) {
	d, o := document(t, original(t, 100), steps), options(t)
	o.Accept = everything(t, d)
	d.Steps = slices.Clone(d.Steps)
	d.Steps[1].After = "other data"
	if _, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil); err == nil ||
		!strings.Contains(err.Error(), "repeating the steps gives different data") {
		t.Error(err)
	}
}

// A bundle is replaced only with force, and other folders never.
func TestWhatIsReplaced(t *testing.T) {
	path, o := original(t, 100), options(t)
	d := document(t, path, steps)
	o.Accept = everything(t, d)
	again := func(force bool) error {
		o.Force = force
		_, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil)
		return err
	}
	must(t, os.Mkdir(o.Folder, 0o700))
	must(t, again(false)) // an empty folder
	first := filesIn(t, o.Folder)
	if err := again(false); !errors.Is(err, fileio.ErrExists) {
		t.Error(err)
	}
	must(t, again(true))
	second := filesIn(t, o.Folder)
	if first["internal/script.jsonl"] == second["internal/script.jsonl"] {
		t.Error("the seeds of two releases are the same")
	}
	notes := filepath.Join(o.Folder, "internal", "notes.txt")
	write(t, notes, "mine")
	if err := again(true); !errors.Is(err, fileio.ErrName) || !strings.Contains(err.Error(), "internal/notes.txt") {
		t.Error(err)
	}
	must(t, os.Remove(notes))
	write(t, filepath.Join(o.Folder, "internal", "manifest.json"), "{}")
	if err := again(true); !errors.Is(err, fileio.ErrName) {
		t.Error(err)
	}
	for _, folder := range []string{filepath.Dir(path), path, filepath.Join(path, "x"), filepath.Join(o.Folder, "no", "where"),
		".", ""} {
		if o.Folder = folder; again(true) == nil {
			t.Errorf("%q became a bundle", folder)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// Names that the protected file cannot have are refused.
func TestNamesOfTheSafeFile(t *testing.T) {
	path, o := original(t, 100), options(t)
	d := document(t, path, steps)
	o.Accept = everything(t, d)
	for _, name := range []string{"report.html", "sha256sums", "codebook.csv", "a/b.csv", `a\b.csv`, "..", "safe.xls"} {
		o.Name = name
		if _, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil); err == nil {
			t.Errorf("%s is a name", name)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(o.Folder)); err != nil || len(left) > 0 {
		t.Errorf("written: %v, %v", left, err)
	}
}

// Folders of another running program or of another person are not touched.
func TestHiddenFolderInTheWay(t *testing.T) {
	path, o := original(t, 100), options(t)
	d := document(t, path, steps)
	o.Accept = everything(t, d)
	hidden := filepath.Join(filepath.Dir(o.Folder), ".release.unreleased")
	must(t, os.Mkdir(hidden, 0o700))
	write(t, filepath.Join(hidden, "mine"), "mine")
	if _, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil); err == nil {
		t.Error("the folder was taken")
	}
	must(t, os.Remove(filepath.Join(hidden, "mine")))
	marker, err := os.Create(filepath.Join(hidden, "being-written"))
	must(t, err)
	must(t, fileio.Lock(marker))
	write(t, marker.Name(), "being written")
	if found := fileio.FindUnplaced(filepath.Dir(o.Folder)); len(found) != 1 || found[0].Path != hidden || !found[0].InUse {
		t.Errorf("%+v", found)
	}
	if fileio.RemoveUnplaced(filepath.Dir(o.Folder)) != 0 {
		t.Error("what another program writes was removed")
	}
	if _, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil); err == nil ||
		!strings.Contains(err.Error(), "another program is releasing") {
		t.Error(err)
	}
	must(t, marker.Close())
	if fileio.RemoveUnplaced(filepath.Dir(o.Folder)) != 1 {
		t.Error("what was left is not removed")
	}
	must(t, os.Mkdir(hidden, 0o700))
	must(t, os.Mkdir(filepath.Join(hidden, "users"), 0o700))
	write(t, filepath.Join(hidden, "users", "old"), "records")
	write(t, marker.Name(), "being written")
	_, err = bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil)
	must(t, err)
	if entries, err := os.ReadDir(filepath.Dir(o.Folder)); err != nil || len(entries) != 1 || filesIn(t, o.Folder)["users/old"] != "" {
		t.Errorf("beside the bundle: %v, %v", entries, err)
	}
}

// Active measures are in the script, in the internal report, and in the checks: an unmet requirement of theirs is
// refused. A measure that reads a file is left out.
func TestOpenMeasuresAreReleased(t *testing.T) {
	path, o := original(t, 300), options(t)
	d := document(t, path, steps+`{"measure":"ldiversity","params":{"sensitive":["health"],"l":4}}`+"\n"+
		`{"measure":"linkage","params":{"external":"persons.csv"}}`+"\n"+`{"measure":"suda"}`+"\n")
	o.Accept = []check.Acceptance{{Finding: "k-anonymity", Because: "x", By: "y"}}
	if _, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil); !errors.Is(err, session.ErrCritical) ||
		!strings.Contains(err.Error(), "l-diversity") {
		t.Fatal(err)
	}
	o.Accept = everything(t, d)
	_, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil)
	must(t, err)
	files := filesIn(t, o.Folder)
	report := files["internal/report.html"]
	if !strings.Contains(report, "l-diversity</h3>") || !strings.Contains(report, "somebody") ||
		!strings.Contains(files["internal/script.jsonl"], `{"measure":"ldiversity"`) ||
		!strings.Contains(files["internal/script.jsonl"], `{"measure":"suda"}`) ||
		strings.Contains(files["internal/script.jsonl"], "linkage") {
		t.Error(files["internal/script.jsonl"], report)
	}
	if v := verified(t, o.Folder, path); !v.Holds() {
		t.Error(problems(v))
	}
}
