package report

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Numbers stand below each other's last digit, words begin below each other.
func TestPlainTable(t *testing.T) {
	page := &Page{Title: "T", Sections: []Section{{Heading: "H", Lines: []string{"a line"},
		Table: [][]string{{"variable", "records", "what"}, {"a", "1,200", "x 1"}, {"long name", "7", "5 y"},
			{"b", "–", ""}}}}}
	var text strings.Builder
	if err := Plain().Write(&text, page); err != nil {
		t.Fatal(err)
	}
	want := "T\n=\n\nH\n-\na line\nvariable   records  what\na            1,200  x 1\nlong name        7  5 y\nb                –\n"
	if text.String() != want {
		t.Errorf("%q, want\n%q", text.String(), want)
	}
}

func TestColumnsOfNumbers(t *testing.T) {
	for _, c := range []struct {
		cells []string
		want  bool
	}{{[]string{"1", "2.5 %", "–"}, true}, {[]string{"1", "two"}, false}, {[]string{"1", ""}, true},
		{[]string{"", ""}, false}, {[]string{"-3", ".05", "1e-05"}, true}, {[]string{"12 (2.5 %)"}, true}, {[]string{"94 levels"}, false}, {[]string{"3", "-x"}, false}, {nil, false}} {
		table := [][]string{{"head"}}
		for _, cell := range c.cells {
			table = append(table, []string{cell})
		}
		if got := Numbers(table); !slices.Equal(got, []bool{c.want}) {
			t.Errorf("%q: %v", c.cells, got)
		}
	}
}

// A listed table is a list in Markdown, and a table in other forms.
func TestListedTable(t *testing.T) {
	page := &Page{Title: "T", Sections: []Section{{Heading: "H", Lines: []string{"a line"}, Listed: true,
		Table: [][]string{{"name", "values", "meaning"}, {"a_b", "0 to 1", "share"}}}}}
	var listed, plain strings.Builder
	if err := errors.Join(Markdown().Write(&listed, page), Plain().Write(&plain, page)); err != nil {
		t.Fatal(err)
	}
	if want := "# T\n\n## H\n\n- a line\n- **a\\_b** (0 to 1): share\n"; listed.String() != want {
		t.Errorf("%q, want\n%q", listed.String(), want)
	}
	if !strings.Contains(plain.String(), "name  values  meaning\n") {
		t.Errorf("%q", plain.String())
	}
}
