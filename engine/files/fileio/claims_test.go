package fileio

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/rdata"
	"github.com/sdcdesk/sdcdesk/engine/files/sas"
	"github.com/sdcdesk/sdcdesk/engine/files/spss"
	"github.com/sdcdesk/sdcdesk/engine/files/stata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// portableBomb returns a portable file of variables with the same labels each, in lines of 80 characters, after
// short lines of one character.
func portableBomb(variables, labels, shortLines int) []byte {
	base30 := func(n int) string { return strings.ToUpper(strconv.FormatInt(int64(n), 30)) + "/" }
	set := "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz .<(+|&[]!$*);^-/"
	var out strings.Builder
	out.WriteString(strings.Repeat(" ", 200) + strings.Repeat("0", 64) + set + strings.Repeat("0", 192-len(set)) +
		"SPSSPORTA8/202301016/1200004" + base30(variables) + "59/")
	text := func(s string) { out.WriteString(base30(len(s)) + s) }
	for i := range variables {
		out.WriteString("70/")
		text(fmt.Sprintf("V%d", i))
		out.WriteString("5/8/0/5/8/0/")
	}
	if labels > 0 {
		out.WriteString("D" + base30(variables))
		for i := range variables {
			text(fmt.Sprintf("V%d", i))
		}
		out.WriteString(base30(labels))
		for i := range labels {
			out.WriteString(base30(i) + "1/x")
		}
	}
	out.WriteString("F")
	all := out.String()
	var lines strings.Builder
	for ; len(all) > 80; all = all[80:] {
		lines.WriteString(all[:80] + "\n")
	}
	lines.WriteString(all + "\n" + strings.Repeat(" \n", shortLines) + strings.Repeat("5/", variables) + "Z\n")
	return []byte(lines.String())
}

