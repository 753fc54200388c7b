package sas

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// field is the position of a variable in a row.
type field struct {
	offset, width int
	kind          statfile.Kind
}

// table converts rows to columns.
type table struct {
	fields []field // of selected variables
	stride int     // bytes of a row
	number func(bytes []byte) float64
}

// memory is reused by a goroutine: a page, and a block of rows.
type memory struct {
	statfile.RowMemory
	page []byte
}

// put adds a block of rows, the first of which is row first, to blocks of columns.
func (t *table) put(blocks *statfile.Blocks, first int, m *statfile.RowMemory) {
	rows, count := m.Rows, 0
	if t.stride > 0 {
		count = len(rows) / t.stride
	}
	for i, f := range t.fields {
		if f.kind == statfile.Text {
			texts := statfile.NewDictionary(count)
			for at := f.offset; at+f.width <= len(rows); at += t.stride {
				texts.Add(statfile.TrimSpaces(rows[at : at+f.width]))
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

func trimmed(text []byte) string { return string(statfile.TrimSpaces(text)) }
