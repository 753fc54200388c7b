package rdata

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// wire reads the elements of the serialisation format. After an error it returns zeros.
type wire struct {
	*stream
	text  bool             // ASCII format, with numbers as words
	order binary.ByteOrder // byte order of the binary formats
	err   error
}

// missingInt is NA as an integer and as a logical.
const missingInt = math.MinInt32

// missingReal is the bits of NA as a double; the letter of a missing value of haven is in the byte above the
// lowest four.
const (
	missingReal = 0x7ff00000000007a2
	missingWord = 0x7a2
	tagShift    = 32
)

// fail ends reading with an error, unless it is nil.
func (w *wire) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// bytes returns the next n bytes, or nil after an error.
func (w *wire) bytes(n int) []byte {
	if w.err != nil {
		return nil
	}
	out := w.take(n)
	if out == nil && n > 0 {
		w.fail(w.ended)
	}
	return out
}

func (w *wire) integer() int32 {
	if w.text {
		return int32(w.parsed())
	}
	if b := w.bytes(4); b != nil {
		return int32(w.order.Uint32(b))
	}
	return 0
}

// parsed parses a word as an integer.
func (w *wire) parsed() int64 {
	word := string(w.nextWord())
	if word == "NA" {
		return missingInt
	}
	n, err := strconv.ParseInt(word, 10, 32)
	if err != nil {
		w.fail(errNumber)
		return 0
	}
	return n
}

var errNumber = errors.New("a number is expected")

func (w *wire) nextWord() []byte {
	const longest = 100
	if w.err != nil {
		return nil
	}
	word := w.word(longest)
	if len(word) == 0 {
		w.fail(w.ended)
		w.fail(errNumber)
	}
	return word
}

// real returns the bits of a double.
func (w *wire) real() uint64 {
	if w.text {
		switch word := string(w.nextWord()); word {
		case "NA":
			return missingReal
		case "Inf", "-Inf", "NaN":
			x, _ := strconv.ParseFloat(word, 64)
			return math.Float64bits(x)
		default:
			x, err := strconv.ParseFloat(word, 64)
			if err != nil && !errors.Is(err, strconv.ErrRange) {
				w.fail(errNumber)
			}
			return math.Float64bits(x)
		}
	}
	if b := w.bytes(8); b != nil {
		return w.order.Uint64(b)
	}
	return 0
}

// integers fills out with integers.
func (w *wire) integers(out []int32) {
	if w.text {
		for i := range out {
			out[i] = w.integer()
		}
		return
	}
	if b := w.bytes(4 * len(out)); b != nil {
		for i := range out {
			out[i] = int32(w.order.Uint32(b[4*i:]))
		}
	}
}

// reals fills out with the bits of doubles.
func (w *wire) reals(out []uint64) {
	if w.text {
		for i := range out {
			out[i] = w.real()
		}
		return
	}
	if b := w.bytes(8 * len(out)); b != nil {
		for i := range out {
			out[i] = w.order.Uint64(b[8*i:])
		}
	}
}

// skipNumbers skips n numbers of a width in bytes.
func (w *wire) skipNumbers(n int64, width int) {
	if !w.text {
		w.pass(n * int64(width))
		return
	}
	for ; n > 0 && w.err == nil; n-- {
		w.nextWord()
	}
}

func (w *wire) pass(n int64) {
	if w.err == nil {
		if w.skip(n); w.ended != nil {
			w.err = w.ended
		}
	}
}

// mostText is the maximum number of bytes of a text.
const mostText = 1 << 20

var errLong = statfile.Failuref(statfile.ErrUnsupported, "a text exceeds 1 MB")

// chars returns the bytes of a text, which are valid until the next call.
func (w *wire) chars(n int) []byte {
	switch {
	case n > mostText:
		w.fail(errLong)
		return nil
	case w.text:
		return w.escaped(n)
	case n <= blockBytes:
		return w.bytes(n)
	}
	var all []byte
	for n > 0 && w.err == nil {
		part := w.bytes(min(n, blockBytes))
		all, n = append(all, part...), n-len(part)
	}
	return all
}

// skipChars skips a text.
func (w *wire) skipChars(n int) {
	if w.text {
		w.chars(n)
		return
	}
	w.pass(int64(n))
}

// escapes maps letters after a backslash to characters; others stand for themselves.
var escapes = map[byte]byte{'n': '\n', 't': '\t', 'v': '\v', 'b': '\b', 'r': '\r', 'f': '\f', 'a': '\a'}

// escaped returns n bytes of a text in the escaped ASCII format.
func (w *wire) escaped(n int) []byte {
	if n == 0 || w.err != nil {
		return nil
	}
	out := []byte(nil)
	b := w.byte()
	for w.err == nil && (b == ' ' || b == '\n' || b == '\t' || b == '\r') {
		b = w.byte()
	}
	for w.err == nil {
		if b == '\\' {
			b = w.afterBackslash()
		}
		if out = append(out, b); len(out) == n {
			break
		}
		b = w.byte()
	}
	return out
}

func (w *wire) afterBackslash() byte {
	b := w.byte()
	if b < '0' || b > '7' {
		if of, known := escapes[b]; known {
			return of
		}
		return b
	}
	value := b - '0'
	for range 2 {
		if len(w.window) == 0 && !w.next() || w.window[0] < '0' || w.window[0] > '7' {
			break
		}
		value = value<<3 | (w.byte() - '0')
	}
	return value
}

func (w *wire) byte() byte {
	if b := w.bytes(1); b != nil {
		return b[0]
	}
	return 0
}
