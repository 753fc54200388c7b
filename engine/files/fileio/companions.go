package fileio

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
)

// Companion is a file that accompanies a data file.
type Companion struct {
	Path string
	Text string
}

// Companions returns the files that describe a dataset written to path. For type Fixed or Free they are a
// description (.rda) and a code list (.cdl) for every variable with value labels; for most other formats there are
// none. Identification levels and suppression costs are left out, as mu-Argus does for protected files, because
// recipients do not need them. A codebook is included if the options name one. Errors are those of WriteTo; they
// wrap ErrFormat if the format has no codebook, or ErrNoLabels if there is nothing to describe.
func Companions(path string, d *microdata.Dataset, f Format, o WriteOptions) ([]Companion, error) {
	f = FormatFor(path, f)
	if o.Codebook != "" {
		text, err := codebookText(o.Codebook, path, d, f, o)
		return []Companion{{o.Codebook, text}}, err
	}
	if !f.described() {
		return nil, nil
	}
	o.GuardFormulas = false
	t, err := newTextWriter(d, f, o)
	if err != nil {
		return nil, err
	}
	trunk := filepath.Join(filepath.Dir(path), baseName(path))
	described := t.format.asDescribed()
	described.Variables = make([]muargus.Variable, len(t.columns))
	for i := range t.columns {
		described.Variables[i].Name = t.columns[i].column.Name()
	}
	kept := muargus.ByName(described.Variables)
	var lists []Companion
	for i := range t.columns {
		field := t.describe(i)
		field.Related = slices.DeleteFunc(slices.Clone(field.Related), func(name string) bool { return len(kept(name)) == 0 })
		if labels := t.columns[i].column.Described().Labels; len(labels) > 0 {
			list := Companion{trunk + "_" + wording.FileWord(field.Name, "") + ".cdl",
				encodedText(muargus.CodeListText(labels), t.format.Encoding)}
			field.CodeList = filepath.Base(list.Path)
			lists = append(lists, list)
		}
		described.Variables[i] = field
	}
	slices.SortStableFunc(lists, func(x, y Companion) int { return cmp.Compare(x.Path, y.Path) })
	for i, list := range lists {
		if slices.ContainsFunc(lists[:i], func(other Companion) bool { return strings.EqualFold(other.Path, list.Path) }) {
			return nil, failure(ErrFormat, "two variables would have the code list %s; rename one of them",
				filepath.Base(list.Path))
		}
	}
	return append([]Companion{{trunk + ".rda", encodedText(described.Text(), t.format.Encoding)}}, lists...), nil
}

// describe returns the description of a column to be written.
func (t *textWriter) describe(i int) muargus.Variable {
	c := &t.columns[i]
	field, _ := t.format.field(c.column.Name())
	field.Missing, field.CodeList, field.IDLevel, field.Priority = t.format.missingOf(c.column), "", 0, nil
	field.Truncable = field.Truncable && !c.column.Recoded() // new codes need not be hierarchical
	if t.places != nil {
		field.Start, field.Width = t.places[i].from+1, t.places[i].to-t.places[i].from
	} else {
		field.Start, field.Width = 0, c.width(&t.format)
	}
	return field
}

// encodedText encodes a text; characters that the encoding lacks become question marks.
func encodedText(text, name string) string {
	if withoutMark(name) == UTF8 {
		return text
	}
	text = strings.Map(func(char rune) rune {
		if _, ok := lacks(name, string(char)); !ok {
			return '?'
		}
		return char
	}, text)
	return string(byteOrderMark(name)) + string(encoded(name, []byte(text)))
}

// fieldsFor returns the described fields of a format, followed by new fields for variables that it does not
// describe: those added by steps, or all variables of a file without a description.
func (f *Format) fieldsFor(d *microdata.Dataset) []muargus.Variable {
	fields := slices.Clone(f.Fields)
	at := 1
	for _, field := range fields {
		at = max(at, field.Start+field.Width)
	}
	for _, column := range d.Columns() {
		if _, described := f.field(column.Name()); !described {
			fields = append(fields, newField(column, at))
			at += fields[len(fields)-1].Width
		}
	}
	return fields
}

