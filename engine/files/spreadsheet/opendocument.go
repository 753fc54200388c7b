package spreadsheet

import (
	"bytes"
	"context"
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// OpenDocument reads OpenDocument spreadsheets (.ods).
type OpenDocument struct{}

// Info describes the file type.
func (OpenDocument) Info() statfile.Info {
	return statfile.Info{Name: "ods", Program: "an OpenDocument spreadsheet (ods)", Options: options}
}

// Names of parts; contentPart contains the cells of all sheets.
const (
	contentPart  = "content.xml"
	manifestPart = "META-INF/manifest.xml"
)

// Recognise reports whether a file is an OpenDocument spreadsheet, and lists its sheets. Not all files declare
// their type at the beginning.
func (OpenDocument) Recognise(ctx context.Context, in *statfile.Source) (statfile.Settings, bool, error) {
	head := in.Head()
	if !bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return nil, false, nil
	}
	said := bytes.Contains(head[:min(len(head), 200)], []byte("opendocument.spreadsheet"))
	a, err := openArchive(in)
	if err != nil {
		return statfile.Settings{}, said, nil // Read reports the damage
	}
	if !said && !a.has(contentPart) {
		return nil, false, nil
	}
	sheets, known, err := a.tables(ctx)
	if err != nil {
		return statfile.Settings{}, said || a.isEncrypted(ctx), ctx.Err()
	}
	return suggested(namesOf(sheets)), said || known, nil
}

// isEncrypted reports whether the manifest declares encrypted parts.
func (a *archive) isEncrypted(ctx context.Context) (encrypted bool) {
	if !a.has(manifestPart) {
		return false
	}
	p, err := a.part(manifestPart, nil)
	if err != nil {
		return false
	}
	_ = p.each(ctx, func(name string, _ []xml.Attr) error {
		encrypted = encrypted || name == "encryption-data"
		return nil
	}, nil, nil)
	return encrypted
}

// openSheet is a sheet, with its number of cells including repetitions.
type openSheet struct {
	name  string
	cells int64
}

// tables returns the sheets; known is false for a document other than a spreadsheet.
func (a *archive) tables(ctx context.Context) (sheets []openSheet, known bool, err error) {
	if a.isEncrypted(ctx) {
		return nil, false, a.encrypted()
	}
	p, err := a.part(contentPart, nil)
	if err != nil {
		return nil, false, err
	}
	depth, rows := 0, 1
	err = p.each(ctx, func(name string, attributes []xml.Attr) error {
		switch name {
		case "spreadsheet":
			known = true
		case "table":
			if depth++; depth == 1 && len(sheets) < mostColumns {
				sheets = append(sheets, openSheet{name: attribute(attributes, "name")})
			}
		case "table-row":
			rows = repetition(attributes, "number-rows-repeated")
		case "table-cell", "covered-table-cell":
			const endless = 1 << 60
			if depth == 1 && attribute(attributes, "value-type") != "" {
				of := &sheets[len(sheets)-1].cells
				*of = min(endless, *of+int64(rows)*int64(repetition(attributes, "number-columns-repeated")))
			}
		}
		return nil
	}, nil, func(name string) error {
		if name == "table" {
			depth--
		}
		return nil
	})
	return sheets, known, err
}

// namesOf returns the names of sheets.
func namesOf(sheets []openSheet) []string {
	names := make([]string, len(sheets))
	for i := range sheets {
		names[i] = sheets[i].name
	}
	return names
}

// Read reads a sheet.
func (OpenDocument) Read(ctx context.Context, in *statfile.Source, o statfile.ReadOptions,
	meter *progress.Meter) (*statfile.File, error) {
	a, err := openArchive(in)
	if err != nil {
		return nil, err
	}
	sheets, _, err := a.tables(ctx)
	if err != nil {
		return nil, err
	}
	names := namesOf(sheets)
	at, err := chosen(in, names, o.Settings)
	if err != nil {
		return nil, err
	}
	if o.Rows == 0 && o.Columns == nil { // otherwise, fewer cells are kept, which take their memory as they are read
		if err := in.Fits((ofCell + 1) * sheets[at].cells); err != nil {
			return nil, err
		}
	}
	p, err := a.part(contentPart, meter)
	if err != nil {
		return nil, err
	}
	r := &openRow{grid: newGrid(in, &o), ctx: ctx, source: in, wanted: at, table: -1}
	if err := p.each(ctx, r.start, r.chars, r.end); err != nil {
		return nil, err
	}
	return r.file(names, at)
}

// openRow is the row being read.
type openRow struct {
	*grid
	ctx           context.Context
	source        *statfile.Source
	wanted, table int // selected and current sheet
	depth         int
	row           []cell
	repeated      int // repetitions of the row
	cell          cell
	times         int // repetitions of the cell
	text          []byte
	inCell, inP   bool
	note          int
	paragraphs    int
}

