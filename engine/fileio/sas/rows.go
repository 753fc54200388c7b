package sas

import (
	"encoding/binary"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/fileio/statfile"
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
	blocks *statfile.Blocks
}

// put decodes a block of rows.
func (t *table) put(block int, rows []byte) {
	count := 0
	if t.stride > 0 {
		count = len(rows) / t.stride
	}
	for i, f := range t.fields {
		if f.kind == statfile.Text {
			texts := statfile.NewDictionary(count)
			for at := f.offset; at+f.width <= len(rows); at += t.stride {
				texts.Add(withoutBlanks(rows[at : at+f.width]))
			}
			t.blocks.Put(block, i, statfile.Column{Texts: texts.Texts()})
			continue
		}
		numbers := make([]float64, 0, count)
		for at := f.offset; at+f.width <= len(rows); at += t.stride {
			value := t.number(rows[at : at+f.width])
			if f.kind != statfile.Number && value == value {
				value = neutral(f.kind, value)
			}
			numbers = append(numbers, value)
		}
		t.blocks.Put(block, i, statfile.Column{Numbers: numbers})
	}
}

// withoutBlanks returns a text without the blanks and zeros at its end.
func withoutBlanks(text []byte) []byte {
	for len(text) >= 8 && binary.LittleEndian.Uint64(text[len(text)-8:]) == eightBlanks {
		text = text[:len(text)-8]
	}
	for len(text) > 0 && (text[len(text)-1] == ' ' || text[len(text)-1] == 0) {
		text = text[:len(text)-1]
	}
	return text
}

const eightBlanks = 0x2020202020202020

func trimmed(text []byte) string { return strings.TrimRight(string(text), " \x00") }
