package dbase

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

// sample returns a table with a field of each type and three records, one of them deleted.
func sample() []byte {
	type column struct {
		name  string
		code  byte
		width int
		dec   int
		cells [3]string
	}
	le := func(value any) string {
		var out bytes.Buffer
		_ = binary.Write(&out, binary.LittleEndian, value)
		return out.String()
	}
	columns := []column{
		{"NAME", 'C', 6, 0, [3]string{"Z\x81rich", "gone  ", "      "}},
		{"LONG", 'C', 44, 1, [3]string{strings.Repeat("x", 300), strings.Repeat(" ", 300), "y" + strings.Repeat(" ", 299)}},
		{"NUM", 'N', 5, 1, [3]string{"  1,5", "    9", "*****"}},
		{"INT", 'I', 4, 0, [3]string{le(int32(-7)), le(int32(0)), le(int32(8))}},
		{"DBL", 'B', 8, 0, [3]string{le(0.25), le(0.0), le(math.NaN())}},
		{"CUR", 'Y', 8, 0, [3]string{le(int64(12345)), le(int64(0)), le(int64(-1))}},
		{"DAY", 'D', 8, 0, [3]string{"20230301", "20230301", "        "}},
		{"AT", 'T', 8, 0, [3]string{le([2]uint32{2440589, 1500}), le(uint64(0)), le(uint64(0))}},
		{"YES", 'L', 1, 0, [3]string{"T", "F", "?"}},
		{"VAR", 'V', 6, 0, [3]string{"Bern\x00\x04", "gone  ", "Gen\x8ave"}},
		{"OPEN", 'I', 4, 0, [3]string{le(int32(5)), le(int32(0)), le(int32(0))}},
		{"_NullFlags", '0', 1, 0, [3]string{"\x01", "\x00", "\x02"}}, // VAR has variable length; OPEN is null
		{"MEMO", 'M', 10, 0, [3]string{strings.Repeat(" ", 10), strings.Repeat(" ", 10), strings.Repeat(" ", 10)}},
	}
	var names bytes.Buffer
	width := 1
	for _, c := range columns {
		d := make([]byte, 32)
		copy(d, c.name)
		d[11], d[16], d[17] = c.code, byte(c.width), byte(c.dec)
		if c.name == "OPEN" {
			d[18] = 2
		}
		names.Write(d)
		width += len(c.cells[0])
	}
	head := make([]byte, 32)
	head[0], head[1], head[2], head[3], head[29] = 0x03, 126, 11, 22, 0x02
	binary.LittleEndian.PutUint32(head[4:], 3)
	binary.LittleEndian.PutUint16(head[8:], uint16(32+names.Len()+1))
	binary.LittleEndian.PutUint16(head[10:], uint16(width))
	out := append(append(head, names.Bytes()...), '\r')
	for row := range 3 {
		out = append(out, " * "[row])
		for _, c := range columns {
			out = append(out, c.cells[row]...)
		}
	}
	return append(out, 0x1a)
}

func TestEveryTypeOfField(t *testing.T) {
	content := sample()
	in := statfile.NewSource("a.dbf", bytes.NewReader(content), int64(len(content)))
	if _, known, err := (Format{}).Recognise(context.Background(), in); !known || err != nil {
		t.Fatalf("recognised %v, %v", known, err)
	}
	f, err := Format{}.Read(context.Background(), in, statfile.ReadOptions{}, nil)
	if err != nil || f.Rows != 2 || f.Encoding != "ibm850" {
		t.Fatalf("%+v, %v", f, err)
	}
	want := map[string]string{"NUM": "[1.5 NaN]", "INT": "[-7 8]", "DBL": "[0.25 NaN]", "CUR": "[1.2345 -0.0001]",
		"DAY": "[19417 NaN]", "AT": "[86401.5 NaN]", "YES": "[1 NaN]", "OPEN": "[5 NaN]"}
	for _, v := range f.Variables {
		if v.Column.Texts == nil {
			if got := fmt.Sprint(v.Column.Numbers); got != want[v.Name] {
				t.Errorf("%s: %s, expected %s", v.Name, got, want[v.Name])
			}
		}
	}
	if name := f.Variables[0].Column.Texts; name.Values[0] != "Zürich" || name.Codes.At(1) != 0 {
		t.Errorf("%+v", name)
	}
	if varying := f.Variables[9].Column.Texts.Values; varying[0] != "Bern" || varying[1] != "Genève" {
		t.Errorf("%q", varying)
	}
	if long := f.Variables[1].Column.Texts.Values; len(long[0]) != 300 || long[1] != "y" {
		t.Errorf("%q", long)
	}
	said := strings.Join(f.Warnings, "; ")
	if said != `values that do not fit the field or cannot be read become missing: NUM (1); values that are not numbers (NaN) become missing: DBL (1); 1 record is marked as deleted and skipped; the option "deleted records" changes this; field "MEMO" is omitted: its contents are in another file or are not values` {
		t.Error(said)
	}
	f, err = Format{}.Read(context.Background(), in,
		statfile.ReadOptions{Settings: statfile.Settings{statfile.Deleted: statfile.DeletedRead}}, nil)
	if err != nil || f.Rows != 3 || f.Variables[2].Column.Numbers[1] != 9 ||
		!slices.Contains(f.Warnings, "1 record is marked as deleted and read like others") {
		t.Errorf("with the deleted record: %+v, %v", f, err)
	}
}

