package session

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// sharedCase describes the problems planted in a shared file.
type sharedCase struct {
	File      string   `json:"file"`
	Clean     bool     `json:"clean"`
	Variables []string `json:"variables"`
	Expected  []string `json:"expected"`
	Codebook  bool     `json:"codebook"`
}

// newNames are the present names of findings.
var newNames = map[string]string{"household-numbers": "household-ids", "group-numbers": "cluster-ids"}

// kindOfCases counts the findings in the cases of a kind.
type kindOfCases struct{ filesWithFindings, found, wrongly int }

// Every problem planted in the shared files is found under one of the expected names, and nothing is found in
// their harmless twins.
func TestCasesOfChecks(t *testing.T) {
	folder := filepath.Join("..", "..", "shared", "cases", "planted")
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Skip("there is no folder shared beside the project")
	}
	kinds := map[string]*kindOfCases{}
	for _, spec := range check.Specs() {
		kinds[spec.Name] = &kindOfCases{}
	}
	for i, entry := range entries {
		if !entry.IsDir() || !longtests.Some(i, 3) {
			continue
		}
		id := entry.Name()
		c, found := checkShared(t, filepath.Join(folder, id))
		if problem := c.problem(id, found, kinds); problem != "" {
			t.Errorf("%s: %s\nfound: %s", id, problem, strings.Join(linesOf(found), "\n       "))
		}
	}
	for _, spec := range check.Specs() {
		if k := kinds[spec.Name]; k.filesWithFindings+k.wrongly > 0 {
			t.Logf("%-20s recall %d of %d, precision %d of %d", spec.Name, k.found, k.filesWithFindings, k.found, k.found+k.wrongly)
		}
	}
}

// linesOf returns findings as text, a line each.
func linesOf(found []check.Finding) (lines []string) {
	for i := range found {
		lines = append(lines, found[i].String())
	}
	return lines
}

// checkShared runs the checks that a release of the case would run.
func checkShared(t *testing.T, folder string) (c sharedCase, found []check.Finding) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "expected.json"))
	must(t, err)
	must(t, json.Unmarshal(text, &c))
	run := RunOptions{Script: filepath.Join(folder, "script.jsonl"), File: filepath.Join(folder, c.File)}
	if c.Codebook {
		run.Reading = func(format *fileio.Format) error {
			format.Codebook = filepath.Join(folder, "codebook.csv")
			return nil
		}
	}
	document, err := Perform(context.Background(), run)
	must(t, err)
	found, err = document.Check(context.Background(), ExportOptions{Path: c.File}, NewAnalyst(), nil)
	must(t, err)
	// The seeds of the scripts are typed so that the cases are the same everywhere.
	return c, slices.DeleteFunc(found, func(f check.Finding) bool { return f.Name == "typed-seeds" })
}

// problem returns what is wrong with the findings of a case, or "".
func (c *sharedCase) problem(id string, found []check.Finding, kinds map[string]*kindOfCases) string {
	if c.Clean {
		return c.harmless(id, found, kinds)
	}
	right := ""
	var names []string
	for _, name := range c.Expected {
		if now, renamed := newNames[name]; renamed {
			name = now
		}
		names = append(names, name)
		if right == "" && slices.ContainsFunc(found, func(f check.Finding) bool { return f.Name == name && c.about(&f) }) {
			right = name
		}
	}
	if right == "" {
		kinds[names[0]].filesWithFindings++
		return "expected of " + strings.Join(c.Variables, ", ") + ": " + strings.Join(names, " or ")
	}
	kinds[right].filesWithFindings++
	kinds[right].found++
	return ""
}

// about reports whether a finding is about the planted problem.
func (c *sharedCase) about(f *check.Finding) bool {
	return slices.ContainsFunc(c.Variables, func(name string) bool { return name == "" || slices.Contains(f.Variables, name) })
}

// harmless returns the wrong findings in a harmless twin.
func (c *sharedCase) harmless(id string, found []check.Finding, kinds map[string]*kindOfCases) string {
	for i := range found {
		f := &found[i]
		wrong := c.about(f)
		switch id {
		case "c01":
			wrong = f.Critical
		case "c17":
			wrong = f.Critical || wrong
		}
		if wrong {
			kinds[f.Name].wrongly++
			return "nothing is planted, and found is " + f.String()
		}
	}
	return ""
}

// Names of persons are found, and suggested for removal, under all headers in 25 languages.
func TestSharedHeaders(t *testing.T) {
	for _, name := range []string{"hdr1.csv", "hdr2.csv"} {
		path := filepath.Join("..", "..", "shared", "cases", "planted", name)
		if _, err := os.Stat(path); err != nil {
			t.Skip("there is no folder shared beside the project")
		}
		opening, err := (&RunOptions{}).read(context.Background(), path)
		must(t, err)
		data := opening.Data
		found, err := CheckFile(context.Background(), CheckOptions{File: path})
		must(t, err)
		suggested := map[string]microdata.Role{}
		for _, suggestion := range microdata.Suggest(data) {
			suggested[suggestion.Variable] = suggestion.Role
		}
		for _, column := range data.Columns() {
			if suggested[column.Name()] != microdata.RoleRemoved || !slices.ContainsFunc(found, func(f check.Finding) bool {
				return f.Name == "direct-identifiers" && f.Critical && slices.Contains(f.Variables, column.Name())
			}) {
				t.Errorf("%s: %s is suggested as %q, or not found", name, column.Name(), suggested[column.Name()])
			}
		}
		if len(data.Columns()) != 77 {
			t.Errorf("%s has %d variables", name, len(data.Columns()))
		}
	}
}
