package fileio

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// columnText formats the cells of a column as text.
type columnText struct {
	*dialect
	data     *microdata.Dataset
	column   *microdata.Column
	spelling *microdata.Spelling
	title    []byte   // encoded name
	levels   [][]byte // encoded labels of a dictionary, by code minus 1
	codes    microdata.Codes
	numbers  *microdata.Numbers
	missing  []byte // for newly missing cells
	guarded  int    // number of cells with an apostrophe
	renamed  bool   // the name has an apostrophe
	left     bool   // pad a fixed field on the right

	described bool     // the variable is described in the source format
	declared  []string // missing codes in the description to be written
}

// columnText prepares a column. It detects every error in its texts before a byte is written.
func (t *textWriter) columnText(column *microdata.Column, guard bool) (columnText, error) {
	name := column.Name()
	c := columnText{dialect: t.dialect, data: t.data, column: column, spelling: t.data.Spelling(name),
		numbers: column.StoredAsNumbers()}
	if spelled, renamed := t.format.Renamed[name]; renamed {
		name = spelled
	}
	if guard && t.format.Header {
		name, c.renamed = guarded(name, t.mark)
	}
	var err error
	inQuotes := t.format.QuotedNames || name == "" && t.single // reading skips an empty line before the records
	if c.title, err = t.cell(name, inQuotes, "the name of variable "+quotedName(column.Name())); err != nil {
		return c, err
	}
	if c.numbers != nil && t.quote == 0 && t.mark == t.delimiter {
		return c, failure(ErrFormat,
			"variable %s: the decimal mark is also the delimiter, and there is no quote character; choose another "+
				"delimiter",
			quotedName(column.Name()))
	}
	_, c.described = t.read.field(column.Name())
	if c.declared = t.format.missingOf(column); len(c.declared) > 0 {
		if c.missing, err = t.cell(c.declared[0], false, "the first missing-value code"); err != nil {
			return c, err
		}
	}
	if c.numbers == nil {
		err = c.setLevels(t, guard)
	}
	return c, err
}

func (c *columnText) setLevels(t *textWriter, guard bool) error {
	if label, lost := t.format.ReadsAsMissing(c.column); lost && !(guard && isFormula(label, t.mark)) {
		return failure(ErrFormat,
			"variable %s has the category %s, which is a missing-value code of the file and would be read as missing; "+
				"choose another category name or other missing-value codes", quotedName(c.column.Name()), quotedName(label))
	}
	categories := c.column.Categories()
	c.codes = categories.Codes
	c.levels = make([][]byte, len(categories.Levels))
	what := "a value of variable " + quotedName(c.column.Name())
	for i, l := range categories.Levels {
		label := l.Label
		if spellsNumber(c.column, label) {
			label = strings.Replace(label, ".", string(t.mark), 1)
		} else if safe, formula := guarded(label, t.mark); guard && formula {
			label = safe
			c.guarded += categories.Counts()[i+1]
		}
		var err error
		if c.levels[i], err = t.cell(label, c.spelling.Quoted, what); err != nil {
			return err
		}
	}
	return nil
}

// spellsNumber reports whether a label is a number that is written with the decimal mark of the file: it belongs
// to a numeric variable, or to one whose numbers became categories.
func spellsNumber(column *microdata.Column, label string) bool {
	if column.Numeric() || !column.Source().Numeric() {
		return column.Numeric()
	}
	_, _, ok := parseNumber([]byte(label), '.')
	return ok
}

// cell returns the text of a cell with quotes, still in UTF-8; errors call it what.
func (t *textWriter) cell(text string, quoted bool, what string) ([]byte, error) {
	if char, ok := lacks(t.format.Encoding, text); !ok {
		return nil, failure(ErrEncoding, "%s contains the character U+%04X, which %s cannot encode; choose utf-8", what, char,
			t.format.Encoding)
	}
	if t.layout != nil {
		return t.describedCell(text, quoted, what)
	}
	switch needed := t.needsQuotes(text); {
	case needed && t.quote == 0:
		return nil, failure(ErrQuote,
			"%s contains a delimiter or a line break, and there is no quote character; choose a quote or another "+
				"delimiter", what)
	case needed || quoted && t.quote != 0:
		return t.appendQuoted(nil, text), nil
	}
	return []byte(text), nil
}

func (d *dialect) appendQuoted(dst []byte, text string) []byte {
	mark := string(d.quote)
	dst = append(dst, d.quote)
	dst = append(dst, strings.ReplaceAll(text, mark, mark+mark)...)
	return append(dst, d.quote)
}

// append appends a cell to dst.
func (c *columnText) append(dst []byte, record int) []byte {
	if c.numbers != nil {
		if math.IsNaN(c.numbers.Values[record]) {
			return c.appendMissing(dst, record)
		}
		return c.appendNumber(dst, record)
	}
	code := c.codes.At(record)
	if code == 0 {
		return c.appendMissing(dst, record)
	}
	return append(dst, c.levels[code-1]...)
}

func (c *columnText) appendNumber(dst []byte, record int) []byte {
	start := len(dst)
	dst = c.column.AppendText(dst, record)
	exchange(dst[start:], '.', c.mark)
	if c.quote != 0 && (c.spelling.Quoted || c.mark == c.delimiter && bytes.IndexByte(dst[start:], c.mark) >= 0) {
		dst = append(slices.Insert(dst, start, c.quote), c.quote)
	}
	return dst
}

func (c *columnText) appendMissing(dst []byte, record int) []byte {
	source := c.column.Source()
	if !source.Missing(record) || c.column.Suppressed().Has(record) {
		return append(dst, c.missing...)
	}
	spelling := c.spelling.OfMissing(c.data.SourceRecord(record))
	if c.layout != nil && !c.described && !c.declares(spelling.Text) {
		return append(dst, c.missing...)
	}
	text := c.column.Respelled(spelling.Text)
	if c.quote != 0 && (spelling.Quoted || c.layout == nil && c.needsQuotes(text)) {
		return c.appendQuoted(dst, text)
	}
	return append(dst, text...)
}

// declares reports whether a cell is missing for a reader of the described file. An empty text is, if the source
// declares codes for other cells.
func (c *columnText) declares(text string) bool {
	if text == "" {
		return len(c.column.Described().Missing) > 0
	}
	return slices.Contains(c.declared, text)
}
