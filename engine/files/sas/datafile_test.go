package sas

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// repeated is a data file that contains its pages of rows many times.
type repeated struct {
	start []byte // everything before the pages of rows
	pages []byte
	size  int64
	rows  int
}

// repeatedFile returns the sample of 25 variables with its rows repeated.
func repeatedFile(t testing.TB, times int) *repeated {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "formats", "sas7bdat_haven.sas7bdat"))
	if err != nil {
		t.Fatal(err)
	}
	in := statfile.NewSource("sample", bytes.NewReader(content), int64(len(content)))
	h, err := readFileHeader(in)
	if err != nil {
		t.Fatal(err)
	}
	p := &pages{fileHeader: h, in: in}
	if err := p.readAll(context.Background()); err != nil || p.withRows[0].first == 0 {
		t.Fatal("the sample has other pages", err)
	}
	first := p.withRows[0].at
	r := &repeated{start: content[:first], pages: content[first:], rows: int(p.rows) * times}
	r.size = first + int64(times)*int64(len(r.pages))
	const pageCountAt = 208 // in this sample
	h.order.PutUint64(r.start[pageCountAt:], uint64((r.size-h.length)/int64(h.pageLength)))
	head := r.start[h.length:][:h.pageLength]
	err = p.pointers(head, h.length, func(s pointer) error {
		if sub := head[s.offset:]; p.signature(sub) == subRowSize {
			h.order.PutUint64(sub[6*p.wordSize():], uint64(r.rows))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ReadAt implements io.ReaderAt.
func (r *repeated) ReadAt(out []byte, at int64) (n int, err error) {
	for n < len(out) {
		if here := at + int64(n); here < int64(len(r.start)) {
			n += copy(out[n:], r.start[here:])
		} else {
			n += copy(out[n:], r.pages[(here-int64(len(r.start)))%int64(len(r.pages)):])
		}
	}
	return n, nil
}

func (r *repeated) read(t testing.TB) *statfile.File {
	t.Helper()
	f, err := DataFile{}.Read(context.Background(), statfile.NewSource("repeated", r, r.size),
		statfile.ReadOptions{Compact: true}, nil)
	if err != nil || f.Rows != r.rows || f.Truncated != "" {
		t.Fatalf("%d of %d rows, %v", f.Rows, r.rows, err)
	}
	return f
}

// Rows do not depend on the number of pages decoded at a time.
func TestManyPages(t *testing.T) {
	one, many := repeatedFile(t, 1).read(t), repeatedFile(t, 300).read(t)
	for i := range one.Variables {
		want, got := &one.Variables[i], &many.Variables[i]
		for row := range many.Rows {
			if cell(got, row) != cell(want, row%one.Rows) {
				t.Fatalf("%s, row %d: %v, expected %v", got.Name, row+1, cell(got, row), cell(want, row%one.Rows))
			}
		}
	}
}

// cell returns a cell, with numbers as bits.
func cell(v *statfile.Variable, row int) any {
	switch c := &v.Column; {
	case c.Few != nil:
		return math.Float64bits(c.Few.Values[c.Few.Codes.At(row)-1])
	case c.Texts == nil:
		return math.Float64bits(c.Numbers[row])
	default:
		if code := c.Texts.Codes.At(row); code > 0 {
			return c.Texts.Values[code-1]
		}
		return nil
	}
}

// BenchmarkReadDataFile reads a million records of 25 variables, including a text of 300 bytes.
func BenchmarkReadDataFile(b *testing.B) {
	r := repeatedFile(b, 5000)
	b.SetBytes(r.size)
	for b.Loop() {
		r.read(b)
	}
}

// The encoding number is in the header; the meaning of most is known.
func TestEncodingOfDataFile(t *testing.T) {
	for number, name := range encodings {
		if _, known := statfile.NewCharset(name); !known {
			t.Errorf("%d: %q is not known", number, name)
		}
	}
	content, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "formats", "sas7bdat_haven.sas7bdat"))
	if err != nil {
		t.Fatal(err)
	}
	for number, want := range map[byte]string{33: "iso-8859-5", 35: "iso-8859-7", 37: "iso-8859-9", 41: "ibm437",
		42: "ibm850", 0: "windows-1252", 200: "windows-1252"} {
		content[70] = number
		f, err := DataFile{}.Read(context.Background(), statfile.NewSource("a", bytes.NewReader(content),
			int64(len(content))), statfile.ReadOptions{Rows: 1}, nil)
		if err != nil || f.Encoding != want ||
			(number == 200) != slices.ContainsFunc(f.Warnings,
				func(w string) bool { return strings.Contains(w, "unknown encoding") }) {
			t.Errorf("%d: %s, %q, %v", number, f.Encoding, f.Warnings, err)
		}
	}
}
