package sas

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// smallFile is a 32-bit data file with a number, x, and a text of four bytes, t. Its only page has rows after the
// pointers, followed by deletion flags.
type smallFile struct {
	release string
	filler  string // between the pointers and the rows
	rows    []string
	deleted []byte // deletion flags, highest bit first; nil for a page without flags
	said    int    // number of deleted records in the header
}

// row returns a row.
func row(x float64, t string) string {
	return string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x))) + t
}

func (s *smallFile) bytes() []byte {
	const headerLength, pageLength, stride = 1024, 4096, 12
	le := binary.LittleEndian
	head := make([]byte, headerLength)
	copy(head, magic)
	head[32], head[35], head[37], head[70] = '"', '"', 1, 20
	le.PutUint32(head[196:], headerLength)
	le.PutUint32(head[200:], pageLength)
	le.PutUint32(head[204:], 1)
	copy(head[216:], s.release)

	words := func(n int, at ...int) []byte { // offsets and values of words
		sub := make([]byte, 4*n)
		for pair := range slices.Chunk(at, 2) {
			le.PutUint32(sub[4*pair[0]:], uint32(pair[1]))
		}
		return sub
	}
	format := make([]byte, 52)
	le.PutUint32(format, subFormats)
	attributes := append(words(2, 0, subAttributes), make([]byte, 8)...)[:12]
	for i, width := range []int{8, 4} {
		attributes = le.AppendUint32(attributes, uint32(8*i))
		attributes = le.AppendUint32(attributes, uint32(width))
		attributes = append(attributes, 0, 0, byte(i+1), 0)
	}
	names := append(words(1, 0, subNames), make([]byte, 8)...)
	for i := range 2 {
		names = append(names, 0, 0, byte(4+4*i), 0, 1, 0, 0, 0)
	}
	page := make([]byte, pageLength)
	subs := [][]byte{words(120, 0, subRowSize, 5, stride, 6, len(s.rows), 7, s.said, 15, len(s.rows)),
		words(3, 0, subColumnSize, 1, 2), append(words(1, 0, subText), "\x0c\x00\x00\x00x   t   "...),
		append(names, make([]byte, 8)...), append(attributes, make([]byte, 8)...), format, format}
	end := pageLength
	for i, sub := range subs {
		end -= len(sub)
		copy(page[end:], sub)
		at := page[24+12*i:]
		le.PutUint32(at, uint32(end))
		le.PutUint32(at[4:], uint32(len(sub)))
	}
	le.PutUint16(page[16:], pageMixed)
	le.PutUint16(page[18:], uint16(len(s.rows)+len(subs)))
	le.PutUint16(page[20:], uint16(len(subs)))
	first := 24 + 12*len(subs) + len(s.filler)
	copy(page[first-len(s.filler):], s.filler+strings.Join(s.rows, ""))
	if s.deleted != nil {
		const distance = 9
		page[16] |= pageDeleted
		le.PutUint32(page[12:], distance)
		copy(page[first+len(s.rows)*stride+distance:], s.deleted)
	}
	return append(head, page...)
}

// read returns the rows of a file as text.
func (s *smallFile) read(t *testing.T, o statfile.ReadOptions) (rows []string, f *statfile.File) {
	t.Helper()
	content := s.bytes()
	f, err := DataFile{}.Read(context.Background(), statfile.NewSource("a", bytes.NewReader(content),
		int64(len(content))), o, nil)
	if err != nil || len(f.Variables) != 2 {
		t.Fatal(f, err)
	}
	for i := range f.Rows {
		rows = append(rows, fmt.Sprint(f.Variables[0].Column.Numbers[i], cell(&f.Variables[1], i)))
	}
	return rows, f
}

