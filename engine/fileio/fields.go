package fileio

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/muargus"
)

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
	field := muargus.Variable{Name: column.Name(), Start: start, Width: 1, Numeric: column.Numeric(), Recodable: column.Kind() != microdata.Number}
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
