package keys

import (
	"context"
	"iter"
)

// Neighbour is a distinct key that one variable at most tells from a given one:
// on all others the two are equal or one of them is missing.
type Neighbour struct {
	Key     uint32
	Against int    // the variable on which the values of the two differ; -1: none, they are compatible
	Missing uint64 // variables that the neighbour misses, bit j for variable j
}

// MissingIn returns the variables that a key misses, bit j for variable j.
func (t *Table) MissingIn(key uint32) uint64 {
	words := t.layout.words()
	return t.layout.missing(t.codes[int(key)*words:], ^uint64(0)>>(64-t.Variables()))
}

// Neighbours goes through the neighbours of a key in ascending order, itself among
// them: for the question what would be if one of its values were another or
// missing. It is one walk over the distinct keys.
func (t *Table) Neighbours(key uint32) iter.Seq[Neighbour] {
	columns := make([][]uint32, t.Variables())
	for v := range columns {
		columns[v] = t.Codes(v)
	}
	return func(yield func(Neighbour) bool) {
		for other := range uint32(t.Keys()) {
			if against, ok := against(columns, key, other); ok && !yield(Neighbour{other, against, t.MissingIn(other)}) {
				return
			}
		}
	}
}

// against returns the only variable on which the values of two keys differ, -1
// for none; ok is false where there are several.
func against(columns [][]uint32, a, b uint32) (variable int, ok bool) {
	variable = -1
	for v, codes := range columns {
		if x, y := codes[a], codes[b]; x != y && x != 0 && y != 0 {
			if variable >= 0 {
				return 0, false
			}
			variable = v
		}
	}
	return variable, true
}

// Others numbers for each distinct key what it has on the other variables than one:
// keys with the same number would be equal without it.
func (t *Table) Others(ctx context.Context, variable int) (numbers []uint32, distinct int, err error) {
	words, keep := t.layout.words(), t.layout.keep(1<<variable)
	result, err := numberWords(ctx, t.Keys(), t.layout.bits, func(word int, dst []uint64, from int) {
		for i := range dst {
			dst[i] = t.codes[(from+i)*words+word] & keep[word]
		}
	})
	return result.ids, result.distinct, err
}
