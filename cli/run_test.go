package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/session"
)

// execute runs "sdcdesk run" or another command with arguments.
func execute(t *testing.T, name string, args ...string) (out, warnings string, err error) {
	t.Helper()
	cmd := newRootCommand(testProgram())
	var stdout, stderr bytes.Buffer
	cmd.SetOut(&stdout)
	cmd.SetErr(&stderr)
	cmd.SetArgs(append([]string{name}, args...))
	err = cmd.Execute()
	return stdout.String(), stderr.String(), err
}

func TestRunCommandLine(t *testing.T) {
	script, file := filepath.Join("..", "testdata", "scripts", "survey_recode.jsonl"), filepath.Join("..", "testdata",
		"survey.csv")
	out := filepath.Join(t.TempDir(), "out.csv")
	for _, c := range []struct {
		args  []string
		usage bool
		want  string // "": it succeeds
	}{
		{nil, true, "run takes a script and a file, not 0 arguments: "},
		{[]string{script}, true, "run takes a script and a file, not 1 argument: "},
		{[]string{script, file}, true, "name the output: -o OUT"},
		{[]string{script, file, "-o", out, "--froce"}, true, "unknown flag: --froce"},
		{[]string{script, file, "-o", file, "--force"}, true, "two files of the run have the same path: "},
		{[]string{script, file, "-o", out}, false, ""},
		{[]string{script, file, "-o", out}, false,
			"" + out + " exists; choose another name, or allow replacing it with --force"},
		{[]string{script, file, "-o", out, "--force"}, false, ""},
		{[]string{script + "x", file, "-o", out, "--force"}, false,
			"the script cannot be read: " + script + "x: no such file; check the name"},
		{[]string{filepath.Join("..", "testdata"), file, "-o", out, "--force"}, false,
			"the script cannot be read: " + filepath.Join("..", "testdata") + " is a folder; choose a file in it"},
		{[]string{script, file, "-o", out + ".xls"}, true,
			out + ".xls has the extension of a spreadsheet, which sdcdesk cannot write: use .csv, .sav"},
		{[]string{file, file, "-o", out, "--force"}, false, "survey.csv, line 1: the line is not valid JSON"},
	} {
		_, _, err := execute(t, "run", c.args...)
		if c.want == "" {
			if err != nil {
				t.Errorf("run %v: %v", c.args, err)
			}
			continue
		}
		var bad usageError
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || errors.As(err, &bad) != c.usage ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("run %v: %v\nwant %s, usage %v", c.args, err, c.want, c.usage)
		} else if c.usage && exitStatus(err) != 2 {
			t.Errorf("run %v: exit status %d", c.args, exitStatus(err))
		}
	}
}

// The source is recognised under any name.
func TestRunRefusesAHardLinkToTheSource(t *testing.T) {
	folder := t.TempDir()
	script, file, link := filepath.Join(folder, "script.jsonl"), filepath.Join(folder, "file.csv"), filepath.Join(folder,
		"link.csv")
	for path, text := range map[string]string{script: `{"format":"sdcdesk-script","version":1}`, file: "a\n1\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(file, link); err != nil {
		t.Skip("no hard links here: ", err)
	}
	_, _, err := execute(t, "run", script, file, "-o", link, "--force")
	if exitStatus(err) != 2 {
		t.Errorf("error %v, exit status %d", err, exitStatus(err))
	}
}

func TestRunCommandWarns(t *testing.T) {
	folder := t.TempDir()
	script := filepath.Join(folder, "script.jsonl")
	text := `{"format":"sdcdesk-script","version":1}` + "\n" +
		`{"step":"recode-rename","params":{"variable":"sex","level":"male","label":"male"}}`
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, warnings, err := execute(t, "run", script, filepath.Join("..", "testdata", "survey.csv"), "-o",
		filepath.Join(folder, "out.csv"))
	first, findings, _ := strings.Cut(warnings, "\n")
	if err != nil || first != "warning: line 2, step 1 (recode-rename): changes nothing" ||
		!strings.HasPrefix(findings, "critical: household-ids: ") || strings.Count(findings, "changes nothing") > 0 {
		t.Errorf("%q, %v", warnings, err)
	}
}

