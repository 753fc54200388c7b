package fileio

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

func previewBytes(content []byte, f Format, records int) (*Table, error) {
	in := inMemory("test.csv", content)
	return formats().preview(context.Background(), &in, f, records)
}

func TestPreview(t *testing.T) {
	for _, test := range []struct {
		name, content string
		format        Format
		records       int
		want          Table
	}{
		{"plain", "id,x,t\n1,1.5,a\n2,,b\n3,2,\n", Format{Header: true}, 2,
			Table{Names: []string{"id", "x", "t"}, Kinds: []microdata.Kind{microdata.Whole, microdata.Number,
				microdata.Category},
				Rows: [][]string{{"1", "1.5", "a"}, {"2", "", "b"}}}},
		{"all", "id,x\n1,2\n", Format{Header: true}, 5,
			Table{Names: []string{"id", "x"}, Kinds: []microdata.Kind{microdata.Whole, microdata.Whole},
				Rows: [][]string{{"1", "2"}}}},
		{"no header", "1,x\n", Format{}, 5,
			Table{Names: []string{"V1", "V2"}, Kinds: []microdata.Kind{microdata.Whole, microdata.Category},
				Rows: [][]string{{"1", "x"}}}},
		{"ragged", "a,b\n\n1,2\n3\n4,5,6\n", Format{Header: true}, 5,
			Table{Names: []string{"a", "b"}, Kinds: []microdata.Kind{microdata.Whole, microdata.Whole},
				Rows:     [][]string{{"1", "2"}, {"3"}, {"4", "5", "6"}},
				Warnings: []string{"line 4: 1 field, expected 2"}}},
		{"wrong delimiter", "a;b\n1;2\n", Format{Header: true, Delimiter: ","}, 5,
			Table{Names: []string{"a;b"}, Kinds: []microdata.Kind{microdata.Category}, Rows: [][]string{{"1;2"}}}},
		{"open quote", "a,b\n1,2\n3,\"x\n", Format{Header: true}, 5,
			Table{Names: []string{"a", "b"}, Kinds: []microdata.Kind{microdata.Whole, microdata.Whole},
				Rows:     [][]string{{"1", "2"}},
				Warnings: []string{"line 3: a quote is not closed, or text follows it"}}},
		{"wrong encoding", "a,b\n1,Z\xfcrich\n", Format{Header: true, Encoding: UTF8}, 5,
			Table{Names: []string{"a", "b"}, Kinds: []microdata.Kind{microdata.Whole, microdata.Category},
				Rows:     [][]string{{"1", "Z\uFFFDrich"}},
				Warnings: []string{"line 2: byte 0xFC is not UTF-8; choose another encoding, such as windows-1252"}}},
		{"missing codes", "a,b\n1,2\nNA,3\n", Format{Header: true, Missing: []string{"NA"}}, 5,
			Table{Names: []string{"a", "b"}, Kinds: []microdata.Kind{microdata.Whole, microdata.Whole},
				Rows: [][]string{{"1", "2"}, {"NA", "3"}}}},
		{"names", "a,,a\n1,2,3\n", Format{Header: true}, 5,
			Table{Names: []string{"a", "V2", "a_2"}, Kinds: []microdata.Kind{microdata.Whole, microdata.Whole, microdata.Whole},
				Rows: [][]string{{"1", "2", "3"}},
				Warnings: []string{`column 2 has no name; it is named "V2"`,
					`column 3: the name "a" occurs twice; this column is named "a_2"`}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "test.csv")
			if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := Preview(t.Context(), path, test.format, test.records)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(*got, test.want) {
				t.Errorf("got\n%+v\nwant\n%+v", *got, test.want)
			}
		})
	}
}

// TestPreviewCut: a line cut off at the end of the head causes no warning, and more is read if records are long.
func TestPreviewCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.csv")
	for name, content := range map[string]string{
		"short records": "a,b\n" + strings.Repeat("12345,\"x\ny\"\n", 100000),
		"long records":  "a,b\n" + strings.Repeat("1,\""+strings.Repeat("long\n", 50000)+"\"\n", 20),
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := Preview(t.Context(), path, Format{Header: true}, 10)
		if err != nil {
			t.Fatal(err)
		}
		if len(table.Rows) != 10 || len(table.Warnings) > 0 || table.Kinds[0] != microdata.Whole {
			t.Errorf("%s: %d rows, kinds %v, warnings %v", name, len(table.Rows), table.Kinds, table.Warnings)
		}
	}
}

func TestPreviewErrors(t *testing.T) {
	for content, sentinel := range map[string]error{"": ErrEmpty, "\n\n": ErrEmpty, "PK\x03\x04": ErrNotText} {
		if _, err := previewBytes([]byte(content), NewFormat(), 5); !errors.Is(err, sentinel) {
			t.Errorf("%q: %v, want %v", content, err, sentinel)
		}
	}
	if _, err := previewBytes([]byte("a\n"), Format{Delimiter: "x"}, 5); !errors.Is(err, ErrFormat) {
		t.Errorf("a format that cannot be: %v", err)
	}
}

// A preview of selected variables knows all variables with their metadata; records may have too few fields.
func TestPreviewOfSomeVariables(t *testing.T) {
	f := NewFormat()
	f.Columns = []string{"c"}
	table, err := previewBytes([]byte("a,b,c\n1,2,3\n4\n"), f, 10)
	if err != nil || !reflect.DeepEqual(table.Names, []string{"c"}) ||
		!reflect.DeepEqual(table.Rows, [][]string{{"3"}, {""}}) ||
		!reflect.DeepEqual(table.All.Names, []string{"a", "b", "c"}) {
		t.Errorf("%+v, %v", table, err)
	}
	g, err := GuessFile(context.Background(), formatFile("sav_pspp_byte.sav"), nil)
	if err != nil {
		t.Fatal(err)
	}
	g.Columns = []string{"sex"}
	table, err = Preview(t.Context(), formatFile("sav_pspp_byte.sav"), g, 10)
	if err != nil || len(table.Names) != 1 || table.Described(0).Label != "Sex" || table.Described(0).Labels["1"] == "" ||
		len(table.All.Names) != 25 || table.All.Described(2).Label != "Region of residence" {
		t.Errorf("%+v, %v", table, err)
	}
	g.Columns = []string{"sexes"}
	if _, err = Preview(t.Context(), formatFile("sav_pspp_byte.sav"), g, 10); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
}
