package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/pages"
)

// mixedFile writes a file whose codes look like numbers.
func mixedFile(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("sex,branch,pay,wgt\n")
	for i := range 40 {
		text.WriteString([]string{"m", "f"}[i%2] + "," + []string{"10", "20", "99"}[i%3] + "," + []string{"1.5", "2.5"}[i%2] +
			"," + []string{"3", "4"}[i/20] + "\n")
	}
	path := filepath.Join(t.TempDir(), "mixed.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The type of a variable and its missing codes are changed on the Variables page by steps. Undo reverts them
// there, roles set meanwhile stay, and a script of them gives the same data.
func TestTypesAndMissingCodesAreOverriddenOnTheVariablesPage(t *testing.T) {
	file := mixedFile(t)
	d := start(t, Options{Path: file}, 120, 40).Press("enter", "k", "down", "y")
	d.Dialog().Contains("Type conversion", "branch")
	d.Press("enter")
	d.Screen().Contains("Variables · mixed.csv", "branch   category", "1 key", "[u] undo")
	d.Press("k", "m")
	d.Dialog().Contains("Missing-value codes", "branch")
	d.focus("levels").Type("99").Press("enter")
	d.Screen().Contains("branch   category              2   32.5 %", "2 key variables")
	if steps := d.steps(); len(steps) != 2 {
		t.Fatalf("steps %q", steps)
	}
	d.Press("u")
	d.Screen().Contains("branch   category              3    0.0 %", "2 key variables")
	d.Press("u")
	d.Screen().Contains("branch   integer               3    0.0 %", "2 key variables").Screen().Lacks("[u] undo")
	if _, ok := d.m.page.(*pages.Variables); !ok {
		t.Fatal("the page was left")
	}
	d.Press("y", "enter", "m").focus("levels").Type("99").Press("enter", "enter")
	if steps := d.steps(); len(steps) != 2 || d.m.page != nil {
		t.Fatalf("steps %q, page %T", steps, d.m.page)
	}
	folder := t.TempDir()
	script, out := filepath.Join(folder, "script.jsonl"), filepath.Join(folder, "out.csv")
	var text strings.Builder
	if err := d.m.bench.doc.Document().WriteScript(&text, true); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := session.Run(t.Context(), session.RunOptions{Script: script, File: file, Out: out,
		Methods: d.m.options.Methods}); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(out)
	if err != nil || strings.Contains(string(written), "99") || !strings.Contains(string(written), "m,10,1.5,3") {
		t.Errorf("%v:\n%s", err, written)
	}
}

// The description of the file is in the palette of the workbench too.
func TestFactsOfTheFileFromTheWorkbench(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press(":").Type("duplicates").Press("enter")
	d.Screen().Contains("Summary of", "Combinations with the most sample uniques")
	d.Press("f")
	d.Screen().Contains("Variables · ")
}