// withLabels returns a file, written in a format, of variables with labels.
func withLabels(t testing.TB, format statfile.Writer, variables int, labels []statfile.ValueLabel, settings statfile.Settings) []byte {
	t.Helper()
	f := &statfile.File{Rows: 1}
	for i := range variables {
		f.Variables = append(f.Variables, statfile.Variable{Name: fmt.Sprintf("v%d", i), Labels: labels,
			Column: statfile.Column{Numbers: []float64{1}}})
	}
	var out bytes.Buffer
	if err := format.Write(context.Background(), &out, f, settings, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// setBomb returns an SPSS file of variables that share a set of labels.
func setBomb(t testing.TB, variables, labels int) []byte {
	t.Helper()
	content := withLabels(t, spss.System{}, variables, nil, nil)
	order, at := binary.LittleEndian, bytes.Index(content, []byte("\x07\x00\x00\x00\x03\x00\x00\x00"))
	if at < 0 {
		t.Fatal("the file has no records of the kind 7")
	}
	set := order.AppendUint32(order.AppendUint32(nil, 3), uint32(labels))
	for i := range labels {
		set = append(order.AppendUint64(set, math.Float64bits(float64(i))), "\x07labelled"[:8]...)
	}
	set = order.AppendUint32(order.AppendUint32(set, 4), uint32(variables))
	for i := range variables {
		set = order.AppendUint32(set, uint32(i+1))
	}
	return slices.Insert(content, at, set...)
}

func manyLabels(n, length int) (labels []statfile.ValueLabel) {
	for i := range n {
		labels = append(labels, statfile.ValueLabel{Value: statfile.Value{Number: float64(i)},
			Label: fmt.Sprintf("%0*d", length, i)})
	}
	return labels
}

// labelBomb returns a Stata file whose labels all have the same offset, that of a long text.
func labelBomb(t testing.TB, variables, labels int) []byte {
	t.Helper()
	content := withLabels(t, stata.Format{}, variables, manyLabels(labels, 20), nil)
	at := bytes.Index(content, []byte("<lbl>")) + 5
	order := binary.LittleEndian
	length, name := int(order.Uint32(content[at:])), 129+3
	table := content[at+4+name:][:length]
	n, texts := int(order.Uint32(table)), int(order.Uint32(table[4:]))
	if n != labels || texts < 20*labels {
		t.Fatalf("%d labels in %d bytes", n, texts)
	}
	clear(table[8 : 8+4*n])
	for i, text := 0, table[8+8*n:][:texts]; i < texts-1; i++ {
		text[i] = 'x'
	}
	return content
}

// levelBomb returns a compressed R file with a factor of levels that are texts of a length.
func levelBomb(t testing.TB, levels, length int) []byte {
	t.Helper()
	var out bytes.Buffer
	word := func(n int) { out.Write(binary.BigEndian.AppendUint32(nil, uint32(n))) }
	symbol := func(name string) {
		word(0x402) // tagged pair
		word(1)
		word(9)
		word(len(name))
		out.WriteString(name)
	}
	out.WriteString("X\n")
	word(2)
	word(0x30000)
	word(0x20300)
	word(0x313) // list with a class
	word(1)
	word(0x30d) // integers with a class
	word(1)
	word(1)
	symbol("levels")
	word(16)
	word(levels)
	for i := range levels {
		word(9)
		word(length)
		fmt.Fprintf(&out, "%0*d", length, i)
	}
	symbol("class")
	word(16)
	word(1)
	word(9)
	word(6)
	out.WriteString("factor")
	word(254)
	symbol("names")
	word(16)
	word(1)
	word(9)
	word(1)
	out.WriteString("a")
	symbol("class")
	word(16)
	word(1)
	word(9)
	word(10)
	out.WriteString("data.frame")
	word(254)
	return gzipped(t, out.Bytes())
}

// gzipped returns content compressed with gzip.
func gzipped(t testing.TB, content []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(content); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// longRBomb returns a compressed R file with a vector of equal numbers, of which only a part exists.
func longRBomb(t testing.TB, rows int, part float64) []byte {
	t.Helper()
	var out bytes.Buffer
	f := &statfile.File{Rows: rows, Variables: []statfile.Variable{{Name: "x", Column: statfile.Column{Numbers: make([]float64, rows)}}}}
	if err := (rdata.Format{}).Write(context.Background(), &out, f, statfile.Settings{"compression": "none"}, nil); err != nil {
		t.Fatal(err)
	}
	content := out.Bytes()
	if content[0] == 0x1f {
		z, err := gzip.NewReader(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		if content, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	return gzipped(t, content[:int(part*float64(len(content)))])
}

// sasBomb returns a SAS file of numbers and one page, in which all names and labels are the same text of 60,000
// bytes, and rows have a given length.
func sasBomb(columns int, rowLength uint32, count int) []byte {
	const header, text = 1024, 60000
	order := binary.LittleEndian
	var parts [][]byte
	of := func(signature uint32, size int) []byte {
		part := order.AppendUint32(nil, signature)
		part = append(part, make([]byte, size-4)...)
		parts = append(parts, part)
		return part
	}
	rows := of(0xf7f7f7f7, 400)
	order.PutUint32(rows[20:], rowLength)
	order.PutUint32(rows[24:], uint32(count))
	order.PutUint32(of(0xf6f6f6f6, 12)[4:], uint32(columns))
	copy(of(0xfffffffd, 4+text)[4:], "xxxxxxxxSASYZCRL"+strings.Repeat("x", text-16))
	names, places := of(0xffffffff, 8+12+8*columns), of(0xfffffffc, 8+12+12*columns)
	for i := range columns {
		order.PutUint16(names[12+8*i+4:], uint16(8+i%100))
		order.PutUint32(places[12+12*i+4:], 8)
		places[12+12*i+10] = 1
		format := of(0xfffffbfe, 46+6)
		order.PutUint16(format[12+28+4:], text)
	}
	row := []byte{}
	for left := int(rowLength); left > 0; {
		n := min(left, 4000)
		if n < 18 {
			n = left
			row = append(row, 0x80+byte(n-1))
			row = append(row, make([]byte, n)...)
		} else {
			row = append(row, 0x40|byte((n-18)>>8), byte(n-18), 0)
		}
		left -= n
	}
	described := len(parts)
	for range count {
		parts = append(parts, row)
	}
	page := make([]byte, 24+12*len(parts))
	for i, part := range parts {
		order.PutUint32(page[24+12*i:], uint32(len(page)))
		order.PutUint32(page[24+12*i+4:], uint32(len(part)))
		if i >= described {
			page[24+12*i+8] = 4
		}
		page = append(page, part...)
	}
	order.PutUint16(page[20:], uint16(len(parts)))
	out := make([]byte, header)
	copy(out, "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00\x09\xc7\x31\x8c\x18\x1f\x10\x11")
	out[37], out[70] = 1, 20
	order.PutUint32(out[196:], header)
	order.PutUint32(out[200:], uint32(len(page)))
	order.PutUint32(out[204:], 1)
	return append(out, page...)
}

// transportBomb returns a transport file with a number after a gap in the row.
func transportBomb(t testing.TB, before uint32, rows int) []byte {
	t.Helper()
	content := withLabels(t, sas.Transport{}, 1, nil, nil)
	const record, namestr, width = 80, 140, 8
	at := bytes.Index(content, []byte("NAMESTR")) - 20 + record // after "HEADER RECORD*******"
	binary.BigEndian.PutUint32(content[at+84:], before)
	end := bytes.Index(content, []byte("OBS     HEADER")) - 20 + record
	all := rows * (int(before) + width)
	return append(content[:end:end], bytes.Repeat([]byte("a"), (all+record-1)/record*record)...)
}

// tableBomb returns a dBase table of one record that claims four billion.
func tableBomb() []byte {
	order := binary.LittleEndian
	out := []byte{3, 24, 1, 1}
	out = order.AppendUint16(order.AppendUint16(order.AppendUint32(out, math.MaxUint32), 65), 9)
	field := append(make([]byte, 20), "A\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00N\x00\x00\x00\x00\x08"...)
	out = append(append(out, field...), make([]byte, 15)...)
	return append(out, "\r        1"...)
}

// describedFields returns a description of fields of one character, each followed by the given lines; without a
// separator they are fixed.
func describedFields(count int, separator, said string) []byte {
	var out strings.Builder
	if separator != "" {
		fmt.Fprintf(&out, "<SEPARATOR> %q\n", separator)
	}
	for i := range count {
		fmt.Fprintf(&out, "v%d", i)
		if separator == "" {
			fmt.Fprintf(&out, " %d", i+1)
		}
		out.WriteString(" 1\n" + said)
	}
	return []byte(out.String())
}

// codeList returns a list of codes.
func codeList(codes int) []byte {
	var out strings.Builder
	for i := range codes {
		fmt.Fprintf(&out, "%d,\"label %d\"\n", i, i)
	}
	return []byte(out.String())
}
