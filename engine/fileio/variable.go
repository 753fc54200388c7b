package fileio

import (
	"slices"
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
	*dialect
	many    atomic.Bool // more than mostLevels numbers, no dictionary: cells are collected as numbers. The column that comes out is the same in any case
	mutex   sync.Mutex
	lexicon map[string]uint32 // codes, from 1, of the texts of all blocks, whether in quotes or not
	words   []string          // of the lexicon
	marks   []uint8           // of the words
	numbers int               // words that are numbers
	texts   bool              // a cell is no number, or the cells are codes
	nominal bool              // the description says that the cells are codes of categories, digits or not
	chunks  []chunk           // by block
}

// take stores the cells of a block.
func (v *variable) take(block int, c *cells) {
	var out chunk
	if c.asNumbers {
		numbers := c.numbers
		numbers.values, numbers.decimals = slices.Clone(numbers.values), slices.Clone(numbers.decimals)
		out.numbers = &numbers
	} else {
		out = newChunk(c.codes, make([]uint32, len(c.vocabulary.texts)))
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	for i, w := range c.vocabulary.texts {
		out.words[i] = v.word(w.text, w.quoted)
	}
	for len(v.chunks) <= block {
		v.chunks = append(v.chunks, chunk{})
	}
	v.chunks[block] = out
	v.texts = v.texts || out.numbers != nil && out.numbers.texts > 0
	v.many.Store(!v.texts && v.numbers > mostLevels)
}

// word puts a text into the lexicon and returns its code as a chunk has it.
func (v *variable) word(text []byte, quoted bool) uint32 {
	code, known := v.lexicon[string(text)]
	if !known {
		if v.lexicon == nil {
			v.lexicon = map[string]uint32{}
		}
		word, mark := string(text), uint8(0)
		code = uint32(len(v.words) + 1)
		v.lexicon[word] = code
		if _, missing := v.blank(text, false); missing {
			mark = blankWord
		} else if !v.texts {
			if _, _, ok := parseNumber(text, v.mark); ok {
				v.numbers++
			} else {
				v.texts = true
			}
		}
		v.words, v.marks = append(v.words, word), append(v.marks, mark)
	}
	if quoted {
		v.marks[code-1] |= quotedWord
		return code<<1 | 1
	}
	v.marks[code-1] |= plainWord
	return code << 1
}
