package keys

import (
	"context"
	"math/bits"
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

// Neighbours calls visit for the neighbours of a key, itself among them: for the
// question what would be if one of its values were another or missing. It is one
// walk over the distinct keys, by their missing variables.
func (t *Table) Neighbours(ctx context.Context, key uint32, visit func(Neighbour)) error {
	p, err := t.patternsOf(ctx)
	if err != nil {
		return err
	}
	words := t.layout.words()
	own, missing := t.codes[int(key)*words:int(key)*words+words], t.MissingIn(key)
	for pattern, set := range p.sets {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		keep := t.layout.keep(missing | set)
		for at := p.start[pattern]; at < p.start[pattern+1]; at++ {
			if against, ok := t.layout.against(own, p.codes[at*words:at*words+words], keep); ok {
				visit(Neighbour{Key: p.keys[at], Against: against, Missing: set})
			}
		}
	}
	return nil
}

// against returns the only variable on which what is kept of two packed codes
// differs, -1 for none; ok is false where there are several.
func (l *layout) against(a, b, keep []uint64) (variable int, ok bool) {
	variable = -1
	for word, mask := range keep {
		differing := (a[word] ^ b[word]) & mask
		if differing == 0 {
			continue
		}
		if variable >= 0 {
			return 0, false
		}
		variable = int(l.owners[word][bits.TrailingZeros64(differing)])
		if differing&^l.fields[variable].mask != 0 {
			return 0, false
		}
	}
	return variable, true
}
