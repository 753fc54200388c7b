package fileio

import (
	"sync"
	"sync/atomic"
)

// mostLevels is the number of distinct values up to which a numeric column is
// stored as a dictionary.
const mostLevels = 4096

// Marks of the words of a lexicon.
const (
	plainWord  = 1 << iota // occurs without quotes
	quotedWord             // occurs in quotes
	blankWord              // is a missing code
)

// variable gathers the chunks of one column from all blocks, in any order.
type variable struct {
	many    atomic.Bool // more than mostLevels numbers, no dictionary: cells are collected as numbers. The column that comes out is the same in any case
	mutex   sync.Mutex
	lexicon lexicon
	marks   []uint8 // of the words of the lexicon
	numbers int     // words that are numbers
	texts   bool    // a cell is no number, or the cells are codes
	nominal bool    // the description says that the cells are codes of categories, digits or not
	chunks  []chunk // by block
}

// setNominal says, before any cell is taken, that digits are codes too.
func (v *variable) setNominal() {
	v.nominal, v.texts = true, true
}

// take stores the cells of a block.
func (v *variable) take(block int, c *cells, d *dialect) {
	var out chunk
	if c.asNumbers {
		out.numbers = c.numbers.chunk()
	} else {
		out = newChunk(c.codes, make([]uint32, len(c.vocabulary.texts)))
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	for i, w := range c.vocabulary.texts {
		out.words[i] = v.word(w.text, w.quoted, d)
	}
	for len(v.chunks) <= block {
		v.chunks = append(v.chunks, chunk{})
	}
	v.chunks[block] = out
	v.texts = v.texts || out.numbers != nil && out.numbers.texts > 0
	v.many.Store(!v.texts && v.numbers > mostLevels)
}

// word puts a text into the lexicon and returns its code as a chunk has it.
func (v *variable) word(text []byte, quoted bool, d *dialect) uint32 {
	code, added := v.lexicon.code(text)
	if added {
		v.marks = append(v.marks, 0)
		if _, missing := d.blank(text, false); missing {
			v.marks[code-1] = blankWord
		} else if !v.texts {
			if _, _, ok := parseNumber(text, d.mark); ok {
				v.numbers++
			} else {
				v.texts = true
			}
		}
	}
	if quoted {
		v.marks[code-1] |= quotedWord
		return code<<1 | 1
	}
	v.marks[code-1] |= plainWord
	return code << 1
}
