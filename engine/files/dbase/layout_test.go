package dbase

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// readTable recognises and reads a table.
func readTable(t *testing.T, content []byte) *statfile.File {
	t.Helper()
	in := statfile.NewSource("a.dbf", bytes.NewReader(content), int64(len(content)))
	if _, known, err := (Format{}).Recognise(context.Background(), in); !known || err != nil {
		t.Fatalf("recognised %v, %v", known, err)
	}
	f, err := Format{}.Read(context.Background(), in, statfile.ReadOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// spelt returns the columns of a file, one per line.
func spelt(f *statfile.File) string {
	var out strings.Builder
	for _, v := range f.Variables {
		if v.Column.Texts == nil {
			fmt.Fprintln(&out, v.Name, v.Kind, v.Column.Numbers)
			continue
		}
		fmt.Fprint(&out, v.Name, " ", v.Kind)
		for row := range f.Rows {
			if code := v.Column.Texts.Codes.At(row); code > 0 {
				fmt.Fprintf(&out, " %q", v.Column.Texts.Values[code-1])
			} else {
				fmt.Fprint(&out, " -")
			}
		}
		fmt.Fprintln(&out)
	}
	return out.String()
}

// sampleTwo returns a dBase II table of three records, one of them deleted.
func sampleTwo() []byte {
	out := make([]byte, 521) // space for 32 fields
	out[0], out[1], out[3], out[4], out[5], out[6] = 2, 3, 11, 22, 83, 1+5+6+1
	for i, described := range []string{"NAME\x00\x00\x00\x00\x00\x00\x00C\x05\x00\x00\x00",
		"INCOME\x00\x00\x00\x00\x00N\x06\x00\x00\x02", "URBAN\x00\x00\x00\x00\x00\x00L\x01\x00\x00\x00"} {
		copy(out[8+16*i:], described)
	}
	out[8+3*16] = endOfNames
	return append(out, " Bern  12.50T*gone   9.00F M\x81n   -1.25?\x1a"...)
}

func TestTablesOfDBase2(t *testing.T) {
	f := readTable(t, sampleTwo())
	if got, want := spelt(f), "NAME 1 \"Bern\" \"Mün\"\nINCOME 0 [12.5 -1.25]\nURBAN 5 [1 NaN]\n"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
	cut := sampleTwo()
	if f := readTable(t, cut[:len(cut)-5]); f.Rows != 1 || f.Truncated == "" {
		t.Errorf("cut: %+v", f)
	}
}

// sampleSeven returns a dBase 7 table of three records.
func sampleSeven() []byte {
	type column struct {
		name  string
		code  byte
		cells [3]string
	}
	number := func(x float64) string {
		bits := math.Float64bits(x)
		if bits>>63 == 1 {
			bits = ^bits
		} else {
			bits |= 1 << 63
		}
		return string(binary.BigEndian.AppendUint64(nil, bits))
	}
	whole := func(x int32) string { return string(binary.BigEndian.AppendUint32(nil, uint32(x)^1<<31)) }
	var described, rows []byte
	columns := []column{
		{"A_NAME_OF_MORE_THAN_ELEVEN", 'C', [3]string{"Z\x81rich", "Bern  ", "      "}},
		{"ID", '+', [3]string{whole(1), whole(2), whole(3)}},
		{"CHANGE", 'I', [3]string{whole(-7), whole(math.MaxInt32), "\x00\x00\x00\x00"}},
		{"RATE", 'O', [3]string{number(0.25), number(-1e9), strings.Repeat("\x00", 8)}},
		{"AT", '@', [3]string{strings.Repeat("x", 8), strings.Repeat("x", 8), strings.Repeat("x", 8)}},
		{"DAY", 'D', [3]string{"20230301", "        ", "19700101"}},
		{"NOTE", 'B', [3]string{strings.Repeat(" ", 10), strings.Repeat(" ", 10), strings.Repeat(" ", 10)}},
		{"AGE", 'N', [3]string{" 34.5", "     ", "   -1"}},
	}
	width := 1
	for _, c := range columns {
		d := make([]byte, 48)
		copy(d, c.name)
		d[32], d[33] = c.code, byte(len(c.cells[0]))
		width += len(c.cells[0])
		described = append(described, d...)
	}
	for row := range 3 {
		rows = append(rows, ' ')
		for _, c := range columns {
			rows = append(rows, c.cells[row]...)
		}
	}
	out := append(append(make([]byte, 68), described...), endOfNames)
	out = append(out, make([]byte, 50)...) // properties of the fields
	out[0], out[1], out[2], out[3] = 0x04, 126, 11, 22
	binary.LittleEndian.PutUint32(out[4:], 3)
	binary.LittleEndian.PutUint16(out[8:], uint16(len(out)))
	binary.LittleEndian.PutUint16(out[10:], uint16(width))
	copy(out[32:], "DB850US0")
	return append(append(out, rows...), 0x1a)
}

func TestTablesOfDBase7(t *testing.T) {
	f := readTable(t, sampleSeven())
	want := "A_NAME_OF_MORE_THAN_ELEVEN 1 \"Zürich\" \"Bern\" -\nID 0 [1 2 3]\nCHANGE 0 [-7 2.147483647e+09 NaN]\n" +
		"RATE 0 [0.25 -1e+09 NaN]\nDAY 2 [19417 NaN 0]\nAGE 0 [34.5 NaN -1]\n"
	if got := spelt(f); got != want || f.Encoding != "ibm850" {
		t.Errorf("%s, expected %s", got, want)
	}
	said := strings.Join(f.Warnings, "; ")
	if !strings.Contains(said, `"NOTE" is omitted`) || !strings.Contains(said, `"AT" is omitted: timestamps of dBase 7 are not supported`) {
		t.Error(said)
	}
	older := sample() // before version 7, this version byte meant the usual layout
	if older[0] = 0x04; readTable(t, older).Rows != 2 {
		t.Error("an older table")
	}
	for size := range sampleSeven() {
		in := statfile.NewSource("cut.dbf", bytes.NewReader(sampleSeven()), int64(size))
		if f, err := (Format{}).Read(context.Background(), in, statfile.ReadOptions{}, nil); err == nil && f.Truncated == "" && f.Rows != 3 {
			t.Fatalf("the first %d bytes are read as %d whole rows", size, f.Rows)
		}
	}
}

// Tables of dBase II have shorter field descriptions, and records begin at byte 521.
func TestTablesOfDBaseII(t *testing.T) {
	content := make([]byte, 521)
	copy(content, "\x02\x03\x00\x0b\x16\x54\x0b\x00")
	copy(content[8:], "NAME\x00\x00\x00\x00\x00\x00\x00C\x04\x99\x99\x00")
	copy(content[24:], "NUM\x00\x00\x00\x00\x00\x00\x00\x00N\x05\x99\x99\x01")
	copy(content[40:], "YES\x00\x00\x00\x00\x00\x00\x00\x00L\x01\x99\x99\x00\r")
	content = append(content, " Bern  1.5T*gone  9.0F Ulm      F\x1a"...)
	in := statfile.NewSource("a.dbf", bytes.NewReader(content), int64(len(content)))
	if _, known, err := (Format{}).Recognise(context.Background(), in); !known || err != nil {
		t.Fatalf("recognised %v, %v", known, err)
	}
	f, err := Format{}.Read(context.Background(), in, statfile.ReadOptions{}, nil)
	if err != nil || f.Rows != 2 || len(f.Variables) != 3 || f.Truncated != "" {
		t.Fatalf("%+v, %v", f, err)
	}
	if got := fmt.Sprint(f.Variables[0].Column.Texts.Values, f.Variables[1].Column.Numbers,
		f.Variables[2].Column.Numbers); got != "[Bern Ulm] [1.5 NaN] [1 0]" {
		t.Error(got)
	}
	for size := range content {
		in := statfile.NewSource("cut.dbf", bytes.NewReader(content), int64(size))
		if _, known, _ := (Format{}).Recognise(context.Background(), in); !known {
			continue
		}
		if f, err := (Format{}).Read(context.Background(), in, statfile.ReadOptions{}, nil); err == nil &&
			f.Truncated == "" && f.Rows != 2 {
			t.Fatalf("the first %d bytes are read as %d whole rows", size, f.Rows)
		}
	}
}