// Skipped records shift those of all later blocks.
func TestManyRecords(t *testing.T) {
	const times = 3000
	one := sample()
	start, end := int(binary.LittleEndian.Uint16(one[8:])), len(one)-1
	content := append(bytes.Clone(one[:start]), bytes.Repeat(one[start:end], times)...)
	binary.LittleEndian.PutUint32(content[4:], 3*times)
	f, err := Format{}.Read(context.Background(), statfile.NewSource("a.dbf", bytes.NewReader(content),
		int64(len(content))), statfile.ReadOptions{}, nil)
	if err != nil || f.Rows != 2*times {
		t.Fatalf("%d rows, %v", f.Rows, err)
	}
	texts, numbers := f.Variables[0].Column.Texts, f.Variables[3].Column.Numbers
	if texts.Codes.Len() != f.Rows || len(numbers) != f.Rows {
		t.Fatalf("%d texts and %d numbers in %d rows", texts.Codes.Len(), len(numbers), f.Rows)
	}
	for row, number := range numbers {
		if want := []float64{-7, 8}[row%2]; number != want || texts.Codes.At(row) != []uint32{1, 0}[row%2] {
			t.Fatalf("row %d: %g, text %d", row+1, number, texts.Codes.At(row))
		}
	}
}

// The language driver in the header determines the code page of texts.
func TestLanguages(t *testing.T) {
	for driver, want := range map[byte]string{0x01: "ibm437", 0x02: "ibm850", 0x03: "windows-1252", 0x57: "windows-1252",
		0x64: "ibm852", 0x65: "ibm866", 0xc8: "windows-1250", 0xc9: "windows-1251", 0xca: "windows-1254",
		0xcb: "windows-1253"} {
		content := sample()
		content[29] = driver
		f, err := Format{}.Read(context.Background(), statfile.NewSource("a.dbf", bytes.NewReader(content),
			int64(len(content))), statfile.ReadOptions{}, nil)
		if err != nil || f.Encoding != want {
			t.Errorf("%#x: %s, expected %s, %v", driver, f.Encoding, want, err)
		}
	}
}

// A table truncated anywhere is an error or a reported truncation.
func TestTablesCutAnywhere(t *testing.T) {
	content := sample()
	for size := range content {
		in := statfile.NewSource("cut.dbf", bytes.NewReader(content), int64(size))
		if _, known, err := (Format{}).Recognise(context.Background(), in); !known || err != nil {
			continue
		}
		f, err := Format{}.Read(context.Background(), in, statfile.ReadOptions{}, nil)
		if err == nil && f.Truncated == "" && f.Rows != 2 {
			t.Fatalf("the first %d bytes are read as %d whole rows", size, f.Rows)
		}
	}
}

// A table whose header does not count the deletion flag is read.
func TestWidthWithoutTheMark(t *testing.T) {
	content := sample()
	width := binary.LittleEndian.Uint16(content[10:])
	binary.LittleEndian.PutUint16(content[10:], width-1)
	f, err := Format{}.Read(context.Background(), statfile.NewSource("a.dbf", bytes.NewReader(content),
		int64(len(content))), statfile.ReadOptions{}, nil)
	if err != nil || f.Rows != 2 || f.Variables[2].Column.Numbers[0] != 1.5 {
		t.Errorf("%+v, %v", f, err)
	}
	binary.LittleEndian.PutUint16(content[10:], width-2)
	if _, err := (Format{}).Read(context.Background(), statfile.NewSource("a.dbf", bytes.NewReader(content),
		int64(len(content))), statfile.ReadOptions{}, nil); err == nil {
		t.Error("two bytes short")
	}
}
