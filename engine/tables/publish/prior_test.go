package publish_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/engine/tables/secondary"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
	"github.com/sdcdesk/sdcdesk/engine/tables/tauargus"
)

// csvOf writes the published table as a file has it.
func csvOf(t *testing.T, table *publish.Table) string {
	t.Helper()
	file, err := table.File()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for row := -1; row < file.Len(); row++ {
		var cells []string
		for _, column := range file.Columns() {
			if row < 0 {
				cells = append(cells, column.Name())
			} else {
				cells = append(cells, column.Text(row))
			}
		}
		lines = append(lines, strings.Join(cells, ","))
	}
	return strings.Join(lines, "\n") + "\n"
}

// suppressedOf returns the codes of the suppressed cells.
func suppressedOf(table *publish.Table) (codes []string) {
	for cell := range table.Cells {
		if table.Suppressed(cell) {
			codes = append(codes, strings.Join(table.Codes(cell), " "))
		}
	}
	return codes
}

// TestPrior suppresses again what an earlier table suppressed, although other cells cost less, and in a revision nothing
// that was published.
func TestPrior(t *testing.T) {
	data := golden.Data(t, "magnitude1")
	const by = `{"by":[{"variable":"sector4"},{"variable":"geo"}],"response":"value","protect":"gauss",`
	rules := by + `"rules":["dominance:1,80"]}`
	earlier := evaluate(t, data, by+`"cost":"frequency","rules":["dominance:1,80"]}`)
	plain, want := suppressedOf(evaluate(t, data, rules)), suppressedOf(earlier)
	if slices.Equal(plain, want) {
		t.Fatal("both costs give the same pattern, so the test shows nothing")
	}
	last := csvOf(t, earlier)
	for _, revision := range []bool{false, true} {
		d, _, err := publish.WithPrior(definition(t, rules), last, revision)
		if err != nil {
			t.Fatal(err)
		}
		table, err := publish.Evaluate(t.Context(), data, &d, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := suppressedOf(table); !slices.Equal(got, want) || len(table.Safety().Open)+len(table.Unplaced) > 0 {
			t.Errorf("revision %v: %q, want %q", revision, got, want)
		}
	}
	// What was published reveals a cell that is sensitive under a stricter rule: it is too late to hide it.
	d, _, err := publish.WithPrior(definition(t, strings.Replace(rules, "1,80", "1,60", 1)), last, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := publish.Evaluate(t.Context(), data, &d, nil); !errors.Is(err, secondary.ErrForced) {
		t.Error(err)
	}
}

// TestPriorStates keeps the states that were set by hand, reads a priori files, and names what is wrong.
func TestPriorStates(t *testing.T) {
	const last = "a,count,status\nTotal,9,published\np,,suppressed\nq,5,published\n"
	d := definition(t, `{"by":[{"variable":"a"}],"states":[{"codes":["q"],"state":"unsafe"}]}`)
	with, _, err := publish.WithPrior(d, last, true)
	want := []microdata.CellState{{Codes: []string{"q"}, State: "unsafe"}, {Codes: []string{"Total"}, State: "frozen"},
		{Codes: []string{"p"}, State: "preferred"}}
	equal := func(a, b microdata.CellState) bool { return a.State == b.State && slices.Equal(a.Codes, b.Codes) }
	if err != nil || !slices.EqualFunc(with.States, want, equal) || len(d.States) != 1 {
		t.Errorf("%v, %v", with.States, err)
	}
	if with, left, err := publish.WithPrior(d, "p,s\np,c,5\n", false); err != nil || left != 1 || len(with.States) != 2 {
		t.Errorf("%v, %d, %v", with.States, left, err)
	}
	for text, is := range map[string]error{"p,s\n": tabular.ErrDefinition, "a,count,status\np\n": tabular.ErrDefinition} {
		if _, _, err := publish.WithPrior(d, text, true); !errors.Is(err, is) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, _, err := publish.WithPrior(d, "b,count,status\n", false); !errors.Is(err, tauargus.ErrFile) {
		t.Error(err)
	}
}
