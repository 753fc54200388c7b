package spreadsheet

import (
	"bytes"
	"context"
	"encoding/xml"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Excel reads and writes workbooks of Excel (.xlsx, .xlsm).
type Excel struct{}

// Info describes the file type.
func (Excel) Info() statfile.Info {
	return statfile.Info{Name: "xlsx", Program: "an Excel workbook (xlsx)", Endings: []string{".xlsx"}, Options: options}
}

// Recognise reports whether a file is an Excel workbook, and lists its sheets.
func (Excel) Recognise(ctx context.Context, in *statfile.Source) (statfile.Settings, bool, error) {
	if !bytes.HasPrefix(in.Head(), []byte("PK\x03\x04")) {
		return nil, false, nil
	}
	a, err := openArchive(in)
	if err != nil { // Read reports that the workbook is damaged
		return statfile.Settings{}, bytes.Contains(in.Head(), []byte("xl/w")), nil
	}
	w := workbook{archive: a}
	if w.place(ctx); !strings.HasSuffix(strings.ToLower(w.main), ".xml") || !a.has(w.main) {
		return nil, false, nil
	}
	if err := w.contents(ctx); err != nil {
		return statfile.Settings{}, true, nil
	}
	return suggested(w.names), true, nil
}

// workbook holds the contents of a workbook apart from its sheets.
type workbook struct {
	*archive
	main    string // name of the part that lists the sheets
	links   string // name of the part with its relationships
	names   []string
	parts   []string // names of the parts of the sheets
	base    float64  // day number of 1970-01-01
	formats []cellKind
	texts   []string
}

// Day numbers of 1970-01-01 in the two date systems of Excel.
const (
	days1900 = 25569
	days1904 = 24107
)

// place finds the part that lists the sheets.
func (w *workbook) place(ctx context.Context) {
	w.main = w.target(ctx, "_rels/.rels", "/officeDocument")
	main := strings.TrimPrefix(w.main, "/")
	w.links = path.Join(path.Dir(main), "_rels", path.Base(main)+".rels")
}

// target returns the target of a part's relationship of a type, or "".
func (w *workbook) target(ctx context.Context, name, way string) string {
	for _, target := range w.relations(ctx, name, way) {
		return target
	}
	return ""
}

// relations returns the targets of a part's relationships of a type, or of all types for "", by ID.
func (w *workbook) relations(ctx context.Context, name, way string) map[string]string {
	out := map[string]string{}
	p, err := w.part(name, nil)
	if err != nil {
		return out
	}
	folder := path.Dir(path.Dir(name))
	_ = p.each(ctx, func(name string, attributes []xml.Attr) error {
		if name == "Relationship" && strings.HasSuffix(attribute(attributes, "Type"), way) {
			target := attribute(attributes, "Target")
			if !strings.HasPrefix(target, "/") {
				target = path.Join(folder, target)
			}
			if len(out) < mostColumns {
				out[attribute(attributes, "Id")] = target
			}
		}
		return nil
	}, nil, nil) // use what was read of a damaged part
	return out
}

// contents reads the list of sheets.
func (w *workbook) contents(ctx context.Context) error {
	p, err := w.part(w.main, nil)
	if err != nil {
		return err
	}
	parts := w.relations(ctx, w.links, "")
	w.base = days1900
	return p.each(ctx, func(name string, attributes []xml.Attr) error {
		switch name {
		case "workbookPr":
			if v := attribute(attributes, "date1904"); v == "1" || v == "true" {
				w.base = days1904
			}
		case "sheet":
			for _, a := range attributes {
				if target := parts[a.Value]; a.Name.Local == "id" && target != "" && len(w.names) < mostColumns && !strings.Contains(target, "chartsheets/") {
					w.names, w.parts = append(w.names, attribute(attributes, "name")), append(w.parts, target)
				}
			}
		}
		return nil
	}, nil, nil)
}

// Read reads a sheet.
func (Excel) Read(ctx context.Context, in *statfile.Source, o statfile.ReadOptions,
	meter *progress.Meter) (*statfile.File, error) {
	a, err := openArchive(in)
	if err != nil {
		return nil, err
	}
	w := &workbook{archive: a}
	if w.place(ctx); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := w.contents(ctx); err != nil {
		return nil, err
	}
	at, err := chosen(in, w.names, o.Settings)
	if err != nil {
		return nil, err
	}
	if err := w.styles(ctx); err != nil {
		return nil, err
	}
	if err := w.sharedTexts(ctx); err != nil {
		return nil, err
	}
	g := newGrid(in, &o)
	if err := w.cells(ctx, w.parts[at], g, meter); err != nil {
		return nil, err
	}
	return g.file(w.names, at)
}

// styles reads which cell formats show dates and times.
func (w *workbook) styles(ctx context.Context) error {
	name := w.target(ctx, w.links, "/styles")
	if !w.has(name) {
		return nil
	}
	p, err := w.part(name, nil)
	if err != nil {
		return err
	}
	own := map[string]cellKind{}
	cells := false
	return p.each(ctx, func(name string, attributes []xml.Attr) error {
		switch id := attribute(attributes, "numFmtId"); {
		case name == "numFmt" && len(own) < mostRows>>4:
			if kind := shownAs(attribute(attributes, "formatCode")); kind != numberCell || own[id] == nothing {
				own[id] = kind
			}
		case name == "cellXfs":
			cells = true
		case name == "xf" && cells:
			kind, known := own[id]
			if !known {
				kind = builtIn(id)
			}
			w.formats = append(w.formats, kind)
		}
		return nil
	}, nil, func(name string) error {
		if name == "cellXfs" {
			cells = false
		}
		return nil
	})
}

// builtIn returns the type of cells with a built-in number format.
func builtIn(id string) cellKind {
	n, _ := strconv.Atoi(id)
	switch {
	case n >= 14 && n <= 17 || n == 22 || n >= 27 && n <= 31 || n == 36 || n >= 50 && n <= 58:
		return momentCell
	case n >= 18 && n <= 21 || n >= 32 && n <= 35 || n >= 45 && n <= 47:
		return clockCell
	default:
		return numberCell
	}
}

// plainText matches the literal parts of a number format: quoted, escaped, or in brackets other than elapsed
// hours, minutes or seconds.
var plainText = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|\[[^\]]*[^hmsHMS\]][^\]]*\]|(?i:general)|AM/PM|A/P|(?i:am/pm)`)

// shownAs returns the type of cells with a number format.
func shownAs(code string) cellKind {
	code, _, _ = strings.Cut(code, ";")
	code = strings.ToLower(plainText.ReplaceAllString(code, ""))
	switch {
	case strings.ContainsAny(code, "yd") || strings.Contains(code, "m") && !strings.ContainsAny(code, "hs"):
		return momentCell
	case strings.ContainsAny(code, "hs"):
		return clockCell
	default:
		return numberCell
	}
}

// sharedTexts reads the shared strings.
func (w *workbook) sharedTexts(ctx context.Context) error {
	name := w.target(ctx, w.links, "/sharedStrings")
	if !w.has(name) {
		return nil
	}
	p, err := w.part(name, nil)
	if err != nil {
		return err
	}
	var text richText
	taken := int64(0)
	return p.each(ctx, func(name string, _ []xml.Attr) error {
		if name == "si" {
			text.text = text.text[:0]
		}
		text.start(name)
		return nil
	}, text.chars, func(name string) error {
		text.end(name)
		if name != "si" {
			return nil
		}
		if len(text.text) > statfile.MostCell {
			return w.in.Failure(statfile.ErrLimit, "text %s of the workbook exceeds %s, the limit: check the file",
				wording.Number(len(w.texts)+1), statfile.Megabytes(statfile.MostCell))
		}
		const ofEach = 40
		if taken += ofEach + int64(len(text.text)); w.in.Aside(taken) != nil {
			return w.in.Aside(taken)
		}
		w.texts = append(w.texts, unescaped(string(text.text)))
		return nil
	})
}

// richText collects a text of several runs, without phonetic text.
type richText struct {
	text     []byte
	taking   bool
	phonetic bool
}

func (t *richText) start(name string) {
	switch name {
	case "t":
		t.taking = !t.phonetic
	case "rPh":
		t.phonetic = true
	}
}

func (t *richText) chars(chars []byte) {
	if t.taking {
		t.text = more(t.text, chars...)
	}
}

func (t *richText) end(name string) {
	switch name {
	case "v", "t":
		t.taking = false
	case "rPh":
		t.phonetic = false
	}
}

// escapes matches Excel's escapes of characters that XML cannot represent.
var escapes = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

func unescaped(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	return escapes.ReplaceAllStringFunc(text, func(code string) string {
		char, _ := strconv.ParseUint(code[2:6], 16, 32)
		return string(rune(char))
	})
}

// cells reads the cells of a sheet.
func (w *workbook) cells(ctx context.Context, name string, g *grid, meter *progress.Meter) error {
	p, err := w.part(name, meter)
	if err != nil {
		return err
	}
	r := excelRow{workbook: w, grid: g}
	return p.each(ctx, r.start, r.chars, r.end)
}

// excelRow is the row being read.
type excelRow struct {
	*workbook
	*grid
	richText // text of the cell being read
	row      []cell
	at       int // its column
	kind     string
	style    int
	inline   bool // the cell contains its text
	formula  bool // the cell has a formula
}

func (r *excelRow) start(name string, attributes []xml.Attr) error {
	switch name {
	case "row":
		if r.full() {
			return errStop
		}
		r.row, r.at = r.row[:0], -1
	case "c":
		r.at++
		if column := columnOf(attribute(attributes, "r")); column >= 0 {
			r.at = column
		}
		if r.at >= mostColumns {
			return r.in.Failure(statfile.ErrDamaged,
				"a cell is in a column that no sheet has: the workbook is damaged")
		}
		r.kind, r.richText.text, r.inline, r.formula = attribute(attributes, "t"), r.richText.text[:0], false, false
		r.style, _ = strconv.Atoi(attribute(attributes, "s"))
	case "is": // the displayed text; some programs write an earlier value besides
		r.richText.text, r.inline = r.richText.text[:0], true
	case "f":
		r.formula = true
	case "v":
		r.taking = !r.inline
	default:
		r.richText.start(name)
	}
	return nil
}

func (r *excelRow) end(name string) error {
	r.richText.end(name)
	switch name {
	case "c":
		if r.at < 0 {
			return r.in.Failure(statfile.ErrDamaged, "a row starts inside a cell: the workbook is damaged")
		}
		for len(r.row) <= r.at {
			r.row = append(r.row, cell{})
		}
		return r.cell(&r.row[r.at])
	case "row":
		return r.add(r.row)
	}
	return nil
}

// cell converts a cell from its text.
func (r *excelRow) cell(c *cell) error {
	text, err := r.grid.text(r.richText.text)
	if err != nil {
		return err
	}
	switch r.kind {
	case "s":
		place, err := strconv.Atoi(strings.TrimSpace(text))
		if text == "" {
			return nil
		}
		if err != nil || place < 0 || place >= len(r.texts) {
			return r.in.Failure(statfile.ErrDamaged, "a cell refers to a text that does not exist: the workbook is damaged")
		}
		*c = cell{kind: textCell, text: r.texts[place]}
	case "str", "inlineStr":
		*c = cell{kind: textCell, text: unescaped(text)}
	case "b":
		*c = cell{kind: truthCell}
		if text == "1" || text == "true" {
			c.number = 1
		}
	case "e":
		c.kind = errorCell
	case "d":
		days, ok := isoDays(text)
		if *c = (cell{kind: momentCell, number: days}); !ok {
			*c = cell{kind: textCell, text: text}
		}
	default:
		if text == "" {
			if r.formula {
				c.kind = unsolvedCell
			}
			return nil
		}
		number, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.IsNaN(number) || math.IsInf(number, 0) {
			c.kind = errorCell
			return nil
		}
		*c = r.dated(number, r.style)
	}
	return nil
}

// dated converts a number according to its format.
func (w *workbook) dated(number float64, style int) cell {
	kind := numberCell
	if style >= 0 && style < len(w.formats) {
		kind = w.formats[style]
	}
	if kind == momentCell {
		const notADay = 60 // 1900-02-29, which Excel counts but does not exist
		if w.base == days1900 && number < notADay {
			number++
		}
		number -= w.base
	}
	return cell{kind: kind, number: number}
}

// columnOf returns the column, from 0, of a reference such as BC12, or -1.
func columnOf(reference string) int {
	column := 0
	for i := 0; i < len(reference) && reference[i] >= 'A' && reference[i] <= 'Z' && i < 4; i++ {
		column = 26*column + int(reference[i]-'A') + 1
	}
	return column - 1
}
