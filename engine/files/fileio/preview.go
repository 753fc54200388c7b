package fileio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// previewSize is how much of a file a preview looks at where its head holds too
// few records, in bytes.
const previewSize = 1 << 22

// kindRecords is the number of records from which a preview tells kinds.
const kindRecords = 500

// Table is the beginning of a file under some Format, for the user to judge
// whether the format is right.
type Table struct {
	Names []string         // of the variables
	Kinds []microdata.Kind // of the variables, judged by the records at the head of the file
	// cells as text; a row can be shorter or longer than Names. Cells may have control characters
	Rows     [][]string
	Warnings []string // what will go wrong or be changed
	All      *Table   // that of all variables, where these are only those wanted; else nil

	said []*microdata.Description // what the file or its codebook says of the variables; nil: nothing
}

// Preview reads the first records of a file. It looks at the head of the file
// only and shows what it can: ragged lines, quotes that are not closed and text
// in another encoding become warnings. Errors are those of Read for files that
// cannot be opened, are empty or are no text, and ErrFormat.
func Preview(ctx context.Context, path string, f Format, records int) (*Table, error) {
	file, in, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return formats().preview(ctx, &in, f, records)
}

func (k text) preview(ctx context.Context, in *input, f Format, records int) (*Table, error) {
	if err := k.check(in); err != nil {
		return nil, err
	}
	var book codebook
	if f.Codebook != "" && takesCodebook(f) {
		var err error
		if book, err = readCodebook(ctx, f.Codebook); err != nil {
			return nil, err
		}
	}
	table, err := in.table(f, records)
	if err == nil && len(table.Rows) < records && in.size > int64(len(in.head)) {
		// Records are long: look further.
		head := make([]byte, min(previewSize, in.size))
		n, failed := in.content.ReadAt(head, 0)
		if failed != nil && !errors.Is(failed, io.EOF) {
			return nil, unreadable(in.name, failed)
		}
		in.head = head[:n]
		table, err = in.table(f, records)
	}
	if err != nil {
		return nil, err
	}
	for _, name := range table.Names {
		if book != nil {
			table.said = append(table.said, book[name])
		}
	}
	return table, nil
}

func (in *input) table(f Format, records int) (*Table, error) {
	f, err := f.complete(in.head)
	if err != nil {
		return nil, prefixed(in.name, err)
	}
	text := decodeHead(in.head, f.Encoding)
	limit := max(records, kindRecords) + 1
	e := excerpted(text, f.dialect(), limit, in.size > int64(len(in.head)))
	if len(e.records) == 0 && e.quote == 0 && in.size > int64(len(in.head)) {
		return nil, failure(ErrLimit, "%s: the first %s are empty lines; remove them, or choose another file",
			in.name, wording.Counted(len(in.head), "byte"))
	}
	if len(e.records) == 0 && e.quote == 0 {
		return nil, failure(ErrEmpty, "%s has no records; choose another file", in.name)
	}
	if len(e.records) > 0 {
		if err := checkNames(e.records[0]); err != nil {
			return nil, prefixed(in.name, err)
		}
	}
	return e.table(f, text, records), nil
}

// table makes the table of an excerpt.
func (e *excerpt) table(f Format, text []byte, records int) *Table {
	t := &Table{Rows: e.records}
	lines := e.lines
	switch {
	case len(e.records) == 0:
	case f.Header:
		t.Names, t.Warnings = uniqueNames(e.records[0])
		if f.described() && len(f.Fields) == len(t.Names) {
			t.Names, t.Warnings = f.fieldNames(), nil
		}
		t.Rows, lines = e.records[1:], e.lines[1:]
	case f.described():
		t.Names = f.fieldNames()
	default:
		t.Names = positionNames(len(e.records[0]))
	}
	t.Warnings = append(t.Warnings, e.problems(f, text, len(t.Names), t.Rows, lines)...)
	t.Kinds = make([]microdata.Kind, len(t.Names))
	all := f.dialect()
	for i := range t.Kinds {
		t.Kinds[i] = all.of(&f, i).kindOf(t.Rows, i)
	}
	if len(t.Rows) > records {
		t.Rows = t.Rows[:records]
	}
	return t
}

