package fileio

import (
	"bytes"
	"strings"
)

// excerpt is what the head of a file holds, read with tolerance.
type excerpt struct {
	records [][]string // fields in UTF-8; bytes that are none are replaced
	lines   []int      // number of each record's first line
	quote   int        // line of a quote that is not closed in the excerpt or is followed by text; 0: none
	more    bool       // there are more records than were asked for, or a line that is cut
}

// excerpted returns the records at the head of a text, at most limit. A last
// line that is not ended is left out where the text is cut; lines with nothing
// in them are left out; a quote that is not closed ends the excerpt.
func excerpted(text []byte, d *dialect, limit int, cut bool) excerpt {
	var e excerpt
	var fields []field
	l := headLines(text, d)
	line := 1
	for l.pos < l.end {
		if len(e.records) == limit {
			e.more = true
			break
		}
		start := l.pos
		var problem *quoteProblem
		if fields, problem = l.next(fields[:0]); problem != nil {
			e.more = cut
			if problem.at >= 0 || !cut {
				e.quote = line + bytes.Count(l.data[start:problem.opened], []byte{d.newline})
			}
			break
		}
		if cut && l.pos == l.end && text[len(text)-1] != d.newline && len(e.records) > 0 {
			e.more = true
			break
		}
		if !blankLine(fields) {
			e.records = append(e.records, l.texts(fields))
			e.lines = append(e.lines, line)
		}
		line += bytes.Count(l.data[start:l.pos], []byte{d.newline})
	}
	e.more = e.more || cut
	return e
}

func (l *lines) texts(fields []field) []string {
	record := make([]string, len(fields))
	for i, f := range fields {
		record[i] = strings.ToValidUTF8(string(f.bytes(l.data, l.quote, nil)), "\uFFFD")
	}
	return record
}

// headLines returns the records of a text that need not end with a line break.
func headLines(text []byte, d *dialect) *lines {
	data := make([]byte, len(text), len(text)+1+padding)
	copy(data, text)
	if len(data) == 0 || data[len(data)-1] != d.newline {
		data = append(data, d.newline)
	}
	return &lines{dialect: d, end: len(data), data: append(data, make([]byte, padding)...)}
}
