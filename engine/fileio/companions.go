package fileio

import (
	"cmp"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/muargus"
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
// and costs of suppression are left out: they are nobody's business. Errors are
// those of WriteTo.
func Companions(path string, d *microdata.Dataset, f Format, o WriteOptions) ([]Companion, error) {
	if !f.described() {
		return nil, nil
	}
	o.GuardFormulas = false
	t, err := newTextWriter(d, f, o)
	if err != nil {
		return nil, err
	}
	trunk := filepath.Join(filepath.Dir(path), baseName(path))
	described := muargus.Description{Variables: make([]muargus.Variable, len(t.columns))}
	if f.Type == Free {
		described.Separator, described.Names = t.format.Delimiter, t.format.Header
	}
	var lists []Companion
	for i := range t.columns {
		field := t.describe(i)
		if labels := t.columns[i].labels(); len(labels) > 0 {
			list := Companion{trunk + "_" + plainFileName(field.Name) + ".cdl", encodedText(muargus.CodeListOf(labels).Text(), t.format.Encoding)}
			field.CodeList = filepath.Base(list.Path)
			lists = append(lists, list)
		}
		described.Variables[i] = field
	}
	slices.SortStableFunc(lists, func(x, y Companion) int { return cmp.Compare(x.Path, y.Path) })
	for i := 1; i < len(lists); i++ {
		if strings.EqualFold(lists[i].Path, lists[i-1].Path) {
			return nil, failure(ErrFormat, "two variables would have the code list %s; rename one of them", filepath.Base(lists[i].Path))
		}
	}
	return append([]Companion{{trunk + ".rda", encodedText(described.Text(), t.format.Encoding)}}, lists...), nil
}

// describe returns the description of a column as it is written.
func (t *textWriter) describe(i int) muargus.Variable {
	c := &t.columns[i]
	field, _ := t.format.field(c.column.Name())
	field.Missing, field.CodeList, field.IDLevel, field.Priority = t.format.missingOf(c.column), "", 0, nil
	if t.places != nil {
		field.Start, field.Width = t.places[i].from+1, t.places[i].to-t.places[i].from
	} else {
		field.Start, field.Width = 0, c.width(&t.format)
	}
	field.Related = slices.DeleteFunc(slices.Clone(field.Related), func(name string) bool {
		return !slices.ContainsFunc(t.columns, func(other columnText) bool { return strings.EqualFold(other.column.Name(), name) })
	})
	return field
}

// labels returns the labels of the column's codes.
func (c *columnText) labels() map[string]string {
	if coding := c.column.Coding(); coding != nil {
		return coding.Labels
	}
	return nil
}

// plainFileName returns a name of ASCII letters, digits and underlines.
func plainFileName(name string) string {
	return strings.Map(func(char rune) rune {
		letter := char|0x20 >= 'a' && char|0x20 <= 'z'
		if digit := char >= '0' && char <= '9'; letter || digit || char == '_' {
			return char
		}
		return '_'
	}, name)
}

// encodedText returns a text in an encoding; what that cannot hold becomes a
// question mark.
func encodedText(text, name string) string {
	encode := encodingOf(name)
	if encode == nil {
		return text
	}
	text = strings.Map(func(char rune) rune {
		if _, ok := encode.lacks(string(char)); !ok {
			return '?'
		}
		return char
	}, text)
	return string(byteOrderMark(name)) + string(encode.append(nil, []byte(text)))
}

// fieldsOf describes the variables of a dataset that no description came with:
// fields side by side, as wide as their widest cell, and a missing code of
// nines, longer than the cells where these are nines too.
func fieldsOf(d *microdata.Dataset) []muargus.Variable {
	fields := make([]muargus.Variable, len(d.Columns()))
	at := 1
	for i, column := range d.Columns() {
		width, nines := 1, 0
		var cell []byte
		for record := range column.Len() {
			cell = column.AppendText(cell[:0], record)
			width = max(width, utf8.RuneCount(cell))
			if strings.Trim(string(cell), "9") == "" {
				nines = max(nines, len(cell))
			}
		}
		width = max(width, nines+1)
		fields[i] = muargus.Variable{Name: column.Name(), Start: at, Width: width, Missing: []string{strings.Repeat("9", width)},
			Numeric: column.Numeric(), Recodable: column.Kind() != microdata.Number, Decimals: decimalsOf(column)}
		at += width
	}
	return fields
}

// decimalsOf returns the most decimals of a column of numbers, in the first
// records.
func decimalsOf(column *microdata.Column) int {
	if column.Kind() != microdata.Number {
		return 0
	}
	decimals := 0
	for record := range min(column.Len(), 1000) {
		if _, fraction, ok := strings.Cut(column.Text(record), "."); ok {
			if _, err := strconv.Atoi(fraction); err == nil {
				decimals = max(decimals, len(fraction))
			}
		}
	}
	return decimals
}

// Write writes the file; it is what Stage needs.
func (c *Companion) Write(w io.Writer) error {
	_, err := io.WriteString(w, c.Text)
	return err
}
