package spreadsheet

import (
	"encoding/binary"
	"unicode/utf16"
)

// records reads the records of a workbook, each with a type, a length and data. Long data continues in the next
// record.
type records struct {
	content []byte
	next    int // offset of the next record
	kind    uint16
	data    []byte // rest of the current record
}

// step advances to the next record; it returns false if there is none or it is incomplete.
func (r *records) step() bool {
	const head = 4
	if r.next < 0 || r.next > len(r.content)-head {
		return false
	}
	length := int(binary.LittleEndian.Uint16(r.content[r.next+2:]))
	start := r.next + head
	if length > len(r.content)-start {
		return false
	}
	r.kind = binary.LittleEndian.Uint16(r.content[r.next:])
	r.data, r.next = r.content[start:start+length], start+length
	return true
}

// goesOn advances to the next record if it continues this one.
func (r *records) goesOn() bool {
	return r.next <= len(r.content)-2 && binary.LittleEndian.Uint16(r.content[r.next:]) == recordContinue && r.step()
}

// take returns the next n bytes of this record, or nil if there are fewer.
func (r *records) take(n int) []byte {
	for len(r.data) == 0 && n > 0 {
		if !r.goesOn() {
			return nil
		}
	}
	if n > len(r.data) {
		return nil
	}
	taken := r.data[:n:n]
	r.data = r.data[n:]
	return taken
}

// skip skips n bytes, including continuation records.
func (r *records) skip(n int) bool {
	for n > len(r.data) {
		n -= len(r.data)
		if !r.goesOn() {
			return false
		}
	}
	r.data = r.data[n:]
	return true
}

// text reads a text after its length of one byte, if short, or two.
func (w *oldWorkbook) text(r *records, short bool) (string, bool) {
	head := 2
	if short {
		head = 1
	}
	length := r.take(head)
	if length == nil {
		return "", false
	}
	count := int(length[0])
	if !short {
		count = int(binary.LittleEndian.Uint16(length))
	}
	if !w.older {
		return r.characters(count)
	}
	chars := r.take(count)
	if chars == nil && count > 0 {
		return "", false
	}
	return w.charset.Decode(string(chars)), true
}

// characters reads the text of a string of Excel 97 and later, with one or two bytes per character; each
// continuation record specifies this again. Formatting and phonetic data that may follow are skipped.
func (r *records) characters(count int) (string, bool) {
	const wide, phonetic, rich = 0x01, 0x04, 0x08
	flags := r.take(1)
	if flags == nil {
		return "", false
	}
	has, behind := flags[0], 0
	if has&rich != 0 {
		runs := r.take(2)
		if runs == nil {
			return "", false
		}
		behind = 4 * int(binary.LittleEndian.Uint16(runs))
	}
	if has&phonetic != 0 {
		size := r.take(4)
		if size == nil {
			return "", false
		}
		behind += int(binary.LittleEndian.Uint32(size))
	}
	chars := make([]uint16, 0, min(count, len(r.content)-r.next+len(r.data)))
	for len(chars) < count {
		if len(r.data) == 0 {
			if !r.goesOn() {
				return "", false
			}
			if flags = r.take(1); flags == nil {
				return "", false
			}
			has = flags[0]
		}
		width := 1 + int(has&wide)
		part := r.take(min(count-len(chars), len(r.data)/width) * width)
		if len(part) == 0 {
			return "", false
		}
		for ; len(part) >= width; part = part[width:] {
			if char := uint16(part[0]); width == 1 {
				chars = append(chars, char)
			} else {
				chars = append(chars, binary.LittleEndian.Uint16(part))
			}
		}
	}
	return string(utf16.Decode(chars)), r.skip(behind)
}
