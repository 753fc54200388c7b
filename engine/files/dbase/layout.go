package dbase

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// layout describes the header of a dBase version.
type layout struct {
	fields      int // offset of the first field description
	description int // bytes of a description, which begins with the name
	code        int // offset of the type in it
	size        int // offset of the width
	decimals    int // offset of the decimals
	rows, width int // offsets of the number of records and of the record length
	types       string
}

// The layouts of dBase II, of III to 5 with FoxPro, and of 7 (dBASE Inc.: dBASE Level 7 file
// structure).
var (
	layoutTwo   = &layout{fields: 8, description: 16, code: 11, size: 12, decimals: 15, rows: 1, width: 6, types: "CNL"}
	layoutUsual = &layout{fields: headerSize, description: 32, code: 11, size: 16, decimals: 17, rows: 4, width: 10}
	layoutSeven = &layout{fields: 68, description: 48, code: 32, size: 33, decimals: 34, rows: 4, width: 10,
		types: "CNFLDMBGIO@+"}
)

// mostHead exceeds the longest header, that of 255 fields.
const mostHead = 1 << 14

// dataOfTwo is the offset of the first record in dBase II, which has space for 32 fields.
const dataOfTwo = 8 + 32*16 + 1

// layoutOf returns the layout for the first bytes of a table.
func layoutOf(head []byte) *layout {
	const two, seven, versions = 2, 4, 7
	switch {
	case len(head) > 0 && head[0] == two && layoutTwo.fits(head[:min(len(head), dataOfTwo)]):
		return layoutTwo
	case len(head) > 0 && head[0]&versions == seven && layoutSeven.fits(head):
		return layoutSeven
	}
	return layoutUsual
}

// fits reports whether the field descriptions are valid in this layout: they have names and types, and their
// widths add up to the record length.
func (l *layout) fits(head []byte) bool {
	width := 1 // the deletion flag
	for at := l.fields; at < len(head); at += l.description {
		if head[at] == endOfNames {
			return at > l.fields && width == int(binary.LittleEndian.Uint16(head[l.width:]))
		}
		if at+l.description > len(head) || head[at] <= ' ' || strings.IndexByte(l.types, head[at+l.code]) < 0 {
			return false
		}
		width += int(head[at+l.size])
	}
	return false
}

// header returns the offset, number and length of the records, and the encoding.
func (l *layout) header(head []byte) (data int64, rows, width int, charset string) {
	two := func(at int) int { return int(binary.LittleEndian.Uint16(head[at:])) }
	if l == layoutTwo {
		return dataOfTwo, two(l.rows), two(l.width), "ibm437"
	}
	const length, driver = 8, 29
	charset = language(head[driver])
	if l == layoutSeven && charset == "" {
		charset = driverPage(head[headerSize : 2*headerSize])
	}
	return int64(two(length)), int(binary.LittleEndian.Uint32(head[l.rows:])), two(l.width), charset
}

// driverPage returns the code page in the name of a dBase 7 language driver, such as DB866RU0 or DBWINUS0, or "".
func driverPage(name []byte) string {
	rest, ours := bytes.CutPrefix(bytes.ToUpper(name), []byte("DB"))
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	switch {
	case ours && digits >= 3:
		return string(rest[:digits])
	case ours && bytes.HasPrefix(rest, []byte("WIN")):
		return "windows-1252"
	}
	return ""
}