// newField returns a description of a variable: a field as wide as the widest cell, with a missing code of nines
// that is longer than any cell of nines.
func newField(column *microdata.Column, start int) muargus.Variable {
	field := muargus.Variable{Name: column.Name(), Start: start, Width: 1, Numeric: column.Numeric(),
		Recodable: column.Kind() != microdata.Number}
	var cell []byte
	look := func(text []byte) {
		field.Width = max(field.Width, utf8.RuneCount(text))
		if strings.Trim(string(text), "9") == "" {
			field.Width = max(field.Width, len(text)+1)
		}
		if _, decimals, marked := strings.Cut(string(text), "."); marked && field.Numeric {
			field.Decimals = min(max(field.Decimals, len(decimals)), muargus.MaxWidth)
		}
	}
	if column.StoredAsNumbers() == nil {
		for _, level := range column.Categories().Levels {
			look([]byte(level.Label))
		}
	} else {
		for record := range column.Len() {
			cell = column.AppendText(cell[:0], record)
			look(cell)
		}
	}
	field.Missing = []string{strings.Repeat("9", field.Width)}
	return field
}

// describedCell returns the text of a cell of a described file. A text that would be read differently is an error,
// because quotes do not protect it.
func (t *textWriter) describedCell(text string, quoted bool, what string) ([]byte, error) {
	switch {
	case strings.ContainsAny(text, "\n"+string(rune(t.dialect.newline))):
		return nil, failure(ErrFormat,
			"%s contains a line break, which a file of type %q cannot hold; choose another label, or remove the variable", what,
			t.format.Type)
	case text != "" && (blank(text[0]) || blank(text[len(text)-1])):
		return nil, failure(ErrFormat,
			"%s begins or ends with a space, which would be lost; choose another label, or remove the variable", what)
	case t.format.Type == Fixed:
		return []byte(text), nil
	case strings.IndexByte(text, t.delimiter) >= 0:
		return nil, failure(ErrFormat,
			"%s contains the delimiter %q, which quotes do not protect in a file of type %q; choose another delimiter or "+
				"label, or remove the variable", what, t.format.Delimiter, t.format.Type)
	}
	if quoted || len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' {
		text = `"` + text + `"`
	}
	return []byte(text), nil
}

// setPlaces sets the positions of columns in fixed records: those described, shifted if a field before them grew,
// shrank or was left out.
func (t *textWriter) setPlaces() {
	columns := make(map[string]int, len(t.columns))
	for i := range t.columns {
		columns[t.columns[i].column.Name()] = i
	}
	t.places = make([]extent, len(t.columns))
	fields := slices.Clone(t.format.Fields)
	slices.SortStableFunc(fields, func(x, y muargus.Variable) int { return x.Start - y.Start })
	end, at := 1, 0 // ends of the field before in the description and in the output
	for _, field := range fields {
		gap := field.Start - end
		end = field.Start + field.Width
		if i, written := columns[field.Name]; written {
			t.places[i] = extent{at + gap, at + gap + t.columns[i].width(&t.format)}
			at, t.columns[i].left, t.order = t.places[i].to, field.Left, append(t.order, i)
		}
	}
}

// width returns the width of the column in characters: as described, or after a recode as in its new description,
// and wider if a cell needs it.
func (c *columnText) width(f *Format) int {
	field, _ := f.field(c.column.Name())
	width := max(field.Width, utf8.RuneCount(c.missing), 1)
	if c.described {
		width = max(cmp.Or(c.column.Described().Width, field.Width), utf8.RuneCount(c.missing), 1)
		if c.column == c.column.Source() && (c.numbers == nil || c.numbers.Decimals < microdata.Shortest) {
			return width // not changed since it was read
		}
	}
	for _, code := range f.missingOf(c.column) {
		width = max(width, utf8.RuneCountInString(code))
	}
	if c.numbers == nil {
		for _, level := range c.levels {
			width = max(width, utf8.RuneCount(level))
		}
		return width
	}
	var cell []byte
	for record := range c.column.Len() {
		cell = c.append(cell[:0], record)
		width = max(width, len(cell))
	}
	return width
}

// renderFixed appends the records in [from, to) with fixed fields.
func (t *textWriter) renderFixed(text []byte, from, to int) []byte {
	var cell []byte
	for record := from; record < to; record++ {
		at := 0
		for _, i := range t.order {
			c := &t.columns[i]
			cell = c.append(cell[:0], record)
			blanks, behind := t.places[i].to-t.places[i].from-utf8.RuneCount(cell), 0
			if c.left {
				blanks, behind = 0, blanks
			}
			text = appendBlanks(text, t.places[i].from-at+blanks)
			text = appendBlanks(append(text, cell...), behind)
			at = t.places[i].to
		}
		text = t.endLine(text, record == t.data.Len()-1)
	}
	return text
}

func appendBlanks(text []byte, n int) []byte {
	return append(text, bytes.Repeat([]byte{' '}, max(0, n))...)
}
