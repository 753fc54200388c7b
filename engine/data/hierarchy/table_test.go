package hierarchy_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/sdcdesk/sdcdesk/house/longtests"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
)

func TestRead(t *testing.T) {
	tests := map[string]struct {
		text string
		want hierarchy.Table
	}{
		"semicolons, as ARX writes": {"81667;8166*;816**;*****\n81675;8167*;816**;*****\n",
			hierarchy.Table{{"81667", "8166*", "816**", "*****"}, {"81675", "8167*", "816**", "*****"}}},
		"commas": {"01,North\r\n02,South\r\n", hierarchy.Table{{"01", "North"}, {"02", "South"}}},
		"tabs":   {"01\tNorth\n02\tSouth", hierarchy.Table{{"01", "North"}, {"02", "South"}}},
		"blank lines and blanks": {"\n\n01 ; North \n\n02; South\n\n",
			hierarchy.Table{{"01", "North"}, {"02", "South"}}},
		"quotes": {"1;\"North; or \"\"up\"\"\"\n\" 2\";\"two\nlines\"\n",
			hierarchy.Table{{"1", `North; or "up"`}, {" 2", "two\nlines"}}},
		"commas within semicolons":   {"1;a, b;x\n2;d;x\n", hierarchy.Table{{"1", "a, b", "x"}, {"2", "d", "x"}}},
		"byte order mark, empty end": {"\xef\xbb\xbfa;b;\nc;d;\n", hierarchy.Table{{"a", "b", ""}, {"c", "d", ""}}},
		"a quote inside":             {"1;5\" pipe\n", hierarchy.Table{{"1", `5" pipe`}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := hierarchy.Read([]byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("table (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	for text, says := range map[string]string{
		"":                "empty",
		"\n \n":           "empty",
		"01;North\n02\n":  "line 2: the code has no coarser level",
		"a;b\nc;d;e\n":    "line 2: 3 cells, but the first has 2",
		"a;\"b\n":         "line 1: a quote is not closed",
		"a;\"b\" c;d\n":   "line 1: a quote is not closed, or text follows",
		"a;\xff\n":        "UTF-8",
		"justcode\nmore;": "line 1: the code has no coarser level",
	} {
		_, err := hierarchy.Read([]byte(text))
		if !errors.Is(err, hierarchy.ErrTable) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: error %v, want %q", text, err, says)
		}
	}
}

// A table survives the round trip through its one-line text and JSON.
func TestTableComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(2, 4).Draw(t, "width")
		cell := rapid.OneOf(rapid.SampledFrom([]string{"", " ", "a", "1", ",", ";", `"`, "a,b", " x "}), rapid.String())
		table := hierarchy.Table(rapid.SliceOfN(rapid.SliceOfN(cell, width, width), 1, 5).Draw(t, "table"))
		written := &table
		var typed hierarchy.Table
		if err := typed.Set(written.String()); err != nil {
			t.Fatalf("%q: %v", written.String(), err)
		}
		if diff := cmp.Diff(table, typed); diff != "" {
			t.Fatalf("%q typed (-want +got):\n%s", written.String(), diff)
		}
		text, err := json.Marshal(table)
		if err != nil {
			t.Fatal(err)
		}
		var read hierarchy.Table
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(table, read); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", text, diff)
		}
	})
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"1;a\n2;b\n", "\"x\"\"\",b", "a\tb\r\n", ";;;\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		table, err := hierarchy.Read(text)
		if err != nil {
			return
		}
		for i, row := range table {
			if len(row) != len(table[0]) || len(row) < 2 {
				t.Errorf("row %d has %d cells", i+1, len(row))
			}
		}
		var again hierarchy.Table
		if err := again.Set(table.String()); err != nil || !cmp.Equal(table, again) {
			t.Errorf("%q does not come back: %v", table, err)
		}
	})
}
