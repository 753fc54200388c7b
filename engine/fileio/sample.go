package fileio

import "strings"

// sampled returns the fields of up to limit records at the head of a text. A
// last line that is not ended is left out where another is there; lines with
// nothing in them are left out; a quote that is not closed ends the sample.
func sampled(text []byte, d *dialect, limit int) [][]string {
	l := headLines(text, d)
	var records [][]string
	var fields []field
	for l.pos < l.end && len(records) < limit {
		var problem *quoteProblem
		if fields, problem = l.next(fields[:0]); problem != nil {
			break
		}
		if blankLine(fields) {
			continue
		}
		if len(records) >= 2 && l.pos == l.end && text[len(text)-1] != d.newline {
			break // the head of the file may end within this line
		}
		record := make([]string, len(fields))
		for i, f := range fields {
			record[i] = strings.ToValidUTF8(string(f.bytes(l.data, d.quote, nil)), "\uFFFD")
		}
		records = append(records, record)
	}
	return records
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
