package recode_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

var districts = hierarchy.Table{
	{"11", "North", "all"},
	{"12", "North", "all"},
	{"21", "South", "all"},
	{"31", "", "all"},
}

func TestHierarchy(t *testing.T) {
	tests := map[string]struct {
		cells    []string
		method   recode.Hierarchy
		want     []string
		ordered  bool
		title    string
		outside  int
		warnings []string
	}{
		"table": {
			cells:  []string{"11", "12", "21", "", "31"},
			method: recode.Hierarchy{Levels: districts, Depth: 1},
			want:   []string{"North", "North", "South", "", ""}, ordered: true,
			title: "hierarchy x: depth 1 of 2", outside: 1,
			warnings: []string{"1 cell has no coarser level and becomes missing"},
		},
		"table of a file": {
			cells:  []string{"11", "12", "21"},
			method: recode.Hierarchy{Table: "11;North;all\n12;North;all\n21;South;all\n", Depth: 1},
			want:   []string{"North", "North", "South"}, ordered: true, title: "hierarchy x: depth 1 of 2",
		},
		"coarser": {
			cells:  []string{"11", "12", "21", "", "31"},
			method: recode.Hierarchy{Levels: districts, Depth: 2},
			want:   []string{"all", "all", "all", "", "all"}, ordered: true, title: "hierarchy x: depth 2 of 2",
		},
		"levels that are not nested": {
			cells: []string{"11", "12", "21"},
			method: recode.Hierarchy{Levels: hierarchy.Table{{"11", "North", "A"}, {"12", "North", "B"}, {"21", "South", "B"}},
				Depth: 2},
			want: []string{"A", "B", "B"}, ordered: true, title: "hierarchy x: depth 2 of 2",
			warnings: []string{"the levels of the table are not nested: row 2 puts \"North\" into \"B\", an earlier row into \"A\"; " +
				"codes that share a level must share every coarser level"},
		},
		"unlisted stay": {
			cells:  []string{"x", "11", "12", "21", "y"},
			method: recode.Hierarchy{Levels: districts, Depth: 1, Unlisted: recode.UnlistedKeep},
			want:   []string{"x", "North", "North", "South", "y"},
			title:  "hierarchy x: depth 1 of 2", warnings: []string{"2 codes have no coarser level and stay unchanged"},
		},
		"unlisted become missing": {
			cells:  []string{"x", "11", "12", "21", "y"},
			method: recode.Hierarchy{Levels: districts, Depth: 1, Unlisted: recode.UnlistedMissing},
			want:   []string{"", "North", "North", "South", ""},
			title:  "hierarchy x: depth 1 of 2", outside: 2,
			warnings: []string{"2 cells have no coarser level and become missing"},
		},
		"numbers by value": {
			cells:  []string{"11.0", "12.0", "21.0"},
			method: recode.Hierarchy{Levels: districts, Depth: 1},
			want:   []string{"North", "North", "South"}, ordered: true, title: "hierarchy x: depth 1 of 2",
		},
		"not made of neighbours": {
			cells:  []string{"1", "2", "3"},
			method: recode.Hierarchy{Levels: hierarchy.Table{{"1", "odd"}, {"2", "even"}, {"3", "odd"}}, Depth: 1},
			want:   []string{"odd", "even", "odd"}, title: "hierarchy x: depth 1 of 1",
		},
		"first characters": {
			cells:  []string{"ä12", "ä1", "ä", "b12"},
			method: recode.Hierarchy{Digits: 2},
			want:   []string{"ä1", "ä1", "ä", "b1"}, title: "hierarchy x: first 2 characters",
		},
		"first digits of numbers": {
			cells:  []string{"110", "119", "120", ""},
			method: recode.Hierarchy{Digits: 2},
			want:   []string{"11", "11", "12", ""}, ordered: true, title: "hierarchy x: first 2 characters",
		},
		"cut from the right": {
			cells:  []string{"a110", "a119", "a120"},
			method: recode.Hierarchy{Cut: 1},
			want:   []string{"a11", "a11", "a12"}, title: "hierarchy x: 1 character cut",
		},
		"nothing left": {
			cells:  []string{"a1", "b1", "c"},
			method: recode.Hierarchy{Cut: 1, Unlisted: recode.UnlistedKeep},
			want:   []string{"a", "b", "c"}, title: "hierarchy x: 1 character cut",
			warnings: []string{"1 code has no coarser level and stays unchanged"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.method.Variable = "x"
			out := apply(t, &test.method, dataset(t, test.cells...))
			if diff := cmp.Diff(test.want, texts(out.Data, "x")); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
			column, _ := out.Data.Column("x")
			if column.Categories().Ordered != test.ordered {
				t.Errorf("ordered %v, want %v", column.Categories().Ordered, test.ordered)
			}
			if out.Report.Title != test.title || out.Report.Outside != test.outside {
				t.Errorf("title %q, %d outside, want %q, %d", out.Report.Title, out.Report.Outside, test.title, test.outside)
			}
			if diff := cmp.Diff(test.warnings, out.Report.Warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

// Another depth starts from the source values; suppressed cells stay missing.
func TestHierarchyStartsFromTheSource(t *testing.T) {
	data := dataset(t, "111", "112", "121", "211")
	for _, step := range []struct {
		digits int
		want   []string
	}{{1, []string{"1", "1", "1", "2"}}, {2, []string{"11", "11", "12", "21"}}} {
		data = apply(t, &recode.Hierarchy{Variable: "x", Digits: step.digits}, data).Data
		if diff := cmp.Diff(step.want, texts(data, "x")); diff != "" {
			t.Errorf("%d digits (-want +got):\n%s", step.digits, diff)
		}
	}
	x, _ := data.Column("x")
	blank := microdata.NewBits(4)
	blank.Set(1)
	data = apply(t, &recode.Hierarchy{Variable: "x", Cut: 2}, data.With(x.Suppress(blank))).Data
	if diff := cmp.Diff([]string{"1", "", "1", "2"}, texts(data, "x")); diff != "" {
		t.Errorf("after a suppression (-want +got):\n%s", diff)
	}
}

func TestHierarchyErrors(t *testing.T) {
	table := func(rows ...[]string) recode.Hierarchy { return recode.Hierarchy{Levels: rows, Depth: 1} }
	tests := map[string]struct {
		cells  []string
		method recode.Hierarchy
		want   error
		says   string
	}{
		"nothing": {[]string{"1"}, recode.Hierarchy{Depth: 1}, method.ErrParam, "exactly one"},
		"two":     {[]string{"1"}, recode.Hierarchy{Digits: 1, Cut: 1}, method.ErrParam, "exactly one"},
		"three": {[]string{"1"}, recode.Hierarchy{Levels: districts, Table: "1;a", Depth: 1}, method.ErrParam,
			"exactly one"},
		"no table": {[]string{"1"}, recode.Hierarchy{Table: "1;a\n2\n", Depth: 1}, hierarchy.ErrTable, "line 2"},
		"unlisted": {[]string{"1", "7", "7", "8"}, table([]string{"1", "a"}), method.ErrInput,
			`2 codes of "x", with 3 records, have no coarser level`},
		"too deep":  {[]string{"1"}, recode.Hierarchy{Levels: districts, Depth: 3}, method.ErrParam, "levels 1 to 2"},
		"no depth":  {[]string{"1"}, recode.Hierarchy{Levels: districts}, method.ErrParam, `"depth" is 0`},
		"short row": {[]string{"1"}, table([]string{"1", "a"}, []string{"2"}), method.ErrParam, "row 2"},
		"long row": {[]string{"1"}, table([]string{"1", "a"}, []string{"2", "a", "b"}), method.ErrParam,
			"row 2 has 3 cells, the first row 2"},
		"empty row":  {[]string{"1"}, table(nil), method.ErrParam, "row 1"},
		"empty code": {[]string{"1"}, table([]string{"", "a"}), method.ErrParam, "row 1"},
		"twice": {[]string{"1"}, table([]string{"1", "a"}, []string{"1", "b"}), method.ErrParam,
			`rows 1 and 2 have different levels for code "1"`},
		"decimals": {[]string{"1.5"}, recode.Hierarchy{Digits: 1}, method.ErrInput, "decimals"},
		"all cut off": {[]string{"1", "12"}, recode.Hierarchy{Cut: 1}, method.ErrInput,
			`1 code of "x", with 1 record, has no coarser level`},
		"negative": {[]string{"1"}, recode.Hierarchy{Digits: -1}, method.ErrParam, "at least 0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.method.Variable = "x"
			_, err := method.Apply(t.Context(), &test.method, method.Input{Data: dataset(t, test.cells...)}, nil)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want one of %q that says %q", err, test.want, test.says)
			}
		})
	}
}

// A step that was given the text of a file stores the levels.
func TestHierarchyOfAFileIsWrittenAsLevels(t *testing.T) {
	for text, want := range map[string]string{
		`{"variable":"x","table":"11;North\n21;South\n"}`: `{"variable":"x","levels":[["11","North"],["21","South"]],"table":"","depth":1,"digits":0,"cut":0,"unlisted":"error"}`,
		`{"variable":"x","table":"11\n"}`:                 `{"variable":"x","levels":null,"table":"11\n","depth":1,"digits":0,"cut":0,"unlisted":"error"}`,
	} {
		m, err := saved("recode-hierarchy", text).Method()
		if err != nil {
			t.Fatal(err)
		}
		got, err := method.Encode(m)
		if err != nil || string(got) != want {
			t.Errorf("%v, %s, want %s", err, got, want)
		}
	}
}
