package fileio

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// A statistical file written as text with a codebook, and read back with it, keeps its labels, missing cells and
// declared codes.
func TestCodebookRoundTrip(t *testing.T) {
	for _, name := range []string{"sav_pspp_byte.sav", "dta118_haven.dta"} {
		for _, ending := range []string{".csv", ".xml"} {
			t.Run(name+ending, func(t *testing.T) { codebookRoundTrip(t, name, ending) })
		}
	}
}

func codebookRoundTrip(t *testing.T, name, ending string) {
	ctx, folder := context.Background(), t.TempDir()
	in := filepath.Join("..", "..", "..", "testdata", "formats", name)
	f, err := GuessFile(ctx, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, report, err := Read(ctx, in, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, book := filepath.Join(folder, "a.csv"), filepath.Join(folder, "book"+ending)
	if _, err := Write(ctx, out, data, report.Format, WriteOptions{Codebook: book, Source: in}, nil); err != nil {
		t.Fatal(err)
	}
	if lacks, err := Lacks(ctx, out, data, report.Format, WriteOptions{Codebook: book}); err != nil ||
		slices.ContainsFunc(lacks, func(lack string) bool {
			return !strings.Contains(lack, "without their type: intdate") && !strings.HasSuffix(lack, "occur: expend") &&
				!strings.HasPrefix(lack, "display formats ")
		}) {
		t.Errorf("%v, %v", lacks, err)
	}
	again, err := GuessFile(ctx, out, nil)
	if err != nil {
		t.Fatal(err)
	}
	again.Codebook = book
	back, _, err := Read(ctx, out, again, nil)
	if err != nil {
		t.Fatal(err)
	}
	labels, missing := 0, 0
	for i, column := range data.Columns() {
		same := back.Columns()[i]
		was, is := column.Described(), same.Described()
		if was.Label != is.Label || len(was.Labels)+len(is.Labels) > 0 && !reflect.DeepEqual(was.Labels, is.Labels) {
			t.Errorf("%s: %q %v became %q %v", column.Name(), was.Label, was.Labels, is.Label, is.Labels)
		}
		if column.MissingCount() != same.MissingCount() {
			t.Errorf("%s: %d missing cells became %d", column.Name(), column.MissingCount(), same.MissingCount())
		}
		labels, missing = labels+len(is.Labels), missing+len(is.Missing)
	}
	if labels < 10 || missing < 1 {
		t.Errorf("%d labels and %d missing codes are too few for a test", labels, missing)
	}
	var first, second bytes.Buffer
	for _, from := range []struct {
		data *microdata.Dataset
		to   *bytes.Buffer
	}{{data, &first}, {back, &second}} {
		text, err := codebookText(book, out, from.data, again, WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		from.to.WriteString(text)
	}
	if first.String() != second.String() {
		t.Errorf("the codebook of what was read is another:\n%s\n%s", first.String(), second.String())
	}
}

// Apostrophes are in the codebook as in the data, so that codes match.
func TestCodebookGuardsFormulas(t *testing.T) {
	_, f := withCodebook(t, "variable,label,value,value_label,missing\n=a,+ label,=x,=f(),\n=a,,-9,refused,yes\n")
	data, report, err := ReadBytes(context.Background(), "a.csv", []byte("=a,b\n=x,1\ny,2\n-9,2\n"), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := codebookText("book.csv", "a.csv", data, report.Format, WriteOptions{GuardFormulas: true})
	const want = "variable,label,value,value_label,missing\n'=a,'+ label,,,\n'=a,,-9,refused,yes\n'=a,,'=x,'=f(),\nb,,,,\n"
	if err != nil || text != want {
		t.Errorf("%q, %v", text, err)
	}
}

func TestWhereNoCodebookIsWritten(t *testing.T) {
	ctx, folder := context.Background(), t.TempDir()
	_, f := withCodebook(t, "variable,label\nsex,Sex\n")
	data, report, err := ReadBytes(ctx, "a.csv", []byte(codebookData), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	plain, read, err := ReadBytes(ctx, "a.csv", []byte(codebookData), NewFormat(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []struct {
		data      *microdata.Dataset
		format    Format
		out, book string
		drop      []string
		want      string
	}{
		{data, report.Format, "a.dta", "book.csv", nil, "a codebook is written only for text files"},
		{data, report.Format, "a.csv", "a.csv", nil, "both the data file and the codebook"},
	} {
		options := WriteOptions{Codebook: filepath.Join(folder, wrong.book), Drop: wrong.drop, Force: true}
		_, err := Write(ctx, filepath.Join(folder, wrong.out), wrong.data, wrong.format, options, nil)
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), wrong.want) {
			t.Errorf("%s with %s: %v", wrong.out, wrong.book, err)
		}
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("%v was written", left)
	}
	for _, dropped := range [][]string{nil, {"sex"}} { // the codebook is left out if it would be empty, and the file is written
		from, format := plain, read.Format
		if dropped != nil {
			from, format = data, report.Format
		}
		options := WriteOptions{Codebook: filepath.Join(folder, "book.csv"), Drop: dropped, Force: true}
		written, err := Write(ctx, filepath.Join(folder, "a.csv"), from, format, options, nil)
		if err != nil || len(written.CompanionPaths) > 0 ||
			written.Warning != "no variable has labels or missing-value codes: no codebook is written" {
			t.Errorf("%+v, %v", written, err)
		}
	}
}

// DDI-Codebook 2.5 requires elements and attributes in an order.
func TestCodebookIsDDI(t *testing.T) {
	text, err := bookAsDDI("a < b", []bookEntry{{"sex", "Sex", []bookValueOf{{"1", "male", false}, {"9", "", true}}},
		{"age", "", nil}})
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok {
			if start.Name.Space != "ddi:codebook:2_5" {
				t.Errorf("%s is of %q", start.Name.Local, start.Name.Space)
			}
			for _, attribute := range start.Attr {
				if attribute.Name.Local != "xmlns" {
					start.Name.Local += " " + attribute.Name.Local + "=" + attribute.Value
				}
			}
			seen = append(seen, start.Name.Local)
		}
	}
	want := []string{"codeBook version=2.5", "stdyDscr", "citation", "titlStmt", "titl", "dataDscr", "var ID=V1 name=sex",
		"labl", "invalrng", "item VALUE=9",
		"catgry", "catValu", "labl", "catgry missing=Y", "catValu", "var ID=V2 name=age"}
	if !reflect.DeepEqual(seen, want) {
		t.Errorf("%q, expected %q", seen, want)
	}
}

// For a range of missing values, the codes that occur are declared, whatever they were read as.
func TestCodebookOfARange(t *testing.T) {
	for declared, want := range map[string]string{declaredMissing: "-95,,yes x,,-91,,yes", declaredCategory: `-95,,yes`,
		declaredApart: "-95,,yes x,,-91,,yes"} {
		v := statfile.Variable{Name: "x", MissingRange: &statfile.Range{From: -99, To: -90},
			Column: statfile.Column{Numbers: []float64{1, -95, -91}}}
		data := dataOf(t, v, declared)
		book, err := codebookText("b.csv", "a.csv", data,
			FormatFor("a.csv", Format{Type: "sav", Options: map[string]string{optionMissing: declared}}), WriteOptions{})
		if got := strings.ReplaceAll(strings.TrimSpace(book), "\n", " "); err != nil || !strings.HasSuffix(got, "x,,"+want) {
			t.Errorf("%s: %s, %v", declared, got, err)
		}
	}
}

// A codebook declares what is in the file, under current names: a code that is now the name of another category is
// valid.
func TestCodebookAfterRenaming(t *testing.T) {
	number := func(x float64) statfile.Value { return statfile.Value{Number: x} }
	for _, test := range []struct {
		declared string
		values   []float64
		want     string
	}{{declaredApart, []float64{2, 3, 8, 9}, "3; dk missing; refused missing"},
		{declaredApart, []float64{2, 3, 9}, "3; dk missing"}, {declaredCategory, []float64{2, 3, 8, 9},
			"3; refused, dk missing"}} {
		v := statfile.Variable{Name: "x", Missing: []statfile.Value{number(8), number(9)},
			Column: statfile.Column{Numbers: test.values},
			Labels: []statfile.ValueLabel{{Value: number(3), Label: "three"}, {Value: number(8), Label: "refused"},
				{Value: number(9), Label: "dk"}}}
		data := dataOf(t, v, test.declared)
		column := data.Columns()[0]
		column = withNames(column, map[string]string{"2": "8", "8": column.Described().Labels["8"], "9": "dk"})
		var got []string
		for _, value := range bookEntryOf(column, data.With(column),
			FormatFor("a.csv", Format{Type: "sav", Options: map[string]string{optionMissing: test.declared}})).values {
			got = append(got, value.code+map[bool]string{true: " missing"}[value.missing])
		}
		if strings.Join(got, "; ") != test.want {
			t.Errorf("%s %v: %q", test.declared, test.values, got)
		}
	}
}
