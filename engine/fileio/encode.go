package fileio

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding turns UTF-8 into the bytes of a file.
type encoding interface {
	// lacks returns the first character that the encoding cannot hold; ok is
	// true if there is none.
	lacks(text string) (char rune, ok bool)
	append(dst, text []byte) []byte
}

// encodingOf returns the encoding of a name; nil for UTF-8.
func encodingOf(name string) encoding {
	switch withoutMark(name) {
	case Windows1252:
		return newBytewise(&windows1252)
	case Latin1:
		return newBytewise(nil)
	case UTF16LE:
		return unitwise{binary.LittleEndian}
	case UTF16BE:
		return unitwise{binary.BigEndian}
	default:
		return nil
	}
}

// bytewise is an encoding of one byte per character: Unicode up to 0xff, with
// other characters at 0x80 to 0x9f where it has a table.
type bytewise struct {
	table *[32]rune
	high  map[rune]byte // the characters of the table
}

func newBytewise(table *[32]rune) bytewise {
	b := bytewise{table: table, high: map[rune]byte{}}
	if table != nil {
		for i, char := range table {
			b.high[char] = byte(0x80 + i)
		}
	}
	return b
}

func (b bytewise) code(char rune) (byte, bool) {
	if char < 0x80 || char >= 0xa0 && char <= 0xff || b.table == nil && char < 0xa0 {
		return byte(char), true
	}
	code, ok := b.high[char]
	return code, ok
}

func (b bytewise) lacks(text string) (rune, bool) {
	for _, char := range text {
		if _, ok := b.code(char); !ok {
			return char, false
		}
	}
	return 0, true
}

func (b bytewise) append(dst, text []byte) []byte {
	for len(text) > 0 {
		if text[0] < utf8.RuneSelf {
			dst = append(dst, text[0])
			text = text[1:]
			continue
		}
		char, size := utf8.DecodeRune(text)
		code, _ := b.code(char)
		dst = append(dst, code)
		text = text[size:]
	}
	return dst
}

// unitwise is UTF-16.
type unitwise struct{ order binary.AppendByteOrder }

func (unitwise) lacks(text string) (rune, bool) {
	return utf8.RuneError, utf8.ValidString(text)
}

func (u unitwise) append(dst, text []byte) []byte {
	for len(text) > 0 {
		char, size := utf8.DecodeRune(text)
		text = text[size:]
		if high, low := utf16.EncodeRune(char); high != utf8.RuneError {
			dst = u.order.AppendUint16(u.order.AppendUint16(dst, uint16(high)), uint16(low))
			continue
		}
		dst = u.order.AppendUint16(dst, uint16(char))
	}
	return dst
}
