package keys

import (
	"context"
	"iter"
)

// Neighbour is a key that differs from a given one in at most one variable: in all others the two are equal or one
// is missing.
type Neighbour struct {
	Key     uint32
	Against int    // the variable in which the two differ, or -1 if they are compatible
	Missing uint64 // missing variables of the neighbour, bit j for variable j
}

// MissingIn returns the missing variables of a key, bit j for variable j.
func (t *Table) MissingIn(key uint32) uint64 {
	words := t.layout.words()
	return t.layout.missing(t.codes[int(key)*words:], ^uint64(0)>>(64-t.Variables()))
}

// Neighbours iterates over the neighbours of a key in ascending order, including the key. They determine its
// frequency after one of its values is changed or suppressed. It visits every key once.
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

// against returns the only variable in which two keys differ, or -1 if there is none; ok is false if there are
// several.
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

// Others numbers the keys by their values on all variables except one: keys with the same number would be equal
// without that variable.
func (t *Table) Others(ctx context.Context, variable int) (numbers []uint32, distinct int, err error) {
	words, keep := t.layout.words(), t.layout.keep(1<<variable)
	result, err := numberWords(ctx, t.Keys(), t.layout.bits, func(word int, dst []uint64, from int) {
		for i := range dst {
			dst[i] = t.codes[(from+i)*words+word] & keep[word]
		}
	})
	return result.ids, result.distinct, err
}
