package fileio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// errSurrogate is the error for UTF-16 text with half of a surrogate pair.
var errSurrogate = errors.New("incomplete character")

// markEnding is the suffix of the names of encodings with a byte order mark.
const markEnding = "-bom"

// byteOrderMark returns the byte order mark of an encoding.
func byteOrderMark(name string) []byte {
	switch name {
	case UTF8BOM:
		return []byte("\xef\xbb\xbf")
	case UTF16LEBOM:
		return []byte("\xff\xfe")
	case UTF16BEBOM:
		return []byte("\xfe\xff")
	}
	return nil
}

// withoutMark returns the encoding without a byte order mark.
func withoutMark(name string) string { return strings.TrimSuffix(name, markEnding) }

// withMark returns the encoding with or without a byte order mark, as in the file.
func withMark(name string, head []byte) string {
	plain := withoutMark(name)
	if mark := byteOrderMark(plain + markEnding); mark != nil && bytes.HasPrefix(head, mark) {
		return plain + markEnding
	}
	return plain
}

// page is a single-byte encoding. Undefined bytes, of which Windows-1252 has five, are control characters, so that
// they are preserved.
type page struct {
	transform.NopResetter
	*charmap.Charmap // nil for other encodings
}

func pageOf(name string) page {
	switch name {
	case Windows1252:
		return page{Charmap: charmap.Windows1252}
	case Latin1:
		return page{Charmap: charmap.ISO8859_1}
	}
	return page{}
}

func (p page) char(b byte) rune {
	if char := p.DecodeByte(b); char != utf8.RuneError {
		return char
	}
	return rune(b)
}

func (p page) code(char rune) (b byte, ok bool) {
	if b, ok = p.EncodeRune(char); ok {
		return b, true
	}
	return byte(char), char <= 0xff && p.char(byte(char)) == char
}

// Transform implements transform.Transformer.
func (p page) Transform(dst, src []byte, _ bool) (written, read int, err error) {
	for ; read < len(src); read++ {
		if written+utf8.UTFMax > len(dst) {
			return written, read, transform.ErrShortDst
		}
		if b := src[read]; b < utf8.RuneSelf {
			dst[written] = b
			written++
		} else {
			written += utf8.EncodeRune(dst[written:], p.char(b))
		}
	}
	return written, read, nil
}

// lacks returns the first character of a text that an encoding does not have; ok is true if there is none.
func lacks(name, text string) (char rune, ok bool) {
	p := pageOf(name)
	if p.Charmap == nil {
		return utf8.RuneError, withoutMark(name) == UTF8 || utf8.ValidString(text)
	}
	for _, char := range text {
		if _, ok := p.code(char); !ok {
			return char, false
		}
	}
	return 0, true
}

// encoded encodes a UTF-8 text that fits the encoding, reusing its memory.
func encoded(name string, text []byte) []byte {
	switch withoutMark(name) {
	case UTF8:
		return text
	case UTF16LE, UTF16BE:
		order := unicode.Endianness(unicode.LittleEndian)
		if withoutMark(name) == UTF16BE {
			order = unicode.BigEndian
		}
		text, _ = unicode.UTF16(order, unicode.IgnoreBOM).NewEncoder().Bytes(text) // it replaces invalid characters and does not fail
		return text
	}
	p, out := pageOf(name), text[:0]
	for len(text) > 0 {
		char, size := utf8.DecodeRune(text)
		code, _ := p.code(char)
		out, text = append(out, code), text[size:]
	}
	return out
}

// decoding returns a decoder to UTF-8, or nil for UTF-8.
func decoding(name string) transform.Transformer {
	switch withoutMark(name) {
	case UTF16LE:
		return units{order: binary.LittleEndian}
	case UTF16BE:
		return units{order: binary.BigEndian}
	}
	if p := pageOf(name); p.Charmap != nil {
		return p
	}
	return nil
}

// units decodes UTF-16. Unlike the decoder of package unicode it returns an error for half of a surrogate pair,
// because such a file has another encoding.
type units struct {
	transform.NopResetter
	order binary.ByteOrder
}

// Transform implements transform.Transformer.
func (u units) Transform(dst, src []byte, atEOF bool) (written, read int, err error) {
	for read < len(src) {
		if written+utf8.UTFMax > len(dst) {
			return written, read, transform.ErrShortDst
		}
		size, char := 2, utf8.RuneError
		if rest := src[read:]; len(rest) >= 2 {
			char = rune(u.order.Uint16(rest))
			if utf16.IsSurrogate(char) && len(rest) >= 4 {
				size, char = 4, utf16.DecodeRune(char, rune(u.order.Uint16(rest[2:])))
				if char == utf8.RuneError {
					return written, read, errSurrogate
				}
			}
		}
		if read+size > len(src) || utf16.IsSurrogate(char) {
			if atEOF {
				return written, read, errSurrogate
			}
			return written, read, transform.ErrShortSrc
		}
		written += utf8.EncodeRune(dst[written:], char)
		read += size
	}
	return written, read, nil
}
