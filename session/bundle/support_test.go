package bundle_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/session/bundle"
)

// steps protect the survey; the first line is that of every script.
const steps = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex","age","educ"],"weight":"weight","household":"hid","remove":["pid"]}}
{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,14,24,44,64,99]}}
{"step":"suppress-kanonymity","params":{"k":3}}
{"step":"noise","params":{"variables":["expend"]},"seed":7123456789}
`

// original writes the first records of the survey with a codebook into a new folder, and returns its path.
func original(t testing.TB, records int) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "survey.csv"))
	must(t, err)
	path := filepath.Join(t.TempDir(), "persons.csv")
	write(t, path, string(bytes.Join(bytes.SplitAfterN(text, []byte("\n"), records+2)[:records+1], nil)))
	return path
}

// document applies the steps of a script to a file.
func document(t testing.TB, path, script string) session.Document {
	t.Helper()
	name := filepath.Join(t.TempDir(), "script.jsonl")
	write(t, name, script)
	d, err := session.Perform(t.Context(), session.RunOptions{Script: name, File: path})
	must(t, err)
	return d
}

// options returns the options of a bundle in a new folder.
func options(t testing.TB) bundle.Options {
	return bundle.Options{Folder: filepath.Join(t.TempDir(), "release"), RandomOrder: true, GuardFormulas: true,
		NewIdentifiers: []string{"hid"}, Date: time.Date(2026, 5, 17, 23, 30, 0, 0, time.UTC)}
}

// released releases the protected survey with all findings accepted.
func released(t testing.TB, path string, o bundle.Options) *bundle.ReleaseResult {
	t.Helper()
	d := document(t, path, steps)
	o.Accept = everything(t, d)
	done, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil)
	must(t, err)
	return done
}

// everything accepts all findings of a document.
func everything(t testing.TB, d session.Document) []check.Acceptance {
	t.Helper()
	found, err := d.Check(t.Context(), session.ExportOptions{}, session.NewAnalyst(), nil)
	must(t, err)
	return check.Accept(found, "for a test", "somebody", "")
}

func verified(t testing.TB, folder, path string) *bundle.Verdict {
	t.Helper()
	verdict, err := bundle.Verify(t.Context(), bundle.VerifyOptions{Folder: folder, Original: path}, session.NewAnalyst())
	must(t, err)
	return verdict
}

// problems returns the problems of a verdict, a line each.
func problems(v *bundle.Verdict) (all []string) {
	for _, result := range v.Results {
		all = append(all, result.Problems...)
	}
	return all
}

// filesIn returns the contents of all files in a folder by path.
func filesIn(t testing.TB, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	}))
	return files
}

func namesOf(files map[string]string) string {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func write(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
