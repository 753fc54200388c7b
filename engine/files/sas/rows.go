package sas

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// field is where a variable stands in a row.
type field struct {
	offset, width int
	kind          statfile.Kind
}

// table turns rows into columns.
type table struct {
	fields []field // of the variables that are wanted
	stride int     // bytes of a row
	number func(bytes []byte) float64
}

// memory is what a goroutine reads into: a page, and a block of rows.
type memory struct {
	statfile.RowMemory
	page []byte
}

// put puts a block of rows, which starts with row first, into blocks of columns.
func (t *table) put(blocks *statfile.Blocks, first int, m *statfile.RowMemory) {
	rows, count := m.Rows, 0
	if t.stride > 0 {
		count = len(rows) / t.stride
	}
	for i, f := range t.fields {
		if f.kind == statfile.Text {
			texts := statfile.NewDictionary(count)
			for at := f.offset; at+f.width <= len(rows); at += t.stride {
				texts.Add(statfile.WithoutBlanks(rows[at : at+f.width]))
			}
			blocks.Put(first, i, statfile.Column{Texts: texts.Texts()})
			continue
		}
		numbers := slices.Grow(m.Numbers[:0], count)
		for at := f.offset; at+f.width <= len(rows); at += t.stride {
			value := t.number(rows[at : at+f.width])
			if f.kind != statfile.Number && value == value {
				value = neutral(f.kind, value)
			}
			numbers = append(numbers, value)
		}
		blocks.Put(first, i, statfile.Column{Numbers: numbers})
		m.Numbers = numbers
	}
}

func trimmed(text []byte) string { return string(statfile.WithoutBlanks(text)) }
