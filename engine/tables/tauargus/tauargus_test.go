package tauargus_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

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

// TestTable writes a table twice: with all figures, and without those of suppressed cells.
func TestTable(t *testing.T) {
	table := small(t)
	hidden := func(cell int) bool { return table.Cells[cell].N == 1 }
	f := &tauargus.File{Table: table, Name: "turnover", State: func(cell int) tauargus.State {
		if hidden(cell) {
			return tauargus.Unsafe
		}
		return tauargus.Safe
	}}
	var tab, rda, hrc strings.Builder
	if err := f.WriteTable(&tab); err != nil {
		t.Fatal(err)
	}
	if line := "Wien,f,8.75,1,8.75,0,0,0,u\n"; !strings.Contains(tab.String(), line) || strings.Count(tab.String(), "\n") != 18 {
		t.Errorf("%s\nlacks %s", tab.String(), line)
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
`
	if !strings.HasPrefix(rda.String(), want) || !strings.HasSuffix(rda.String(), "status\n  <STATUS>\n") ||
		strings.Count(rda.String(), "<MAXSCORE>") != tabular.Kept {
		t.Error(rda.String())
	}
	if err := tauargus.WriteHierarchy(&hrc, table.Trees[0]); err != nil || hrc.String() != "East\n@Wien\nWest\n@Linz\n@Graz\n" {
		t.Error(hrc.String(), err)
	}
	tree, err := tabular.ReadLevels("region", hrc.String(), tauargus.Mark)
	if err != nil || !reflect.DeepEqual(tree.Nodes, table.Trees[0].Nodes) {
		t.Error(tree, err)
	}
	f.Hidden = hidden
	tab.Reset()
	if err := f.WriteTable(&tab); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(tab.String(), "Wien,f,,,u\n") || !strings.Contains(tab.String(), "Total,f,45,3,s\n") || strings.Contains(tab.String(), "8.75,1") {
		t.Error(tab.String())
	}
}

// TestPriors writes what is known of cells, and reads it.
func TestPriors(t *testing.T) {
	table, cost, level := small(t), 0.5, 12.0
	priors := []tauargus.Prior{{Cell: 0, State: tauargus.Protect}, {Cell: 7, State: tauargus.Unsafe}, {Cell: 7, Cost: &cost},
		{Cell: 8, Lower: &level, Upper: &cost}}
	var hst strings.Builder
	if err := tauargus.WritePriors(&hst, table, priors); err != nil {
		t.Fatal(err)
	}
	if hst.String() != "Total,Total,p\nWien,f,u\nWien,f,c,0.5\nWien,m,pl,12,0.5\n" {
		t.Error(hst.String())
	}
	for _, text := range []string{hst.String(), strings.ReplaceAll(hst.String(), "\n", "\r\n\r\n"),
		strings.ReplaceAll(hst.String(), ",", " ; "), strings.ReplaceAll(hst.String(), "Total", `"T"`)} {
		got, err := tauargus.ReadPriors(table, text, "T")
		if err != nil || !reflect.DeepEqual(got, priors) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, bad := range []string{"Wien", "Wien,f", "Rom,f,u", "Wien,f,x", "Wien,f,c", "Wien,f,c,much", "Wien,f,u,3", "Wien,f,pl,1"} {
		if _, err := tauargus.ReadPriors(table, "Wien,f,u\n"+bad, "T"); !errors.Is(err, tauargus.ErrFile) ||
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
		f := &tauargus.File{Table: table, State: func(int) tauargus.State { return tauargus.Safe }}
		if err := f.WriteTable(&strings.Builder{}); !errors.Is(err, tauargus.ErrFile) {
			t.Errorf("%q: %v", code, err)
		}
	}
}
