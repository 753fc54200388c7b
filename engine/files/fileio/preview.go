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

// previewSize is the number of bytes that a preview reads if the head contains too few records.
const previewSize = 1 << 22

// kindRecords is the minimum number of records from which a preview determines types.
const kindRecords = 500

// Table is the beginning of a file as read with a Format, so that the user can check the format.
type Table struct {
	Names []string         // names of the variables
	Kinds []microdata.Kind // types of the variables, judged by the records at the head of the file
	// cells as text, possibly with control characters; a row can be shorter or longer than Names
	Rows     [][]string
	Warnings []string // problems in reading with this format
	All      *Table   // table of all variables if only some are selected, else nil

	said []*microdata.Description // descriptions of the variables; nil if none
}

// Preview reads the first records of a file. It reads the head of the file only and is tolerant: ragged lines,
// unclosed quotes and text in another encoding become warnings. It returns the errors of Read for files that
// cannot be opened, are empty or are not text, and ErrFormat.
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
		// The records are long: read more.
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

// table returns the table of an excerpt.
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

// problems returns warnings about errors that reading the whole file would return.
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

// kindOf returns the type of a column as Read would determine it from these records.
func (d *dialect) kindOf(rows [][]string, column int) microdata.Kind {
	kind := microdata.Category // until there is a number
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

// excerpt is the parsed head of a file.
type excerpt struct {
	records [][]string // fields in UTF-8, with invalid bytes replaced
	lines   []int      // line number of each record
	quote   int        // line of a quote that is unclosed or followed by text; 0 if none
}

// excerpted returns at most limit records from the head of a text. If the text is cut, a last line without an end
// is left out. Empty lines are left out; an unclosed quote ends the excerpt.
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

// headLines returns the records of a text whose last line may lack an end.
func headLines(text []byte, d *dialect) *lines {
	text = d.withoutLastFeed(text)
	data := make([]byte, len(text), len(text)+1+padding)
	copy(data, text)
	if len(data) == 0 || data[len(data)-1] != d.newline {
		data = append(data, d.newline)
	}
	return &lines{dialect: d, end: len(data), data: append(data, make([]byte, padding)...)}
}