// A strict run with a critical finding writes nothing and has its own exit status, until every finding is accepted
// by name.
func TestStrictRun(t *testing.T) {
	folder := t.TempDir()
	script, out := filepath.Join(folder, "script.jsonl"), filepath.Join(folder, "out.csv")
	if err := os.WriteFile(script, []byte(`{"format":"sdcdesk-script","version":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	run := []string{script, filepath.Join("..", "testdata", "survey.csv"), "-o", out, "--strict"}
	for _, c := range []struct {
		accepted string
		status   int
		names    string
	}{{"", 3, "2 critical findings (household-ids, no-protection)."},
		{"no-protection", 3, "1 critical finding (household-ids)."},
		{"household-ids:hid", 3, "1 critical finding (no-protection)."},
		{"household-ids:hid,no-protection", 0, ""}} {
		args := run
		if c.accepted != "" {
			args = append(run, "--accept", c.accepted, "--because", "a test", "--accepted-by", "A. B.")
		}
		_, _, err := execute(t, "run", args...)
		_, missing := os.Stat(out)
		if exitStatus(err) != c.status || (missing != nil) != (c.status == 3) || !strings.Contains(errorText(err), c.names) {
			t.Errorf("accepting %q: status %d, %v, written: %v", c.accepted, exitStatus(err), err, missing == nil)
		}
	}
	if _, _, err := execute(t, "run", append(run, "--force", "--accept", "identifiers")...); exitStatus(err) != 2 {
		t.Errorf("a finding that there is not: %v", err)
	}
}

// Flags select how the file of a script is read, such as the codebook next to it, and override the script.
func TestRunReadsAsFlagsSay(t *testing.T) {
	folder := t.TempDir()
	path := func(name, content string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	file := path("a.csv", "x,y\n1,a\n2,b\n-9,b\n1,a\n")
	book := path("book.csv", "variable,label,value,value_label,missing\nx,,-9,refused,yes\n")
	const head = `{"format":"sdcdesk-script","version":1}` + "\n"
	const step = "\n" + `{"step":"recode-rename","params":{"variable":"x","level":"-9","label":"none"}}` + "\n"
	guessed := path("guessed.jsonl", head+`{"scenario":{"keys":["x"]}}`+step)
	said := path("said.jsonl",
		head+`{"scenario":{"keys":["x"]},"file":{"delimiter":",","decimal":".","quote":"\"","header":true,"missing":[""]}}`+step)
	for _, script := range []string{guessed, said} {
		for _, command := range [][]string{{"run", script, file, "-o", filepath.Join(folder, "out.csv"), "--force"},
			{"try", script, file}, {"compare", "original", script, file}} {
			if out, _, err := execute(t, command[0], command[1:]...); err != nil || strings.Contains(out, `no category "-9"`) {
				t.Errorf("%s: %v\n%s", command[0], err, out)
			}
			for _, flag := range [][]string{{"--codebook", book}, {"--missing=-9"}} {
				out, _, err := execute(t, command[0], append(command[1:], flag...)...)
				if command[0] != "try" && err == nil || !strings.Contains(out+errorText(err), `no category "-9"`) {
					t.Errorf("%s %v: %v\n%s", command[0], flag, err, out)
				}
			}
		}
	}
	wrong := path("wrong.jsonl",
		head+`{"scenario":{"keys":["x"]},"file":{"type":"sav","header":true,"missing":[""],"options":{"missing":"some"}}}`+"\n")
	if _, _, err := execute(t, "run", wrong, file, "-o", filepath.Join(folder, "other.csv")); err == nil ||
		!strings.Contains(err.Error(), `declared missing values "some"`) {
		t.Error(err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestMethodsCommand(t *testing.T) {
	list, _, err := execute(t, "methods")
	if err != nil || strings.Count(list, "\n") != len(catalog.Methods()) {
		t.Errorf("list:\n%s%v", list, err)
	}
	for _, spec := range catalog.Methods() {
		page, _, err := execute(t, "methods", spec.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range spec.New().Params() {
			if !strings.Contains(page, "\n  "+p.Name+": ") {
				t.Errorf("%s: the page lacks parameter %s", spec.Name, p.Name)
			}
		}
		_, example, _ := strings.Cut(page, "\nIn a script\n")
		script := `{"format":"sdcdesk-script","version":1}` + "\n" + example
		if read, err := session.ReadScript(strings.NewReader(script), nil); err != nil || len(read.Steps) != 1 {
			t.Errorf("%s: the example cannot be read: %v", spec.Name, err)
		}
	}
	var usage usageError
	if _, _, err := execute(t, "methods", "magic"); !errors.As(err, &usage) {
		t.Errorf("unknown method: %v", err)
	}
}

// A method added to the catalog has a line in the list, and a page.
func TestMethodsCommandShowsTheCatalogItIsGiven(t *testing.T) {
	spec := catalog.Methods()[0]
	spec.Name, spec.Title, spec.Help = "another", "Another method", "Does what it does."
	for _, c := range []struct {
		args []string
		want string
	}{{nil, "another                Another method\n"},
		{[]string{"another"}, "Another method (another)\n\nDoes what it does.\n\nParameters\n  variable: "}} {
		var out bytes.Buffer
		extended := testProgram()
		extended.methods = append(extended.methods, spec)
		cmd := newRootCommand(extended)
		cmd.SetOut(&out)
		cmd.SetArgs(append([]string{"methods"}, c.args...))
		if err := cmd.Execute(); err != nil || !strings.Contains(out.String(), c.want) {
			t.Errorf("%v: %v\n%s", c.args, err, out.String())
		}
	}
}

func TestMeasures(t *testing.T) {
	list, err := sdcdesk("measures")
	if err != nil || !strings.Contains(list, "kanonymity    k-anonymity\n") {
		t.Errorf("%v\n%s", err, list)
	}
	page, err := sdcdesk("measures", "household")
	if err != nil || !strings.Contains(page, "Household risk (household)") ||
		!strings.Contains(page, "For each record\n  household_risk\n") {
		t.Errorf("%v\n%s", err, page)
	}
	if _, err := sdcdesk("measures", "none"); err == nil || exitStatus(err) != 2 {
		t.Errorf("a measure that is not there: %v", err)
	}
	out, params := filepath.Join(t.TempDir(), "out.csv"), filepath.Join(t.TempDir(), "params.json")
	if err := os.WriteFile(params, []byte(`{"household":{"k":3}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		measures []string
		want     string
	}{
		{[]string{"--measures", "risk,none"}, `unknown measure "none"`},
		{[]string{"--measures", "risk", "--measure-params", params},
			"parameters are given for household, which is not requested"},
		{[]string{"--measures", "household", "--measure-params", params}, "household: "},
		{[]string{"--measures", "risk", "--measure-params", filepath.Join("..", "testdata", "survey.csv")},
			"an object with one object per measure"},
		{[]string{"--measures", "risk", "--measure-params", out}, "cannot be read"},
	} {
		args := append([]string{"run", filepath.Join("..", "testdata", "scripts", "survey_recode.jsonl"),
			filepath.Join("..", "testdata", "survey.csv"), "-o", out}, c.measures...)
		if _, err := sdcdesk(args...); err == nil || exitStatus(err) != 2 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v; want %q", c.measures, err, c.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("the file was written")
		}
	}
}
