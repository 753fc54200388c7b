package fileio

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// table is a random file with its contents.
type table struct {
	format  Format
	names   []string
	quoted  []bool // columns with all cells quoted
	text    []bool // text columns
	records [][]string
}

// nastyNumbers lists sets of numbers with equal decimals and distinct values.
var nastyNumbers = [][]string{{"0", "1", "-1", "9007199254740992", "12", "13", "14"}, {"1.0", "0.1", "-2.5"},
	{"-0", "1"}, {"1.00", "12.30"}, {".5", "-.5"}, {"123456.789", "0.001"}}

var nastyTexts = []string{"x", "a b", " ", "  x ", "lower secondary", "upper secondary", "007", "+5", "NaN", "Inf",
	"0x1F", "9007199254740993", "1e999", "x,y", "x;y", "x\ty",
	"say \"hi\"", "\"", "'", "x\ny", "x\r\ny", "é", "Zürich", "=1+1", "@x", "-", "NA", "-9", "12345678", "123456781",
	"1234567", "x\x00y", "x\x00", "exactly8", "nine char"}

func drawTable(t *rapid.T) table {
	f := NewFormat()
	f.Delimiter = rapid.SampledFrom([]string{",", ";", "\t"}).Draw(t, "delimiter")
	f.Decimal = rapid.SampledFrom([]string{".", ","}).Draw(t, "decimal")
	f.Encoding = rapid.SampledFrom(Encodings()).Draw(t, "encoding")
	f.LineEnding = rapid.SampledFrom([]string{LF, CRLF}).Draw(t, "line ending")
	f.NoFinalNewline = rapid.Bool().Draw(t, "no final newline")
	f.QuotedNames = rapid.Bool().Draw(t, "quoted names")
	f.Missing = rapid.SampledFrom([][]string{{""}, {"NA"}, {"-9", "", "NA"}}).Draw(t, "missing")
	out := table{format: f}
	width, length := rapid.IntRange(1, 5).Draw(t, "columns"), rapid.IntRange(0, 40).Draw(t, "records")
	pools := make([][]string, width)
	for i := range width {
		out.names = append(out.names, fmt.Sprintf("v%d", i))
		out.quoted = append(out.quoted, rapid.Bool().Draw(t, "quoted"))
		pool := rapid.SampledFrom(nastyNumbers).Draw(t, "numbers")
		if out.text = append(out.text, rapid.Bool().Draw(t, "text")); out.text[i] {
			pool = slices.Concat(nastyTexts, slices.Concat(nastyNumbers...), []string{"5.", "1e3", "1E-3"})
		}
		pools[i] = append(rapid.SliceOfN(rapid.SampledFrom(pool), 1, 6).Draw(t, "pool"), f.Missing...)
	}
	for at := range length {
		record := make([]string, width)
		for i := range record {
			record[i] = rapid.SampledFrom(pools[i]).Draw(t, "cell")
			if at == 0 && out.text[i] {
				record[i] = "x"
			}
		}
		out.records = append(out.records, record)
	}
	return out
}

