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

// Companion is a file that belongs beside a data file.
type Companion struct {
	Path string
	Text string
}

// Companions returns the files that describe a dataset written to path: none
// for most formats; for those of type Fixed or Free a description (.rda) and a
// code list (.cdl) for every variable whose codes have labels. As in the
// descriptions that mu-Argus writes for protected files, identification levels
// and costs of suppression are left out: they are nobody's business. A codebook is
// one where the options name it. Errors are those of WriteTo; they wrap ErrFormat where
// a codebook has no place beside the file, ErrNoLabels where it has nothing to say.
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

// describe returns the description of a column as it is written.
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

// encodedText returns a text in an encoding; what that cannot hold becomes a
// question mark.
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

// fieldsFor returns the described fields of a format and, behind them, fields
// for the variables of a dataset that it does not describe: those that steps
// made, or all of a file that came without a description.
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

// newField describes a variable: a field as wide as the widest cell, and for
// missing cells a code of nines, longer than any cell that is all nines.
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

// describedCell returns a cell of a described file. What would be read as
// something else is an error: there quotes protect nothing.
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

// setPlaces says where the columns stand in records of fixed fields: where they
// are described, unless a field before them grew, shrank, or was left out.
func (t *textWriter) setPlaces() {
	columns := make(map[string]int, len(t.columns))
	for i := range t.columns {
		columns[t.columns[i].column.Name()] = i
	}
	t.places = make([]extent, len(t.columns))
	fields := slices.Clone(t.format.Fields)
	slices.SortStableFunc(fields, func(x, y muargus.Variable) int { return x.Start - y.Start })
	end, at := 1, 0 // of the described field before, and of the one written before
	for _, field := range fields {
		gap := field.Start - end
		end = field.Start + field.Width
		if i, written := columns[field.Name]; written {
			t.places[i] = extent{at + gap, at + gap + t.columns[i].width(&t.format)}
			at, t.columns[i].left, t.order = t.places[i].to, field.Left, append(t.order, i)
		}
	}
}

// width returns the characters that the column needs: those described, or after
// a recode those its description says, and more where a cell is wider.
func (c *columnText) width(f *Format) int {
	field, _ := f.field(c.column.Name())
	width := max(field.Width, utf8.RuneCount(c.missing), 1)
	if c.described {
		width = max(cmp.Or(c.column.Described().Width, field.Width), utf8.RuneCount(c.missing), 1)
		if c.column == c.column.Source() && (c.numbers == nil || c.numbers.Decimals < microdata.Shortest) {
			return width // as it was read
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

// renderFixed appends records of fixed fields from one to before another.
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
