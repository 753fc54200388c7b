package bundle_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/session/bundle"
)

// A bundle has the protected tables in its part for users; verifying makes them again, and a changed one is found.
func TestBundleHasTables(t *testing.T) {
	path, o := original(t, 300), options(t)
	lines := strings.SplitAfterN(steps, "\n", 3)
	script := lines[0] + strings.Replace(lines[1], `{"scenario":{`, `{"scenario":{"tables":[{"name":"incomes","by":[{"variable":"region"},`+
		`{"variable":"sex"}],"response":"income","rules":["frequency:10"]},{"name":"people","by":[{"variable":"region"}],"protect":"cell-key"}],`, 1) + lines[2]
	d := document(t, path, script)
	o.Accept = everything(t, d)
	_, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil)
	must(t, err)
	const name = "users/persons-protected-incomes.csv"
	table := filesIn(t, o.Folder)[name]
	if !strings.HasPrefix(table, "region,sex,income,status\n") || !strings.Contains(table, ",,suppressed\n") {
		t.Errorf("%q", table)
	}
	files := filesIn(t, o.Folder)
	if people := files["users/persons-protected-people.csv"]; strings.Count(people, ",perturbed\n") != strings.Count(people, "\n")-1 {
		t.Errorf("%q", people)
	}
	for file, text := range files {
		if strings.Contains(text, `"seed"`) && strings.HasPrefix(file, "users/") {
			t.Errorf("%s has a seed", file)
		}
	}
	v := verified(t, o.Folder, path)
	if !v.Holds() || !slices.ContainsFunc(v.Results, func(r bundle.Result) bool { return r.What == "the protected tables are reproduced" }) {
		t.Errorf("%q", problems(v))
	}
	write(t, filepath.Join(o.Folder, filepath.FromSlash(name)), strings.Replace(table, ",suppressed", ",published", 1))
	if v := verified(t, o.Folder, path); v.Holds() {
		t.Error("a changed table is not found")
	}
}