// problems returns warnings of what will keep the file from being read.
func (e *excerpt) problems(f Format, text []byte, columns int, rows [][]string, lines []int) []string {
	var warnings []string
	for i, row := range rows {
		if len(row) != columns {
			warnings = append(warnings, fmt.Sprintf("line %s: %s, expected %s", wording.Number(lines[i]),
				fieldsOf(len(row)), wording.Number(columns)))
			break
		}
	}
	if e.quote > 0 {
		warnings = append(warnings, fmt.Sprintf("line %s: a quote is not closed, or text follows it", wording.Number(e.quote)))
	}
	if withoutMark(f.Encoding) == UTF8 {
		if invalid := invalidUTF8(text); invalid < len(text) {
			line := 1 + bytes.Count(text[:invalid], []byte{f.dialect().newline})
			warnings = append(warnings,
				fmt.Sprintf("line %s: byte 0x%02X is not UTF-8; choose another encoding, such as windows-1252",
					wording.Number(line), text[invalid]))
		}
	}
	return warnings
}

// kindOf returns the kind of a column as Read would judge it by these records.
func (d *dialect) kindOf(rows [][]string, column int) microdata.Kind {
	kind := microdata.Category // as long as there is no number
	for _, row := range rows {
		if column >= len(row) {
			continue
		}
		cell := []byte(row[column])
		if _, missing := d.blank(cell); missing {
			continue
		}
		value, decimals, ok := parseNumber(cell, d.mark)
		if !ok {
			return microdata.Category
		}
		if fractional(value, decimals, cell, d.mark) {
			kind = microdata.Number
		} else if kind == microdata.Category {
			kind = microdata.Whole
		}
	}
	return kind
}

// excerpt is what the head of a file holds, read with tolerance.
type excerpt struct {
	records [][]string // fields in UTF-8; bytes that are none are replaced
	lines   []int      // number of each record's first line
	quote   int        // line of a quote that is not closed in the excerpt or is followed by text; 0: none
}

// excerpted returns the records at the head of a text, at most limit. A last
// line that is not ended is left out where the text is cut; lines with nothing
// in them are left out; a quote that is not closed ends the excerpt.
func excerpted(text []byte, d *dialect, limit int, cut bool) excerpt {
	var e excerpt
	var fields []field
	l := headLines(text, d)
	line := 1
	for l.pos < l.end && len(e.records) < limit {
		start := l.pos
		var problem *quoteProblem
		if fields, problem = l.next(fields[:0]); problem != nil {
			if problem.at >= 0 || !cut {
				e.quote = line + bytes.Count(l.data[start:problem.opened], []byte{d.newline})
			}
			break
		}
		if cut && l.pos == l.end && text[len(text)-1] != d.newline && len(e.records) > 0 {
			break
		}
		if !blankLine(fields) {
			e.records = append(e.records, l.texts(fields))
			e.lines = append(e.lines, line)
		}
		line += bytes.Count(l.data[start:l.pos], []byte{d.newline})
	}
	return e
}

func (l *lines) texts(fields []field) []string {
	record := make([]string, len(fields))
	for i, f := range fields {
		record[i] = strings.ToValidUTF8(string(f.bytes(l.data, l.quote)), "\uFFFD")
	}
	return record
}

// headLines returns the records of a text that need not end with a line break.
func headLines(text []byte, d *dialect) *lines {
	text = d.withoutLastFeed(text)
	data := make([]byte, len(text), len(text)+1+padding)
	copy(data, text)
	if len(data) == 0 || data[len(data)-1] != d.newline {
		data = append(data, d.newline)
	}
	return &lines{dialect: d, end: len(data), data: append(data, make([]byte, padding)...)}
}
