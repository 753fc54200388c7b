package tauargus_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
	"github.com/sdcdesk/sdcdesk/engine/tables/tauargus"
)

// small returns a table of two variables, one with a hierarchy.
func small(t *testing.T) *tabular.Table {
	t.Helper()
	region, err := tabular.NewTree("region", [][]string{{"Wien", "East"}, {"Linz", "West"}, {"Graz", "West"}})
	if err != nil {
		t.Fatal(err)
	}
	sex, err := tabular.NewTree("sex", [][]string{{"f"}, {"m"}})
	if err != nil {
		t.Fatal(err)
	}
	table, err := tabular.New(region, sex)
	if err != nil {
		t.Fatal(err)
	}
	err = table.Sum(func(yield func(*tabular.Contribution) bool) {
		for at := range table.Cells {
			c := tabular.Contribution{Nodes: []int{table.Node(at, 0), table.Node(at, 1)}, N: 1, Weight: 1, Value: 1.25 * float64(at)}
			if c.Shadow = c.Value; table.Inner(at) && !yield(&c) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestTable writes a table without the figures of suppressed cells, and without contributors.
func TestTable(t *testing.T) {
	table := small(t)
	hidden := func(cell int) bool { return table.Cells[cell].N == 1 }
	f := &tauargus.File{Table: table, Name: "turnover", State: func(cell int) tauargus.State {
		if hidden(cell) {
			return tauargus.Unsafe
		}
		return tauargus.Safe
	}, Published: func(cell int) (float64, bool) { return table.Cells[cell].Value, !hidden(cell) }, Contributors: true}
	var tab, rda, hrc strings.Builder
	if err := f.WriteTable(&tab); err != nil {
		t.Fatal(err)
	}
	if text := tab.String(); !strings.Contains(text, "Wien,f,,,u\n") || !strings.Contains(text, "Total,f,45,3,s\n") ||
		strings.Contains(text, "8.75,1") || strings.Count(text, "\n") != 18 {
		t.Error(text)
	}
	name := func(variable string) string { return variable + ".hrc" }
	if err := f.WriteDescription(&rda, name); err != nil {
		t.Fatal(err)
	}
	want := `   <SEPARATOR> ","
   <SAFE> "s"
   <UNSAFE> "u"
   <PROTECT> "p"
region
  <RECODEABLE>
  <TOTCODE> "Total"
  <HIERARCHICAL>
  <HIERCODELIST> "region.hrc"
  <HIERLEADSTRING> "@"
sex
  <RECODEABLE>
  <TOTCODE> "Total"
turnover
  <NUMERIC>
  <DECIMALS> 2
frequency
  <FREQUENCY>
status
  <STATUS>
`
	if rda.String() != want {
		t.Error(rda.String())
	}
	if err := tauargus.WriteHierarchy(&hrc, table.Trees[0]); err != nil || hrc.String() != "East\n@Wien\nWest\n@Linz\n@Graz\n" {
		t.Error(hrc.String(), err)
	}
	tree, err := tabular.ReadLevels("region", hrc.String(), tauargus.Mark)
	if err != nil || !reflect.DeepEqual(tree.Nodes, table.Trees[0].Nodes) {
		t.Error(tree, err)
	}
	f.Contributors = false
	tab.Reset()
	if err := f.WriteTable(&tab); err != nil || !strings.Contains(tab.String(), "Total,f,45,s\n") {
		t.Error(err, tab.String())
	}
}

// TestPriors writes the states of cells, and reads them.
func TestPriors(t *testing.T) {
	cells := []microdata.CellState{{Codes: []string{"Total", "Total"}, State: microdata.StateForced},
		{Codes: []string{"Wien", "f"}, State: microdata.StateUnsafe}, {Codes: []string{"Wien", "m"}, State: microdata.StateSafe}}
	var hst strings.Builder
	frozen := slices.Clone(cells)
	frozen[0].State = microdata.StateFrozen
	if err := tauargus.WritePriors(&hst, small(t), frozen); err != nil {
		t.Fatal(err)
	}
	if hst.String() != "Total,Total,p\nWien,f,u\nWien,m,s\n" {
		t.Error(hst.String())
	}
	text := hst.String() + "Wien,f,c,0.5\nWien,m,pl,12,0.5\n"
	for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n\r\n"),
		strings.ReplaceAll(text, ",", " ; "), strings.ReplaceAll(text, "Total", `"T"`)} {
		got, left, err := tauargus.ReadPriors(text, 2, "T")
		if err != nil || left != 2 || !reflect.DeepEqual(got, cells) {
			t.Errorf("%q: %v, %d, %v", text, got, left, err)
		}
	}
	for _, bad := range []string{"Wien", "Wien,f", "Wien,f,x", "Wien,f,u,3"} {
		if _, _, err := tauargus.ReadPriors("Wien,f,u\n"+bad, 2, "T"); !errors.Is(err, tauargus.ErrFile) ||
			!strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestCodes refuses codes that a file without quotes cannot hold.
func TestCodes(t *testing.T) {
	for _, code := range []string{"a,b", `a"b`, "a\nb", "@a", " a"} {
		tree, err := tabular.NewTree("v", [][]string{{code}, {"x"}})
		if err != nil {
			t.Fatal(err)
		}
		table, err := tabular.New(tree)
		if err != nil {
			t.Fatal(err)
		}
		f := &tauargus.File{Table: table, State: func(int) tauargus.State { return tauargus.Safe }, Published: func(int) (float64, bool) { return 0, true }}
		if err := f.WriteTable(&strings.Builder{}); !errors.Is(err, tauargus.ErrFile) {
			t.Errorf("%q: %v", code, err)
		}
	}
}