func (r *openRow) start(name string, attributes []xml.Attr) error {
	if name == "table" {
		if r.depth++; r.depth == 1 {
			r.table++
		}
	}
	if r.table != r.wanted || r.depth != 1 {
		if r.table > r.wanted {
			return errStop
		}
		return nil
	}
	if len(r.text) > statfile.MostCell {
		return r.in.LongCell(r.rows + 1)
	}
	switch name {
	case "table-row":
		if r.full() {
			return errStop
		}
		r.row, r.repeated = r.row[:0], repetition(attributes, "number-rows-repeated")
	case "table-cell", "covered-table-cell":
		r.times = repetition(attributes, "number-columns-repeated")
		r.cell = cellOf(attributes)
		r.text = r.text[:0]
		r.inCell, r.paragraphs = true, 0
	case "annotation":
		r.note++
	case "p":
		if r.inP = r.inCell && r.note == 0; r.inP {
			if r.paragraphs++; r.paragraphs > 1 {
				r.text = more(r.text, '\n')
			}
		}
	case "s":
		if r.inP {
			r.text = more(r.text, bytes.Repeat([]byte{' '}, min(1000, repetition(attributes, "c")))...)
		}
	case "tab":
		if r.inP {
			r.text = more(r.text, '\t')
		}
	case "line-break":
		if r.inP {
			r.text = more(r.text, '\n')
		}
	}
	return nil
}

func (r *openRow) chars(text []byte) {
	if r.inP {
		r.text = more(r.text, text...)
	}
}

func (r *openRow) end(name string) error {
	if name == "table" {
		r.depth--
	}
	if r.table != r.wanted || r.depth != 1 {
		return nil
	}
	switch name {
	case "p":
		r.inP = false
	case "annotation":
		r.note--
	case "table-cell", "covered-table-cell":
		r.inCell = false
		return r.put()
	case "table-row":
		empty := true
		for i := range r.row {
			empty = empty && r.row[i].kind == nothing
		}
		switch {
		case empty:
			r.repeated = 1
		case r.repeated > 1 && r.rows+r.repeated > mostRows:
			return r.tooMany()
		}
		for i := range r.repeated {
			if r.full() || parallel.Stopped(r.ctx, i) {
				break
			}
			if err := r.add(r.row); err != nil {
				return err
			}
		}
	}
	return nil
}

// put adds the cell with its repetitions; there may be thousands of empty ones at the end of a row.
func (r *openRow) put() error {
	if r.cell.kind == textCell && r.cell.text == "" {
		var err error
		if r.cell.text, err = r.grid.text(r.text); err != nil {
			return err
		}
	}
	if len(r.row)+r.times > mostColumns {
		if r.cell.kind != nothing {
			return r.tooMany()
		}
		return nil
	}
	for range r.times {
		r.row = append(r.row, r.cell)
	}
	return nil
}

func (r *openRow) tooMany() error {
	return r.source.Failure(statfile.ErrDamaged, "cells are repeated more often than a sheet can hold: the file is damaged or made to exhaust memory")
}

func repetition(attributes []xml.Attr, name string) int {
	n, err := strconv.Atoi(attribute(attributes, name))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, 1<<30)
}

// cellOf returns the cell described by attributes.
func cellOf(attributes []xml.Attr) cell {
	number := func(name string, kind cellKind) cell {
		x, err := strconv.ParseFloat(attribute(attributes, name), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return cell{kind: errorCell}
		}
		return cell{kind: kind, number: x}
	}
	kind := ""
	for _, a := range attributes { // of two attributes, that of office defines the type
		if a.Name.Local == "value-type" && (kind == "" || a.Name.Space == "office") {
			kind = a.Value
		}
	}
	for _, a := range attributes {
		if a.Name.Local == "value-type" && a.Value == "error" {
			return cell{kind: errorCell}
		}
	}
	switch kind {
	case "float", "percentage", "currency":
		return number("value", numberCell)
	case "boolean":
		c := cell{kind: truthCell}
		if attribute(attributes, "boolean-value") == "true" {
			c.number = 1
		}
		return c
	case "date":
		days, ok := isoDays(attribute(attributes, "date-value"))
		if !ok {
			return cell{kind: errorCell}
		}
		return cell{kind: momentCell, number: days}
	case "time":
		fraction, ok := isoDuration(attribute(attributes, "time-value"))
		if !ok {
			return cell{kind: errorCell}
		}
		return cell{kind: clockCell, number: fraction}
	case "string":
		return cell{kind: textCell, text: attribute(attributes, "string-value")}
	default:
		if attribute(attributes, "formula") != "" {
			return cell{kind: unsolvedCell}
		}
		return cell{}
	}
}

// isoDays parses a date, with or without time, as days since 1970-01-01.
func isoDays(text string) (float64, bool) {
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04:05.999999999Z07:00",
		"2006-01-02T15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			return float64(at.Unix())/86400 + float64(at.Nanosecond())/86400e9, true
		}
	}
	return 0, false
}

// isoDuration parses a duration such as PT08H30M15S or -PT30M as a fraction of a day.
func isoDuration(text string) (float64, bool) {
	text, negative := strings.CutPrefix(text, "-")
	rest, ok := strings.CutPrefix(text, "PT")
	total := 0.0
	for rest != "" && ok {
		end := strings.IndexAny(rest, "HMS")
		if end < 0 {
			return 0, false
		}
		n, err := strconv.ParseFloat(rest[:end], 64)
		if err != nil {
			return 0, false
		}
		total += n * map[byte]float64{'H': 3600, 'M': 60, 'S': 1}[rest[end]]
		rest = rest[end+1:]
	}
	if negative {
		total = -total
	}
	return total / 86400, ok
}