// content formats the table independently of the code under test, except for the encoding.
func (b *table) content() []byte {
	end := lineEnd(b.format.LineEnding)
	var text strings.Builder
	line := func(cells []string, quoted func(i int) bool) {
		for i, cell := range cells {
			if i > 0 {
				text.WriteString(b.format.Delimiter)
			}
			if quoted(i) || strings.ContainsAny(cell, b.format.Delimiter+"\"\r\n") {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			text.WriteString(cell)
		}
		text.WriteString(end)
	}
	line(b.names, func(int) bool { return b.format.QuotedNames })
	for _, record := range b.records {
		line(record, func(i int) bool { return b.quoted[i] && record[i] != "" })
	}
	out := text.String()
	if b.format.NoFinalNewline && !strings.HasSuffix(out, end+end) {
		out = strings.TrimSuffix(out, end)
	}
	raw := encoded(b.format.Encoding, []byte(out))
	return append(slices.Clone(byteOrderMark(b.format.Encoding)), raw...)
}

// TestRandomTables: cells are read as generated, with any division into blocks, and the file survives the round
// trip.
func TestRandomTables(t *testing.T) {
	mapped := scratch(t)
	rapid.Check(t, func(t *rapid.T) {
		b := drawTable(t)
		content := b.content()
		f := b.format
		f.LineEnding, f.QuotedNames, f.NoFinalNewline = "", false, false
		var first *microdata.Dataset
		for _, how := range []readTuning{{}, {rapid.IntRange(1, 200).Draw(t, "block"), rapid.IntRange(1, 4).Draw(t, "workers")}} {
			if first != nil {
				f.Scratch = mapped
			}
			data, report, err := readText(context.Background(), inMemory("test.csv", content), f, how, nil)
			if err != nil {
				t.Fatalf("%q: %v", content, err)
			}
			b.check(t, data)
			var out bytes.Buffer
			if _, err := WriteTo(context.Background(), &out, data, report.Format, WriteOptions{}, nil); err != nil {
				t.Fatalf("%q: %v", content, err)
			}
			if !bytes.Equal(out.Bytes(), content) {
				t.Fatalf("%+v\n%q comes out as\n%q (%+v)", how, content, out.Bytes(), report.Format)
			}
			if first == nil {
				first = data
			} else if first.Hash() != data.Hash() {
				t.Fatalf("%q is read differently in blocks: %+v", content, how)
			}
		}
	})
}

// check compares cells with the generated ones.
func (b *table) check(t *rapid.T, data *microdata.Dataset) {
	if data.Len() != len(b.records) || len(data.Columns()) != len(b.names) {
		t.Fatalf("%d records, %d columns; want %d, %d", data.Len(), len(data.Columns()), len(b.records), len(b.names))
	}
	for i, column := range data.Columns() {
		for record := range b.records {
			want := b.records[record][i]
			if want == "" || slices.Contains(b.format.Missing, want) {
				if spelling := data.Spelling(column.Name()).OfMissing(record).Text; !column.Missing(record) || spelling != want {
					t.Fatalf("cell %d of %s: missing code %q is read as %q", record, column.Name(), want, spelling)
				}
				continue
			}
			got := column.Text(record)
			if column.Numeric() {
				got = strings.Replace(got, ".", b.format.Decimal, 1)
			}
			if got != want {
				t.Fatalf("cell %d of %s is %q, want %q", record, column.Name(), got, want)
			}
		}
	}
}

// TestLikeEncodingCSV: files that encoding/csv accepts are read identically.
func TestLikeEncodingCSV(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.StringMatching(`(["a1, \n]|"[a\n]*"|a,|\n){0,30}`).Draw(t, "content")
		content = "n,m\n" + content
		reader := csv.NewReader(strings.NewReader(content))
		records, err := reader.ReadAll()
		if err != nil {
			return // it is stricter, or wrong
		}
		data, _, err := readText(context.Background(), inMemory("test.csv", []byte(content)), NewFormat(),
			readTuning{block: 8, workers: 2}, nil)
		if err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		if data.Len() != len(records)-1 {
			t.Fatalf("%q: %d records, want %d", content, data.Len(), len(records)-1)
		}
		for i, record := range records[1:] {
			for j, want := range record {
				if got := data.Columns()[j].Text(i); got != want {
					t.Fatalf("%q: cell %d, %d is %q, want %q", content, i, j, got, want)
				}
			}
		}
	})
}

// TestManyDistinct: any number of distinct texts and numbers is read, in one block or several.
func TestManyDistinct(t *testing.T) {
	var content strings.Builder
	content.WriteString("text,number,quoted\n")
	for i := range 20000 {
		fmt.Fprintf(&content, "respondent-%d,%d.%02d,\"%d\"\n", i*7919%20011, i%9000, i%100, i)
	}
	var first *microdata.Dataset
	mapped := scratch(t)
	for _, how := range []readTuning{{}, {1000, 1}, {30000, 4}, {1 << 16, 2}} {
		f := NewFormat()
		if first != nil {
			f.Scratch = mapped
		}
		data, report, err := readText(context.Background(), inMemory("test.csv", []byte(content.String())), f, how, nil)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := WriteTo(context.Background(), &out, data, report.Format, WriteOptions{}, nil); err != nil {
			t.Fatal(err)
		}
		if out.String() != content.String() {
			t.Errorf("%+v: the file comes out changed", how)
		}
		if first == nil {
			first = data
		} else if first.Hash() != data.Hash() {
			t.Errorf("%+v: read differently", how)
		}
	}
}
