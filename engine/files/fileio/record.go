package fileio

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// padding is the number of bytes that may be read beyond the end of a block.
const padding = 8

// field is the position of a cell in its block, without quotes. The two high bits of start are flags.
type field struct{ start, end uint32 }

const (
	quotedField  = 1 << 31 // the field was quoted
	escapedField = 1 << 30 // it contains doubled quotes
	startMask    = escapedField - 1
)

func (f field) quoted() bool { return f.start&quotedField != 0 }

// bytes returns the text of the field, with doubled quotes undone.
func (f field) bytes(data []byte, quote byte) []byte {
	raw := data[f.start&startMask : f.end]
	if f.start&escapedField == 0 {
		return raw
	}
	var text []byte
	for i := 0; i < len(raw); i++ {
		text = append(text, raw[i])
		if raw[i] == quote {
			i++
		}
	}
	return text
}

// lines splits the records of a block into fields. The block ends with a line break, followed by padding bytes.
type lines struct {
	*dialect
	data    []byte // including the padding
	end     int    // end of the records
	pos     int    // start of the next record
	invalid int    // offset of the first byte that is not UTF-8

	tally // with offsets in place of line numbers
}

// quoteProblem is an error in a quoted field.
type quoteProblem struct {
	opened, at int // offsets; at is -1 for an unclosed quote
}

// next appends the fields of the next record.
func (l *lines) next(fields []field) ([]field, *quoteProblem) {
	if l.layout != nil {
		return l.described(fields), nil
	}
	return l.delimited(fields)
}

// delimited appends the fields of the next record of a file with delimiters and quotes.
func (l *lines) delimited(fields []field) ([]field, *quoteProblem) {
	delimiters := uint64(l.delimiter) * 0x0101010101010101
	newlines := uint64(l.newline) * 0x0101010101010101
	pos, most := l.pos, len(fields)+mostVariables
	for {
		if len(fields) > most { // further fields do not change the error
			l.pos = pos + bytes.IndexByte(l.data[pos:l.end], l.newline) + 1
			return fields, nil
		}
		if l.data[pos] == l.quote && l.quote != 0 {
			f, after, problem := l.quotedField(pos)
			if problem != nil {
				return fields, problem
			}
			fields = append(fields, f)
			pos = after + 1
			if l.data[after] == l.newline {
				l.pos = pos
				l.breaks++
				return fields, nil
			}
			continue
		}
		i := pos
		for {
			word := binary.LittleEndian.Uint64(l.data[i : i+8])
			if found := zeroBytes(word^delimiters) | zeroBytes(word^newlines); found != 0 {
				i += bits.TrailingZeros64(found) >> 3
				break
			}
			i += 8
		}
		if l.data[i] == l.delimiter {
			fields = append(fields, field{uint32(pos), uint32(i)})
			pos = i + 1
			continue
		}
		stop := i
		if stop > pos && l.data[stop-1] == '\r' && l.newline == '\n' {
			stop--
			l.crlf++
		}
		l.pos = i + 1
		l.breaks++
		return append(fields, field{uint32(pos), uint32(stop)}), nil
	}
}

// zeroBytes marks the zero bytes of a word; marks above the lowest one can be wrong.
func zeroBytes(word uint64) uint64 {
	return (word - 0x0101010101010101) &^ word & 0x8080808080808080
}

// quotedField returns the quoted field at pos and the offset of the delimiter or line break after it.
func (l *lines) quotedField(pos int) (f field, after int, problem *quoteProblem) {
	flags := uint32(quotedField)
	i := pos + 1
	for {
		j := bytes.IndexByte(l.data[i:l.end], l.quote)
		if j < 0 {
			return f, 0, &quoteProblem{pos, -1}
		}
		i += j + 1
		if l.data[i] != l.quote || i >= l.end {
			break
		}
		flags |= escapedField
		i++
	}
	f = field{uint32(pos+1) | flags, uint32(i - 1)}
	if i < l.end && l.data[i] == '\r' && l.newline == '\n' && l.data[i+1] == '\n' {
		l.crlf++
		i++
	}
	if i >= l.end || l.data[i] != l.delimiter && l.data[i] != l.newline {
		return f, 0, &quoteProblem{pos, i}
	}
	return f, i, nil
}

// blankLine reports whether the record is an empty line.
func blankLine(fields []field) bool {
	return len(fields) == 1 && fields[0].start == fields[0].end
}
