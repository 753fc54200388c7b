package spreadsheet

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// cellKind is the type of a cell.
type cellKind uint8

const (
	nothing cellKind = iota
	numberCell
	momentCell // days since 1970-01-01; the fraction is the time
	clockCell  // fraction of a day
	truthCell
	textCell
	errorCell
	unsolvedCell // formula without a stored result
)

// cell is the content of a cell.
type cell struct {
	kind   cellKind
	number float64
	text   string
}

// grid collects the cells of a sheet row by row.
type grid struct {
	in      *statfile.Source
	header  bool // the first row contains the names
	most    int  // maximum number of rows; 0 for all
	na      bool // the text NA is missing
	names   []string
	wanted  func(name string) bool
	skip    []bool // columns that are not selected
	columns []*gridColumn
	rows    int
	begun   bool

	taken int64 // memory of cells not yet taken from the budget
	ofRow int64 // memory of the texts of the current row

	empty, errors, unsolved, nas int // empty rows skipped; cells that are missing by cause
}

// gridColumn holds the types and numbers of cells up to the last cell that is not empty; the number of a text is
// its index in spelt.
type gridColumn struct {
	kinds  []cellKind
	values []float64
	texts  map[string]int
	spelt  []string
}

// mostNamed is the maximum number of sheets named in an error.
const mostNamed = 10

// The maximum size of a sheet in either program.
const (
	mostRows    = 1 << 20
	mostColumns = 1 << 14
)

// full reports whether the maximum number of rows was read.
func (g *grid) full() bool { return g.most > 0 && g.rows >= g.most }

// text returns the text of a cell of the current row; see statfile.MostCell.
func (g *grid) text(content []byte) (string, error) {
	if len(content) > statfile.MostCell {
		return "", g.in.LongCell(g.rows + 1)
	}
	g.ofRow += int64(len(content))
	return string(content), g.in.Aside(g.ofRow)
}

// more appends to the text of a cell, up to the length that shows that it is too long.
func more(text []byte, content ...byte) []byte {
	if len(text) > statfile.MostCell {
		return text
	}
	return append(text, content...)
}

// add adds a row, without trailing empty cells, and takes its memory from the budget. An empty row is only
// counted.
func (g *grid) add(row []cell) error {
	g.ofRow = 0
	g.addRow(row)
	const often = 1 << 16
	if g.taken < often {
		return nil
	}
	taken := g.taken
	g.taken = 0
	return g.in.Take(taken)
}

func (g *grid) addRow(row []cell) {
	for len(row) > 0 && row[len(row)-1].kind == nothing {
		row = row[:len(row)-1]
	}
	switch {
	case len(row) == 0:
		g.empty++
		return
	case g.full():
		return
	case !g.begun && g.header:
		g.begun = true
		for _, c := range row {
			g.names = append(g.names, c.spelled())
		}
		for i := range g.names {
			g.grow(i)
		}
		return
	}
	g.begun = true
	for i := range row {
		if c := &row[i]; c.kind != nothing {
			g.grow(i)
			if !g.skip[i] {
				g.put(g.columns[i], c)
			}
		}
	}
	g.rows++
}

// Bytes of memory of a column and of a cell.
const (
	ofColumn = 200
	ofCell   = 9
	ofText   = 80 // besides the bytes of the text
)

// grow adds columns up to the given one.
func (g *grid) grow(column int) {
	for len(g.columns) <= column {
		name := ""
		if i := len(g.columns); i < len(g.names) {
			name = g.names[i]
		}
		g.skip = append(g.skip, !g.wanted(name))
		g.columns = append(g.columns, &gridColumn{})
		g.taken += ofColumn
	}
}

func (g *grid) put(column *gridColumn, c *cell) {
	value := c.number
	switch {
	case c.kind == errorCell:
		g.errors++
		return
	case c.kind == unsolvedCell:
		g.unsolved++
		return
	case c.kind == textCell && g.na && c.text == "NA":
		g.nas++
		return
	case c.kind == textCell:
		place, known := column.texts[c.text]
		if !known {
			if column.texts == nil {
				column.texts = map[string]int{}
			}
			place = len(column.spelt)
			column.texts[c.text] = place
			column.spelt = append(column.spelt, c.text)
			g.taken += int64(ofText + len(c.text))
		}
		value = float64(place)
	}
	short := g.rows - len(column.kinds)
	if g.taken += ofCell * int64(short+1); short > 0 {
		column.kinds = append(column.kinds, make([]cellKind, short)...)
		column.values = append(column.values, make([]float64, short)...)
	}
	column.kinds = append(column.kinds, c.kind)
	column.values = append(column.values, value)
}

