package report

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Numbers are aligned on the right, words on the left.
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

// In Markdown, an entry of a reference is a paragraph and a list. In other forms, it is lines and a table.
func TestEntryOfAReference(t *testing.T) {
	page := &Page{Title: "T", Sections: []Section{{Heading: "H", Lines: []string{"a line", "- another"}, Entry: true,
		Table: [][]string{{"name", "values", "meaning"}, {"a_b", "0 to 1", "share"}}}}}
	var entry, plain strings.Builder
	if err := errors.Join(Markdown().Write(&entry, page), Plain().Write(&plain, page)); err != nil {
		t.Fatal(err)
	}
	if want := "# T\n\n## H\n\na line\n- another\n\n- **a\\_b** (0 to 1): share\n"; entry.String() != want {
		t.Errorf("%q, want\n%q", entry.String(), want)
	}
	if !strings.Contains(plain.String(), "name  values  meaning\n") {
		t.Errorf("%q", plain.String())
	}
}