// SAS aligns the rows of a page to eight bytes; Stat/Transfer does not always.
func TestWhereRowsBegin(t *testing.T) {
	for name, test := range map[string]struct {
		smallFile
		want string
	}{
		"SAS": {smallFile{release: "9.0401M2", filler: "\x6c\xf7\x00\x00",
			rows: []string{row(3.14, "ab  "), row(2, "c   ")}}, "[3.14ab 2c]"},
		"Stat/Transfer": {smallFile{release: "9.0000M0", rows: []string{row(3.14, "ab  "), row(2, "c   ")}},
			"[3.14ab 2c]"},
		// only zeros before its first number that is not an integer
		"whole numbers of Stat/Transfer": {smallFile{release: "9.0000M0", rows: []string{row(5, "ab  "), row(2, "c   ")}},
			"[5ab 2c]"},
		"Stat/Transfer with zeros": {smallFile{release: "9.0000M0", filler: "\x00\x00\x00\x00",
			rows: []string{row(5, "ab  "), row(2, "c   ")}}, "[5ab 2c]"},
	} {
		if rows, _ := test.read(t, statfile.ReadOptions{}); fmt.Sprint(rows) != test.want {
			t.Errorf("%s: %v, expected %s", name, rows, test.want)
		}
	}
}

// Records marked as deleted are left out, or read if requested, with a warning in both cases.
func TestDeletedRecords(t *testing.T) {
	s := &smallFile{release: "9.0401M2", filler: "\x00\x00\x00\x00", deleted: []byte{0x40, 0x80}, said: 2}
	var all, kept []string
	for i := range 10 {
		s.rows = append(s.rows, row(float64(i), "x   "))
		all = append(all, fmt.Sprint(float64(i), "x"))
		if i != 1 && i != 8 {
			kept = append(kept, fmt.Sprint(float64(i), "x"))
		}
	}
	rows, f := s.read(t, statfile.ReadOptions{})
	if !slices.Equal(rows, kept) || f.Total != 8 || f.Truncated != "" ||
		!slices.Equal(f.Warnings, []string{"2 records are marked as deleted and skipped; the option \"deleted records\" changes this"}) {
		t.Errorf("%q, %d, %s, %q", rows, f.Total, f.Truncated, f.Warnings)
	}
	if rows, _ := s.read(t, statfile.ReadOptions{Rows: 3}); !slices.Equal(rows, kept[:3]) {
		t.Errorf("the first three: %q", rows)
	}
	read := statfile.ReadOptions{Settings: statfile.Settings{statfile.Deleted: statfile.DeletedRead}}
	if rows, f = s.read(t, read); !slices.Equal(rows, all) || f.Total != 10 ||
		!slices.Equal(f.Warnings, []string{"2 records are marked as deleted and read like others"}) {
		t.Errorf("%q, %q", rows, f.Warnings)
	}
	s.said = 3
	if _, f = s.read(t, statfile.ReadOptions{}); len(f.Warnings) != 2 ||
		!strings.Contains(f.Warnings[1], "3 records are deleted, but 2 are marked") {
		t.Errorf("%q", f.Warnings)
	}
	const beyond = 4000
	content := s.bytes()
	binary.LittleEndian.PutUint32(content[1024+12:], beyond)
	if _, err := (DataFile{}).Read(context.Background(), statfile.NewSource("a", bytes.NewReader(content),
		int64(len(content))), statfile.ReadOptions{}, nil); err == nil {
		t.Error("marks beyond the page")
	}
}

// Compressed deleted records have flags in their pointers.
func TestDeletedCompressedRecords(t *testing.T) {
	page := make([]byte, 512)
	binary.LittleEndian.PutUint16(page[20:], 3)
	for i, compression := range []byte{packed, packedDeleted, packed} {
		at := page[24+12*i:]
		binary.LittleEndian.PutUint32(at, uint32(400+20*i))
		binary.LittleEndian.PutUint32(at[4:], 2)
		at[8], at[9] = compression, 1
		copy(page[400+20*i:], []byte{0xc5, byte('a' + i)}) // the letter, repeated eight times
	}
	for _, read := range []bool{false, true} {
		p := &pages{fileHeader: &fileHeader{order: binary.LittleEndian, little: true, pageLength: len(page)},
			in: statfile.NewSource("a", bytes.NewReader(page), 512), rowLength: 8, withDeleted: read, unpack: unpackRuns}
		if err := p.readPage(0); err != nil || p.deleted != 1 {
			t.Fatal(p.deleted, err)
		}
		want := map[bool]string{false: "aaaaaaaacccccccc", true: "aaaaaaaabbbbbbbbcccccccc"}[read]
		m := &memory{}
		if err := p.appendRows(m, p.withRows[0], func() {}); err != nil || string(m.Rows) != want {
			t.Errorf("read %v: %q, %v", read, m.Rows, err)
		}
	}
}