// file returns the file of sheet number at; if it is empty, the error names the other sheets.
func (g *grid) file(sheets []string, at int) (*statfile.File, error) {
	if others := slices.Delete(slices.Clone(sheets), at, at+1); len(g.columns) == 0 && len(others) > 0 {
		return nil, g.in.Failure(statfile.ErrUnsupported, "the sheet %q is empty; choose another one (--read sheet=NAME): %s",
			wording.Excerpt(sheets[at]), strings.Join(wording.FirstFew(others, mostNamed), ", "))
	}
	f := &statfile.File{Rows: g.rows, Total: g.rows, Encoding: "utf-8",
		Settings: statfile.Settings{sheetSetting: sheets[at]}}
	if g.full() {
		f.Total = -1
	}
	for i, column := range g.columns {
		if g.skip[i] {
			continue
		}
		v := statfile.Variable{}
		if i < len(g.names) {
			v.Name = g.names[i]
		}
		if err := g.in.Take(int64(g.rows)); err != nil { // minimum; values were taken already
			return nil, err
		}
		column.fill(&v, g.rows)
		f.Variables = append(f.Variables, v)
	}
	say := func(n int, one, many string) {
		if n > 0 {
			f.Warnings = append(f.Warnings, wording.CountedAs(n, one, many))
		}
	}
	if g.rows > 0 {
		say(g.empty, "empty row is skipped", "empty rows are skipped")
	}
	say(g.errors, "cell with an error, such as #N/A, is read as missing", "cells with an error, such as #N/A, are read as missing")
	say(g.unsolved, "cell with a formula has no stored result and is read as missing: recalculate and save the file in the "+
		"program that wrote it",
		"cells with formulas have no stored result and are read as missing: recalculate and save the file in the "+
			"program that wrote it")
	say(g.nas, "cell with the text NA is read as missing; the option \"text NA\" changes this",
		"cells with the text NA are read as missing; the option \"text NA\" changes this")
	return f, nil
}

// fill builds a variable from the cells, as text if they have several types or none.
func (c *gridColumn) fill(v *statfile.Variable, rows int) {
	only, whole := nothing, true
	for i, kind := range c.kinds {
		switch {
		case kind == nothing || kind == only:
		case only == nothing:
			only = kind
		default:
			only = textCell
		}
		whole = whole && (kind != momentCell || c.values[i] == math.Trunc(c.values[i]))
	}
	of := func(x float64) float64 { return x }
	switch {
	case only == numberCell:
	case only == truthCell:
		v.Kind = statfile.Boolean
	case only == momentCell && whole:
		v.Kind = statfile.Date
	case only == momentCell:
		v.Kind, of = statfile.DateTime, seconds
	case only == clockCell:
		v.Kind, of = statfile.Time, seconds
	default:
		v.Kind, v.Column.Texts = statfile.Text, c.spelled(rows)
		return
	}
	v.Column.Numbers = c.numbers(rows, of)
}

// seconds converts days to seconds, rounded to milliseconds, the precision of days in float64.
func seconds(days float64) float64 { return math.Round(days*86400*1000) / 1000 }

func (c *gridColumn) numbers(rows int, of func(float64) float64) []float64 {
	out := make([]float64, rows)
	for i := range out {
		if i < len(c.kinds) && c.kinds[i] != nothing {
			out[i] = of(c.values[i])
		} else {
			out[i] = statfile.Missing()
		}
	}
	return out
}

func (c *gridColumn) spelled(rows int) *statfile.Texts {
	d := statfile.NewDictionary(rows)
	codes := make([]uint32, len(c.spelt))
	for i := range rows {
		switch {
		case i >= len(c.kinds) || c.kinds[i] == nothing:
			d.AddMissing()
		case c.kinds[i] == textCell:
			place := int(c.values[i])
			if codes[place] == 0 {
				codes[place] = d.Code([]byte(c.spelt[place]))
			}
			d.AddCode(codes[place])
		default:
			one := cell{kind: c.kinds[i], number: c.values[i]}
			d.Add([]byte(one.spelled()))
		}
	}
	return d.Texts()
}

// spelled formats a cell as text.
func (c *cell) spelled() string {
	switch c.kind {
	case textCell:
		return c.text
	case numberCell:
		return strconv.FormatFloat(c.number, 'f', -1, 64)
	case truthCell:
		return map[bool]string{true: "TRUE", false: "FALSE"}[c.number != 0]
	case momentCell:
		at := time.UnixMilli(int64(math.Round(max(min(c.number, 1e7), -1e7) * 86400 * 1000))).UTC()
		if c.number == math.Trunc(c.number) {
			return at.Format(time.DateOnly)
		}
		return at.Format("2006-01-02T15:04:05.999")
	case clockCell:
		text, ok := statfile.Clock(seconds(c.number))
		if !ok {
			return strconv.FormatFloat(c.number, 'f', -1, 64)
		}
		return text
	default:
		return ""
	}
}
