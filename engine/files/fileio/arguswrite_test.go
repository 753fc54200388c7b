package fileio

import (
	"bytes"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/spss"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Files of other programs are written for mu-Argus, and read back with the description written with them.
func TestFilesOfOthersForArgus(t *testing.T) {
	for file, letters := range map[string]bool{"sav_haven_byte.sav": false, "dta118_haven.dta": true,
		"sas7bdat_haven.sas7bdat": true} {
		t.Run(file, func(t *testing.T) {
			ctx := context.Background()
			path := filepath.Join("..", "..", "..", "testdata", "formats", file)
			format, err := GuessFile(ctx, path, nil)
			if err != nil {
				t.Fatal(err)
			}
			format.Columns = []string{"hid", "region", "sex", "age", "roof", "expend", "weight"}
			data, report, err := Read(ctx, path, format, nil)
			if err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(t.TempDir(), "survey.asc")
			said, err := Lacks(ctx, out, data, report.Format, WriteOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if reported := strings.Join(said, "; "); !strings.Contains(reported, "variable labels are omitted") ||
				!strings.Contains(reported, "cells with other codes get the first of them: ") {
				t.Errorf("told: %q", reported)
			}
			wrote, err := Write(ctx, out, data, report.Format, WriteOptions{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(wrote.CompanionPaths) == 0 || filepath.Base(wrote.CompanionPaths[0]) != "survey.rda" {
				t.Errorf("beside it %q", wrote.CompanionPaths)
			}
			described, err := GuessFile(ctx, out, nil)
			if err != nil {
				t.Fatal(err)
			}
			back, again, err := Read(ctx, out, described, nil)
			if err != nil || len(again.Warnings) > 0 {
				t.Fatalf("%v; %q", err, again.Warnings)
			}
			for _, column := range data.Columns() {
				got, _ := back.Column(column.Name())
				for record := range data.Len() {
					if got.Missing(record) != column.Missing(record) || got.Text(record) != column.Text(record) {
						t.Fatalf("%s, record %d: %q, was %q", column.Name(), record+1, got.Text(record), column.Text(record))
					}
				}
				if labels := column.Described().Labels; !letters && !maps.Equal(got.Described().Labels, labels) {
					t.Errorf("%s: labels %q, were %q", column.Name(), got.Described().Labels, labels)
				}
				for _, code := range got.Described().Missing {
					if declared := column.Described().Missing; len(declared) > 0 && !slices.Contains(declared, code) {
						t.Errorf("%s: %q is missing, of %q", column.Name(), code, declared)
					}
				}
			}
		})
	}
}

// A fixed file that is given the name of a delimited text is written as one.
func TestFixedFieldsAsDelimitedText(t *testing.T) {
	fixedFields := Format{Type: Fixed}
	for name, want := range map[string]string{"out.csv": ",", "out.TSV": "\t", "out.txt": "", "out.dat": "", "out": ""} {
		if got := FormatFor(name, fixedFields); got.Delimiter != want || (got.Type == Fixed) != (want == "") {
			t.Errorf("%s: type %q, delimiter %q", name, got.Type, got.Delimiter)
		}
	}
	if got := FormatFor("out.csv", Format{Type: Free, Delimiter: ";"}); got.Type != Free || got.Delimiter != ";" {
		t.Errorf("%+v", got)
	}
}

// Two codes stay declared missing; cells with a third code get the first, and those without a code stay blank.
// Fields are as wide as their cells, whatever the display width in the other program.
func TestMissingCodesForArgus(t *testing.T) {
	number := func(x float64) statfile.Value { return statfile.Value{Number: x} }
	f := &statfile.File{Rows: 5,
		Variables: []statfile.Variable{{Name: "x", Width: 8, Missing: []statfile.Value{number(97), number(98), number(99)},
			Column: statfile.Column{Numbers: []float64{1, 97, 98, 99, statfile.Missing()}}}}}
	path := filepath.Join(t.TempDir(), "survey.sav")
	var content bytes.Buffer
	if err := (spss.System{}).Write(context.Background(), &content, f, nil, nil); err != nil {
		t.Fatal(err)
	}
	data, report, err := ReadBytes(context.Background(), path, content.Bytes(), Format{Type: "sav"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkForArgus(t, data, report.Format, "x 1 2 \"97\" \"98\"\r\n", " 1\r\n97\r\n98\r\n97\r\n  \r\n")

	data, report = readString(t, "x\n1\nNA\n\n2\n", func(f *Format) { f.Missing = []string{"", "NA"} })
	if said, err := Lacks(context.Background(), "survey.asc", data, report.Format, WriteOptions{}); len(said) > 0 ||
		err != nil {
		t.Errorf("told %q, %v", said, err)
	}
	checkForArgus(t, data, report.Format, "x 1 1 \"9\"\r\n", "1\r\n9\r\n9\r\n2\r\n")
}

// Delimited text with the extension of mu-Argus is written as delimited text.
func TestDelimitedTextOfThatEndingStaysText(t *testing.T) {
	data, report, err := ReadBytes(context.Background(), "survey.ASC", []byte("x;y\n1;2\n"), Format{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := WriteAs(context.Background(), "survey-protected.asc", &out, data, report.Format, WriteOptions{},
		nil); err != nil || out.String() != "x;y\n1;2\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func checkForArgus(t *testing.T, data *microdata.Dataset, f Format, description, content string) {
	t.Helper()
	var out bytes.Buffer
	if _, err := WriteAs(context.Background(), "survey.asc", &out, data, f, WriteOptions{}, nil); err != nil ||
		out.String() != content {
		t.Errorf("written %q, %v", out.String(), err)
	}
	companionPaths, err := Companions("survey.asc", data, f, WriteOptions{})
	if err != nil || len(companionPaths) != 1 || !strings.HasPrefix(companionPaths[0].Text, description) {
		t.Errorf("%q, %v", companionPaths, err)
	}
}

// A missing code that a description cannot contain is not declared, with a warning; one with an inner quote is
// declared.
func TestMissingCodesWithQuotesForArgus(t *testing.T) {
	path := filepath.Join(t.TempDir(), "survey.asc")
	column := labelled(t, "A", "a", "b").Columns()[0]
	for code, declared := range map[string][]string{`"`: {"9"}, `a "b`: {"9"}, `x"y`: {`x"y`, "9"}, "x y": {"x y", "9"},
		"x\ny": {"9"}} {
		data := labelled(t, "A", "a", "b").With(column.WithDescription(&microdata.Description{Missing: []string{code, "9"}}))
		data = data.WithSpellings(map[string]*microdata.Spelling{"A": {Missing: []microdata.MissingSpelling{{Text: code}}}})
		said, err := Lacks(context.Background(), path, data, NewFormat(), WriteOptions{})
		if reported := len(said) > 0; err != nil || reported == (declared[0] == code) {
			t.Errorf("%q: told %q, %v", code, said, err)
		}
		if _, err := Write(context.Background(), path, data, NewFormat(), WriteOptions{Force: true}, nil); err != nil {
			t.Errorf("%q: %v", code, err)
			continue
		}
		format, err := GuessFile(context.Background(), path, nil)
		if err != nil {
			t.Errorf("%q: %v", code, err)
			continue
		}
		if field, _ := format.field("A"); !slices.Equal(field.Missing, declared) {
			t.Errorf("%q: declared missing are %q, want %q", code, field.Missing, declared)
		}
	}
}
