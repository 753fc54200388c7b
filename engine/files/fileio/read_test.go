package fileio

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// readString reads a text with the guessed format after a change.
func readString(t *testing.T, content string, change func(*Format)) (*microdata.Dataset, *ReadReport) {
	t.Helper()
	f := Guess([]byte(content))
	if change != nil {
		change(&f)
	}
	data, report, err := ReadBytes(context.Background(), "test.csv", []byte(content), f, nil)
	if err != nil {
		t.Fatalf("%q: %v", content, err)
	}
	return data, report
}

// cellsOf returns a dataset as text, with "∅" and their spelling for missing cells.
func cellsOf(data *microdata.Dataset) map[string][]string {
	out := map[string][]string{}
	for _, column := range data.Columns() {
		texts := make([]string, data.Len())
		for record := range texts {
			texts[record] = column.Text(record)
			if column.Missing(record) {
				texts[record] = "∅" + data.Spelling(column.Name()).OfMissing(record).Text
			}
		}
		out[column.Name()] = texts
	}
	return out
}

func TestReadForms(t *testing.T) {
	for _, test := range []struct {
		name, content string
		change        func(*Format)
		want          map[string][]string
	}{
		{"comma", "a,b\n1,x\n2,y\n", nil, map[string][]string{"a": {"1", "2"}, "b": {"x", "y"}}},
		{"semicolon and decimal comma", "a;b\n1,5;x\n2,25;y\n", nil,
			map[string][]string{"a": {"1.5", "2.25"}, "b": {"x", "y"}}},
		{"tab", "a\tb\n1\tx y\n2\tz\n", nil, map[string][]string{"a": {"1", "2"}, "b": {"x y", "z"}}},
		{"bar", "a|b\n1|x\n2|y\n", nil, map[string][]string{"a": {"1", "2"}, "b": {"x", "y"}}},
		{"CRLF", "a,b\r\n1,x\r\n2,y\r\n", nil, map[string][]string{"a": {"1", "2"}, "b": {"x", "y"}}},
		{"CR, the last CRLF", "a,b\r1,x\r2,y\r\n", nil, map[string][]string{"a": {"1", "2"}, "b": {"x", "y"}}},
		{"CR", "a,b\r1,x\r2,y\r", nil, map[string][]string{"a": {"1", "2"}, "b": {"x", "y"}}},
		{"no final newline", "a,b\n1,x\n2,y", nil, map[string][]string{"a": {"1", "2"}, "b": {"x", "y"}}},
		{"quoted newlines and quotes", "a,b\n1,\"x\ny\"\n2,\"say \"\"hi\"\", \"\n", nil,
			map[string][]string{"a": {"1", "2"}, "b": {"x\ny", `say "hi", `}}},
		{"quoted CRLF", "a,b\r\n1,\"x\r\ny\"\r\n", nil, map[string][]string{"a": {"1"}, "b": {"x\r\ny"}}},
		{"quote within a field", "a,b\n1,5\" pipe\n2,y\"\"\n", nil,
			map[string][]string{"a": {"1", "2"}, "b": {`5" pipe`, `y""`}}},
		{"single quotes", "a,b\n'1','x,y'\n'2','it''s'\n'3','z'\n", nil,
			map[string][]string{"a": {"1", "2", "3"}, "b": {"x,y", "it's", "z"}}},
		{"no quote", "a,b\n1,\"x\n", func(f *Format) { f.Quote = NoQuote }, map[string][]string{"a": {"1"}, "b": {`"x`}}},
		{"missing", "a,b\n1,\n,y\n", nil, map[string][]string{"a": {"1", "∅"}, "b": {"∅", "y"}}},
		{"blanks are text", "a,b\n1, \n2,y\n", nil, map[string][]string{"a": {"1", "2"}, "b": {" ", "y"}}},
		{"NA is text unless named", "a,b\n1,x\nNA,y\n", nil, map[string][]string{"a": {"1", "NA"}, "b": {"x", "y"}}},
		{"missing codes", "a,b\n1,x\nNA,-9\n-9,y\n,\"NA\"\n", func(f *Format) { f.Missing = []string{"NA", "-9"} },
			map[string][]string{"a": {"1", "∅NA", "∅-9", "∅"}, "b": {"x", "∅-9", "y", "∅NA"}}},
		{"quoted empty field", "a,b\n1,\"\"\n2,y\n", nil, map[string][]string{"a": {"1", "2"}, "b": {"∅", "y"}}},
		{"spellings of numbers", "a,b\n1.50,1e3\n1.5,.5\n2,5.\n", nil,
			map[string][]string{"a": {"1.5", "1.5", "2"}, "b": {"1e3", ".5", "5."}}},
		{"leading zeros", "a,b\n007,+5\n12,6\n", nil, map[string][]string{"a": {"007", "12"}, "b": {"+5", "6"}}},
		{"no header", "1,x\n2,y\n", nil, map[string][]string{"V1": {"1", "2"}, "V2": {"x", "y"}}},
		{"header with years", "id,2019,2020\n1,5,6\n2,7,8\n", nil,
			map[string][]string{"id": {"1", "2"}, "2019": {"5", "7"}, "2020": {"6", "8"}}},
		{"only a header", "a,b,c\n", nil, map[string][]string{"a": {}, "b": {}, "c": {}}},
		{"only a header, no newline", "a,b,c", nil, map[string][]string{"a": {}, "b": {}, "c": {}}},
		{"one record", "a,b\n1,2\n", nil, map[string][]string{"a": {"1"}, "b": {"2"}}},
		{"one column", "a\n1\n\n3\n", nil, map[string][]string{"a": {"1", "∅", "3"}}},
		{"names", "a,,a,a_2,V2\n1,2,3,4,5\n", nil, map[string][]string{"a": {"1"}, "V2_2": {"2"}, "a_3": {"3"}, "a_2": {"4"},
			"V2": {"5"}}},
		{"blank lines", "\n\na,b\n1,x\n\r\n2,y\n\n\n", nil, map[string][]string{"a": {"1", "2"}, "b": {"x", "y"}}},
		{"NUL bytes", "a,b\n1,x\x00y\n2,\x00\n3,\n", nil, map[string][]string{"a": {"1", "2", "3"}, "b": {"x\x00y", "\x00",
			"∅"}}},
		{"byte order mark", "\ufeffa,b\n1,é\n", nil, map[string][]string{"a": {"1"}, "b": {"é"}}},
		{"Windows-1252", "a,b\n1,Z\xfcrich \x80 \x81\n", nil, map[string][]string{"a": {"1"}, "b": {"Zürich € \u0081"}}},
		{"Latin-1", "a,b\n1,Z\xfcrich \x80\n", func(f *Format) { f.Encoding = Latin1 },
			map[string][]string{"a": {"1"}, "b": {"Zürich \u0080"}}},
		{"UTF-16", "\xff\xfea\x00,\x00b\x00\n\x001\x00,\x00\x3d\xd8\x00\xde\n\x00", nil,
			map[string][]string{"a": {"1"}, "b": {"😀"}}},
		{"UTF-16 big-endian, no mark", "\x00a\x00,\x00b\x00\n\x001\x00,\x20\xac\x00\n", nil,
			map[string][]string{"a": {"1"}, "b": {"€"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			data, report := readString(t, test.content, test.change)
			if got := cellsOf(data); !reflect.DeepEqual(got, test.want) {
				t.Errorf("read %q (%v)\n got %q\nwant %q", test.content, report.Format, got, test.want)
			}
		})
	}
}

func TestReadKinds(t *testing.T) {
	for _, test := range []struct {
		cells []string
		kind  microdata.Kind
	}{
		{[]string{"1", "2", "-3"}, microdata.Whole},
		{[]string{"1", "", "2"}, microdata.Whole},
		{[]string{"1", "1e5"}, microdata.Whole},
		{[]string{"1.0", "2.0"}, microdata.Number},
		{[]string{"1", "2.5"}, microdata.Number},
		{[]string{"1", "5e-1"}, microdata.Number},
		{[]string{"1", "x"}, microdata.Category},
		{[]string{"1", "02"}, microdata.Category},
		{[]string{"1", "NaN"}, microdata.Category},
		{[]string{"1", "9007199254740993"}, microdata.Category},
		{[]string{"", ""}, microdata.Category},
	} {
		data, _ := readString(t, "id,v\nz,"+strings.Join(test.cells, "\nz,")+"\n", nil)
		column, _ := data.Column("v")
		if column.Kind() != test.kind {
			t.Errorf("%q is %v, want %v", test.cells, column.Kind(), test.kind)
		}
		for _, level := range column.Categories().Levels {
			if level.NumberLevel() != column.Numeric() {
				t.Errorf("%q: level %q has value %v", test.cells, level.Label, level.Value)
			}
		}
	}
}

// TestReadStorage: few distinct numbers are a dictionary in numeric order, many are numbers; texts are in byte
// order.
func TestReadStorage(t *testing.T) {
	var content strings.Builder
	content.WriteString("few,twice,many,most,text\n")
	for i := range 6000 {
		spelled := "5"
		if i%2 == 1 {
			spelled = "5.0"
		}
		fmt.Fprintf(&content, "%d,%s,%d,%d,t%d\n", 10-i%20, spelled, i, i%4096, i)
	}
	data, _ := readString(t, content.String(), nil)
	for name, numbers := range map[string]bool{"few": false, "twice": false, "many": true, "most": false, "text": false} {
		column, _ := data.Column(name)
		if got := column.StoredAsNumbers() != nil; got != numbers {
			t.Errorf("%s stored as numbers: %v, want %v", name, got, numbers)
		}
		levels := column.Categories().Levels
		if !slices.IsSortedFunc(levels, func(a, b microdata.Level) int {
			if column.Numeric() {
				return int(math.Copysign(1, a.Value-b.Value))
			}
			return strings.Compare(a.Label, b.Label)
		}) {
			t.Errorf("the levels of %s are not in order", name)
		}
		if column.Categories().Ordered != column.Numeric() {
			t.Errorf("%s: ordered %v", name, column.Categories().Ordered)
		}
	}
}

// TestReadTurnsToText: a column of thousands of numbers that ends with a text keeps every spelling.
func TestReadTurnsToText(t *testing.T) {
	var content strings.Builder
	content.WriteString("v,w\n")
	var want []string
	for i := range 9000 {
		cell := fmt.Sprintf("%d,%02d", i, i%100)
		if i%7 == 0 {
			cell = "," + fmt.Sprint(100000+i)
		}
		if i%11 == 0 {
			cell = fmt.Sprint(i) + "e1"
		}
		want = append(want, cell)
	}
	want = append(want, "refused")
	content.WriteString(strings.Join(want, ";\n") + ";\n")
	f := NewFormat()
	f.Delimiter, f.Decimal = ";", ","
	for _, size := range []int{300, 5000, 0} {
		text := strings.Replace(content.String(), "v,w", "v;w", 1)
		data, _, err := readText(context.Background(), inMemory("test.csv", []byte(text)), f, readTuning{block: size}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := cellsOf(data)["v"]; !slices.Equal(got, want) {
			t.Errorf("block size %d: spellings differ", size)
		}
	}
}

func TestReadWide(t *testing.T) {
	const width = 10000
	var names, cells []string
	for i := range width {
		names, cells = append(names, fmt.Sprintf("v%d", i)), append(cells, fmt.Sprint(i%7))
	}
	line := strings.Join(cells, ",")
	data, _ := readString(t, strings.Join(names, ",")+"\n"+line+"\n"+line+"\n"+line, nil)
	if len(data.Columns()) != width || data.Len() != 3 {
		t.Fatalf("%d columns, %d records", len(data.Columns()), data.Len())
	}
	last, _ := data.Column("v9999")
	if last.Text(2) != fmt.Sprint(9999%7) {
		t.Errorf("last cell is %s", last.Text(2))
	}
}

func TestReadLongField(t *testing.T) {
	long := strings.Repeat("x\"\"y\n", 200000)
	data, _ := readString(t, "a,b\n1,\""+long+"\"\n2,z\n", nil)
	column, _ := data.Column("b")
	if got, want := column.Text(0), strings.ReplaceAll(long, `""`, `"`); got != want {
		t.Errorf("a field of %d bytes is read as %d", len(want), len(got))
	}
	if column.Text(1) != "z" {
		t.Error("the record after a long field is lost")
	}
}

func TestReadReport(t *testing.T) {
	content := "a,,a\r\n1,\x00,\"x\"\r\n\r\n2,y,x\n3,y,x\r\n"
	_, report := readString(t, content, nil)
	want := []string{
		`column 2 has no name; it is named "V2"`,
		`column 3: the name "a" occurs twice; this column is named "a_2"`,
		"1 empty line skipped, the first is line 3",
		"1 NUL byte kept, the first in line 2; the file may be damaged",
		"4 of 5 lines end with CRLF; on export all end with CRLF",
	}
	if !slices.Equal(report.Warnings, want) {
		t.Errorf("warnings\n%s\nwant\n%s", strings.Join(report.Warnings, "\n"), strings.Join(want, "\n"))
	}
}

func TestReadWarnsOfLookalikes(t *testing.T) {
	rows := strings.Repeat("1,2,3.5,4,5,n,,NA\n", 3)
	content := "a,b,c,d,e,f,g,h\n" + rows + "NA,.,-,b,NA,NA,NA,NA\nna,2,3,NA,5,x,,\n\"NA\",.,3,4,5,y,,\n"
	_, report := readString(t, content, func(f *Format) { f.Missing = []string{"", "-9"} })
	want := []string{
		`variable "a": 3 cells are "NA" or "na" and the rest are numbers; if they mean missing or suppressed, declare it (--missing -9,NA,na, or "missing":["","-9","NA","na"] in a script)`,
		`variable "b": 2 cells are "." and the rest are numbers; if it means missing or suppressed, declare it (--missing -9,., or "missing":["","-9","."] in a script)`,
		`variable "c": 1 cell is "-" and the rest are numbers; if it means missing or suppressed, declare it (--missing -9,-, or "missing":["","-9","-"] in a script)`,
		`variable "e": 1 cell is "NA" and the rest are numbers; if it means missing or suppressed, declare it (--missing -9,NA, or "missing":["","-9","NA"] in a script)`,
	}
	if !slices.Equal(report.Warnings[:4], want) {
		t.Errorf("warnings\n%s\nwant\n%s", strings.Join(report.Warnings, "\n"), strings.Join(want, "\n"))
	}
	_, report = readString(t, content, func(f *Format) { f.Missing = []string{"", "NA", "na", ".", "-"} })
	if slices.ContainsFunc(report.Warnings, func(w string) bool { return strings.Contains(w, "are numbers") }) {
		t.Errorf("named as missing codes: %q", report.Warnings)
	}
	many := strings.Repeat("a,", 7) + "a\n" + strings.Repeat("#N/A,", 7) + "NULL\n" + strings.Repeat("1,", 7) + "2\n"
	_, report = readString(t, many, nil)
	if last := report.Warnings[len(report.Warnings)-1]; len(report.Warnings) != 2*(mostListed+1) ||
		last != "3 more variables have cells that look like missing-value codes" {
		t.Errorf("%q", report.Warnings)
	}
	if !slices.ContainsFunc(report.Warnings, func(w string) bool { return strings.Contains(w, "(--missing '#N/A', or") }) {
		t.Errorf("warnings %q", report.Warnings)
	}
}

// A file with a header but no records is reported.
func TestReadWarnsOfNoRecords(t *testing.T) {
	for content, want := range map[string][]string{"a,w\n": {"the file has no records"}, "a,w\n1,2\n": nil} {
		if _, report := readString(t, content, nil); !slices.Equal(report.Warnings, want) {
			t.Errorf("%q: warnings %q", content, report.Warnings)
		}
	}
}

// A cell that contains only a mark, among texts or numbers, is reported as possible suppression.
func TestReadWarnsOfMarksOfSuppression(t *testing.T) {
	content := "zip,size,region,empty,code\n53***,1,north,*,1\n*,x,*,*,x\n53***,2,south,*,b\n*,3,-,*,2\n"
	_, report := readString(t, content, nil)
	want := []string{
		`variable "zip": 2 cells are "*" and the rest are text; if it means missing or suppressed, declare it (--missing '*', or "missing":["","*"] in a script)`,
		`variable "size": 1 cell is "x" and the rest are numbers; if it means missing or suppressed, declare it (--missing x, or "missing":["","x"] in a script)`,
		`variable "region": 2 cells are "*" or "-" and the rest are text; if they mean missing or suppressed, declare it (--missing '*,-', or "missing":["","*","-"] in a script)`,
	}
	if !slices.Equal(report.Warnings, want) {
		t.Errorf("warnings\n%s\nwant\n%s", strings.Join(report.Warnings, "\n"), strings.Join(want, "\n"))
	}
}

// A column with more numbers than a dictionary holds becomes text after many records.
func TestReadWarnsOfLookalikesAmongManyNumbers(t *testing.T) {
	var content strings.Builder
	content.WriteString("a\n")
	for i := range 20_000 {
		fmt.Fprintf(&content, "%d.25\n", i)
		if i%5000 == 4999 {
			content.WriteString("NaN\n")
		}
	}
	_, report := readString(t, content.String(), nil)
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "4 cells are") {
		t.Errorf("%q", report.Warnings)
	}
}

func TestReadCancels(t *testing.T) {
	content := "a,b\n" + strings.Repeat("1,2\n", 1000)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := ReadBytes(ctx, "test.csv", []byte(content), NewFormat(), nil); err != context.Canceled {
		t.Errorf("error is %v", err)
	}
}

func TestReadProgress(t *testing.T) {
	content := "a,b\n" + strings.Repeat("1,2\n", 1000)
	var meter progress.Meter
	if _, _, err := ReadBytes(context.Background(), "test.csv", []byte(content), NewFormat(), &meter); err != nil {
		t.Fatal(err)
	}
	if meter.Fraction() != 1 {
		t.Errorf("fraction is %v at the end", meter.Fraction())
	}
}

func TestReadCompletesFormat(t *testing.T) {
	data, report := readString(t, "a;b\r\n1,5;x\r\n", func(f *Format) { *f = Format{Header: true} })
	if data.Len() != 1 {
		t.Fatalf("%d records", data.Len())
	}
	want := Format{Delimiter: ";", Decimal: ",", Quote: `"`, Encoding: UTF8, Header: true, Missing: []string{""},
		LineEnding: CRLF}
	if !reflect.DeepEqual(report.Format, want) {
		t.Errorf("format %+v, want %+v", report.Format, want)
	}
}

// Texts that are dates in one format are ordered by day; a single text that is not a date makes all of them texts.
func TestReadDatesInOrder(t *testing.T) {
	for content, want := range map[string]string{
		"03.02.2001\n14.01.2001\n05.12.1999\n": "05.12.1999 14.01.2001 03.02.2001",
		"3/2/2001\n14/1/2001\n5/12/1999\n":     "5/12/1999 14/1/2001 3/2/2001",
		"3/2/2001\n1/14/2001\n12/5/1999\n":     "12/5/1999 1/14/2001 3/2/2001",
		"2001-03\n1999-12\n":                   "1999-12 2001-03",
		"03.02.2001\n14.01.2001\nunknown\n":    "-03.02.2001 14.01.2001 unknown",
		"03.02.2001\n2001-01-14\n":             "-03.02.2001 2001-01-14",
	} {
		data, _ := readString(t, "day\n"+content, nil)
		column, _ := data.Column("day")
		var got []string
		for _, level := range column.Categories().Levels {
			got = append(got, level.Label)
		}
		want, unordered := strings.CutPrefix(want, "-")
		if strings.Join(got, " ") != want || column.Categories().Ordered == unordered {
			t.Errorf("%q: %q, ordered %v", content, got, column.Categories().Ordered)
		}
	}
}
