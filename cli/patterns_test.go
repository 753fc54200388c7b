package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// officeFile writes a file with staff numbers that only an office recognises, its patterns, and a script; it
// returns their paths.
func officeFile(t *testing.T) (file, patterns, script string) {
	t.Helper()
	folder := t.TempDir()
	text := "region,v1\n"
	for i := range 60 {
		text += fmt.Sprintf("r%d,S%06d x\n", i%4, i%20)
	}
	file, patterns, script = filepath.Join(folder, "a.csv"), filepath.Join(folder, "ours.jsonl"), filepath.Join(folder, "steps.jsonl")
	for path, text := range map[string]string{file: text, patterns: `{"identifier":"staff numbers","content":"^S\\d{6}"}` + "\n",
		script: `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region"]}}
{"step":"suppress-kanonymity","version":2,"params":{"k":3}}
`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file, patterns, script
}

// A release is checked with an office's own patterns, which its bundle contains; a verifier can require them.
func TestReleaseWithPatterns(t *testing.T) {
	file, patterns, script := officeFile(t)
	bundle := filepath.Join(t.TempDir(), "release")
	if _, _, err := execute(t, "release", script, file, "-o", bundle, "--identifier-patterns", patterns); err == nil ||
		!strings.Contains(err.Error(), "direct-identifiers:v1") {
		t.Fatal(err)
	}
	for _, withPatterns := range []bool{false, true} {
		args := []string{script, file, "-o", bundle, "--force"}
		if withPatterns {
			args = append(args, "--identifier-patterns", patterns, "--accept", "direct-identifiers:v1", "--because", "agreed",
				"--accepted-by", "A. Baker")
		}
		if _, _, err := execute(t, "release", args...); err != nil {
			t.Fatal(err)
		}
		out, _, err := execute(t, "verify", bundle, file)
		if err != nil || strings.Contains(out, "internal/identifier-patterns.jsonl, SHA-256") != withPatterns {
			t.Errorf("%v\n%s", err, out)
		}
		out, _, err = execute(t, "verify", bundle, file, "--identifier-patterns", patterns)
		out = strings.Join(strings.Fields(out), " ") // lines are wrapped
		if (err == nil) != withPatterns || strings.Contains(out, "checked without your patterns") == withPatterns {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// Roles are suggested with an office's own patterns.
func TestInspectWithPatterns(t *testing.T) {
	file, patterns, _ := officeFile(t)
	out, _, err := execute(t, "inspect", file, "--json")
	if err != nil || strings.Contains(out, "identifier patterns") {
		t.Errorf("%v\n%s", err, out)
	}
	out, _, err = execute(t, "inspect", file, "--json", "--identifier-patterns", patterns)
	if err != nil || !strings.Contains(out, "most values match your identifier patterns") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The screen uses patterns too; an invalid file of patterns is an error before it opens.
func TestScreenWithPatterns(t *testing.T) {
	_, patterns, _ := officeFile(t)
	f := screenFlags{program: testProgram()}
	cmd := &cobra.Command{}
	if f.add(cmd); cmd.ParseFlags([]string{"--identifier-patterns", patterns}) != nil {
		t.Error("patterns that are there are not taken")
	}
	if o, err := f.complete(); err != nil || len(o.Patterns.Added()) == 0 {
		t.Error(o.Patterns, err)
	}
	if _, err := sdcdesk("--identifier-patterns", patterns+"x"); exitStatus(err) != 1 || !strings.HasPrefix(err.Error(), "open ") {
		t.Errorf("patterns that are not there: %v", err)
	}
}

// Conversions keep notes, protected files only with --keep-notes.
func TestNotesOfFiles(t *testing.T) {
	file, _, script := officeFile(t)
	folder := t.TempDir()
	data, report, err := fileio.Read(t.Context(), file, fileio.NewFormat(), nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "a.sav")
	format := fileio.FormatFor(path, report.Format)
	format.Metadata = fileio.Metadata{Label: "Survey of Mrs Miller", Notes: []string{"call 0171 2345678"}}
	if _, err := fileio.Write(t.Context(), path, data, format, fileio.WriteOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	out, _, err := execute(t, "check", path)
	out = strings.Join(strings.Fields(out), " ")
	if err != nil || !strings.Contains(out, "file-notes (critical): Identifying notes 2 lines") || strings.Contains(out, "0171") {
		t.Error(out, err)
	}
	for _, c := range []struct {
		to   string
		args []string
		has  bool
	}{
		{"converted.dta", []string{"convert", path}, true},
		{"protected.dta", []string{"run", script, path, "-o"}, false},
		{"kept.dta", []string{"run", script, path, "--keep-notes", "-o"}, true},
	} {
		to := filepath.Join(folder, c.to)
		_, warnings, err := execute(t, c.args[0], append(c.args[1:], to)...)
		if err != nil || c.args[0] == "run" && strings.Contains(warnings, "critical: file-notes: ") != c.has {
			t.Errorf("%s: %v, %s", c.to, err, warnings)
		}
		_, report, err := fileio.Read(t.Context(), to, fileio.FormatFor(to, fileio.NewFormat()), nil)
		if err != nil || (len(report.Format.Metadata.Texts()) > 0) != c.has {
			t.Errorf("%s: %v, %q", c.to, err, report.Format.Metadata)
		}
	}
	if _, _, err := execute(t, "run", script, path, "--keep-notes", "--strict", "-o", filepath.Join(folder, "strict.dta")); err == nil ||
		!strings.Contains(err.Error(), "file-notes") {
		t.Error(err)
	}
}
