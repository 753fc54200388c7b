package fileio

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// errSurrogate is the error of UTF-16 text with half a character.
var errSurrogate = errors.New("half a character")

// windows1252 has the characters of the bytes 0x80 to 0x9f. The five bytes that
// Windows-1252 leaves open are control characters, so that they survive.
var windows1252 = [32]rune{
	0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d, 0x017d, 0x8f,
	0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d, 0x017e, 0x0178,
}

// marks are the encodings that can begin with a byte order mark: their names
// without and with it, and the mark.
func marks() [][3]string {
	return [][3]string{{UTF8, UTF8BOM, "\xef\xbb\xbf"}, {UTF16LE, UTF16LEBOM, "\xff\xfe"}, {UTF16BE, UTF16BEBOM, "\xfe\xff"}}
}

// byteOrderMark returns the mark that files of an encoding start with.
func byteOrderMark(encoding string) []byte {
	for _, mark := range marks() {
		if mark[1] == encoding {
			return []byte(mark[2])
		}
	}
	return nil
}

// withMark returns the encoding with a byte order mark.
func withMark(encoding string) string {
	for _, mark := range marks() {
		if mark[0] == encoding {
			return mark[1]
		}
	}
	return encoding
}

// withoutMark returns the encoding without a byte order mark.
func withoutMark(encoding string) string {
	for _, mark := range marks() {
		if mark[1] == encoding {
			return mark[0]
		}
	}
	return encoding
}

// settleMark returns the encoding, with a byte order mark if the file has one
// and without if it has none.
func settleMark(encoding string, head []byte) string {
	plain := withoutMark(encoding)
	if mark := byteOrderMark(withMark(plain)); mark != nil && bytes.HasPrefix(head, mark) {
		return withMark(plain)
	}
	return plain
}

// step turns bytes of a file into UTF-8. It returns how much it wrote and
// read; it stops where dst is full or src ends within a character.
type step func(dst, src []byte) (written, read int, err error)

// decoding returns the step of an encoding; nil for UTF-8.
func decoding(encoding string) step {
	switch withoutMark(encoding) {
	case Windows1252:
		return func(dst, src []byte) (int, int, error) { return decodeBytes(dst, src, &windows1252) }
	case Latin1:
		return func(dst, src []byte) (int, int, error) { return decodeBytes(dst, src, nil) }
	case UTF16LE:
		return func(dst, src []byte) (int, int, error) { return decodeUnits(dst, src, 0, 1) }
	case UTF16BE:
		return func(dst, src []byte) (int, int, error) { return decodeUnits(dst, src, 1, 0) }
	default:
		return nil
	}
}

func decodeBytes(dst, src []byte, table *[32]rune) (written, read int, err error) {
	for read < len(src) && written+utf8.UTFMax <= len(dst) {
		b := src[read]
		read++
		switch {
		case b < 0x80:
			dst[written] = b
			written++
		case b < 0xa0 && table != nil:
			written += utf8.EncodeRune(dst[written:], table[b-0x80])
		default:
			written += utf8.EncodeRune(dst[written:], rune(b))
		}
	}
	return written, read, nil
}

// decodeUnits decodes UTF-16; low and high are the places of the bytes in a
// unit.
func decodeUnits(dst, src []byte, low, high int) (written, read int, err error) {
	for read+2 <= len(src) && written+utf8.UTFMax <= len(dst) {
		char := rune(src[read+low]) | rune(src[read+high])<<8
		size := 2
		if utf16.IsSurrogate(char) {
			if read+4 > len(src) {
				break
			}
			next := rune(src[read+2+low]) | rune(src[read+2+high])<<8
			if char = utf16.DecodeRune(char, next); char == utf8.RuneError {
				return written, read, errSurrogate
			}
			size = 4
		}
		written += utf8.EncodeRune(dst[written:], char)
		read += size
	}
	return written, read, nil
}

// decoder is a reader of UTF-8 text from a file in another encoding.
type decoder struct {
	source io.Reader
	step   step
	raw    []byte // bytes read and not yet decoded
	buffer []byte
	ended  bool
}

const rawSize = 1 << 16

func newDecoder(source io.Reader, step step) io.Reader {
	if step == nil {
		return source
	}
	return &decoder{source: source, step: step, buffer: make([]byte, rawSize)}
}

// Read fills p with UTF-8. p must have room for one character.
func (d *decoder) Read(p []byte) (int, error) {
	for {
		written, read, err := d.step(p, d.raw)
		d.raw = d.raw[read:]
		if written > 0 || err != nil {
			return written, err
		}
		if d.ended {
			if len(d.raw) > 0 {
				return 0, errSurrogate
			}
			return 0, io.EOF
		}
		kept := copy(d.buffer, d.raw)
		n, err := d.source.Read(d.buffer[kept:])
		d.raw = d.buffer[:kept+n]
		if err == io.EOF {
			d.ended = true
		} else if err != nil {
			return 0, err
		}
	}
}
