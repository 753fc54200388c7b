package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckCommand(t *testing.T) {
	survey := filepath.Join("..", "testdata", "survey.csv")
	script := filepath.Join("..", "testdata", "scripts", "survey_kanonymity.jsonl")
	for _, c := range []struct {
		args   []string
		status int
		want   string // in the output, or in the error
	}{
		{nil, 2, "check takes a file"},
		{[]string{survey, "--script", script}, 2, "add --against ORIGINAL"},
		{[]string{survey, "--accept", "pid"}, 2, `"pid": no such finding`},
		{[]string{survey, "--accept", "household-ids:hid", "--because", "a test"}, 2, "add the name of the person"},
		{[]string{survey, "--accept", "household-ids:hid", "--because", " ", "--accepted-by", "A. B."}, 2, "add the reason"},
		{[]string{survey, "--because", "a test"}, 2, "need --accept FINDING"},
		{[]string{survey, "--accept", "k-anonymity:sex", "--because", "a test", "--accepted-by", "A. B."}, 2, "without a variable"},
		{[]string{survey, "--keys", "nothing"}, 2, "nothing"},
		{[]string{survey + "x"}, 1, "no such file"},
		{[]string{survey}, 0, "household-ids (critical): Original household IDs\n"},
		{[]string{survey, "--strict"}, 3, "--accept household-ids:hid,violators,risk"},
		{[]string{survey, "--strict", "--accept", "household-ids", "--accept", "violators", "--because", "a test", "--accepted-by", "A. B."}, 3,
			"--accept household-ids:hid,risk"},
		{[]string{survey, "--strict", "--accept", "household-numbers:hid,violators,risk", "--because", "a test", "--accepted-by", "A. B."}, 0,
			"findings"},
		{[]string{survey, "--accept", "household-ids:sex", "--because", "a test", "--accepted-by", "A. B."}, 0,
			"household-ids:sex is accepted, but there is no such critical finding"},
		{[]string{survey, "--keys", "sex"}, 0, "findings, 1 of them critical.\n"},
		{[]string{survey, "--against", survey}, 0, "4,701 of 5,000 records violate 3-anonymity; no protection has been applied."},
		{[]string{survey, "--against", survey}, 0, "The records are in their original order.\n"},
		{[]string{survey, "--against", survey, "--script", script}, 0, "The steps of the script do not produce"},
	} {
		out, messages, err := execute(t, "check", c.args...)
		if exitStatus(err) != c.status || !strings.Contains(out+messages+errorText(err), c.want) {
			t.Errorf("check %v: status %d, %v\n%s", c.args, exitStatus(err), err, out)
		}
	}
}

// Findings are objects with every fix in the form of scripts and exports.
func TestCheckAsJSON(t *testing.T) {
	out, _, err := execute(t, "check", filepath.Join("..", "testdata", "survey.csv"), "--json")
	if err != nil {
		t.Fatal(err)
	}
	var object checkObject
	if err := json.Unmarshal([]byte(out), &object); err != nil {
		t.Fatal(err)
	}
	if object.File != "survey.csv" || !object.Refused || len(object.Findings) < 5 {
		t.Errorf("%+v", object)
	}
	steps := map[string]bool{}
	for _, f := range object.Findings {
		if f.Name == "" || f.Title == "" || f.Text == "" || f.Why == "" || f.Source == "" || len(f.Fixes) == 0 {
			t.Errorf("%+v", f)
		}
		for _, fix := range f.Fixes {
			steps[fix.Step] = true
			if (fix.Step == "") == (fix.Params != nil) {
				t.Errorf("%s: %+v", f.Name, fix)
			}
		}
	}
	if !steps["microaggregate"] || !steps["suppress-kanonymity"] || !steps["new-ids"] {
		t.Error(steps)
	}
}

// Names with control sequences do not act on the terminal.
func TestCheckOfHostileNames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(file, []byte("e-mail \x1b[31m<b>,=x\na@b.org,1\nc@d.org,2\ne@f.org,3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"--json", "--json=false"} {
		out, _, err := execute(t, "check", file, form)
		if err != nil || strings.Contains(out, "\x1b") || !strings.Contains(out, "direct-identifiers") ||
			strings.Contains(out, "b.org") {
			t.Errorf("%v\n%q", err, out)
		}
	}
}

// An office can add identifiers and exceptions.
func TestCheckWithPatterns(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := "v1,email\n"
	for i := range 60 {
		text += fmt.Sprintf("S%06d x,a%d@example.org\n", i%30, i)
	}
	file := write("a.csv", text)
	ours := write("ours.jsonl", `{"identifier":"staff numbers","content":"^S\\d{6}"}`+"\n"+`{"except":"email"}`)
	out, _, err := execute(t, "check", file)
	out = strings.Join(strings.Fields(out), " ") // lines are wrapped
	if err != nil || !strings.Contains(out, "email (e-mail addresses)") || strings.Contains(out, "staff") {
		t.Error(out, err)
	}
	out, _, err = execute(t, "check", file, "--identifier-patterns", ours)
	out = strings.Join(strings.Fields(out), " ")
	if err != nil || strings.Contains(out, "email") || !strings.Contains(out, "v1 (staff numbers)") {
		t.Error(out, err)
	}
	if _, _, err = execute(t, "check", file, "--identifier-patterns", write("no.jsonl", "\n{")); err == nil ||
		!strings.Contains(err.Error(), "no.jsonl: line 2 of the identifier patterns") {
		t.Error(err)
	}
}
