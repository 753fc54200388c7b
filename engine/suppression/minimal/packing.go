package minimal

import (
	"math/bits"
	"slices"
)

// packing stores the keys as bit fields, so that masking variables is one AND per word.
type packing struct {
	words int      // words per key
	keys  []uint64 // keys[key*words : (key+1)*words]
	word  []int    // word of each variable
	field []uint64 // bits of each variable in its word
}

// pack lays out the keys of p. A field never spans two words.
func pack(p *Problem) *packing {
	word, shift := make([]int, p.variables()), make([]int, p.variables())
	at, free := 0, 64
	for v, levels := range p.Levels {
		width := bits.Len(uint(levels))
		if width > free {
			at, free = at+1, 64
		}
		word[v], shift[v] = at, 64-free
		free -= width
	}
	k := &packing{words: at + 1, word: word, field: make([]uint64, p.variables())}
	k.keys = make([]uint64, p.keys()*k.words)
	for v, column := range p.Codes {
		k.field[v] = (1<<bits.Len(uint(p.Levels[v])) - 1) << shift[v]
		for key, code := range column {
			k.keys[key*k.words+word[v]] |= uint64(code) << shift[v]
		}
	}
	return k
}

// keep returns the mask of the variables outside set.
func (k *packing) keep(set uint64) []uint64 {
	kept := slices.Repeat([]uint64{^uint64(0)}, k.words)
	for ; set != 0; set &= set - 1 {
		v := bits.TrailingZeros64(set)
		kept[k.word[v]] &^= k.field[v]
	}
	return kept
}

// key returns the words of a key.
func (k *packing) key(key uint32) []uint64 {
	at := int(key) * k.words
	return k.keys[at : at+k.words]
}

// fingerprint returns a hash of the key's masked bits. If a key has one word, different masked bits have different
// hashes.
func (k *packing) fingerprint(key uint32, kept []uint64) uint64 {
	if k.words == 1 {
		return k.keys[key] & kept[0]
	}
	var code uint64
	for w, word := range k.key(key) {
		code = mix(code ^ word&kept[w])
	}
	return code
}

// agree reports whether two keys are equal on the masked bits.
func (k *packing) agree(a, b uint32, kept []uint64) bool {
	x, y := k.key(a), k.key(b)
	for w, mask := range kept {
		if (x[w]^y[w])&mask != 0 {
			return false
		}
	}
	return true
}

// mix spreads x over all 64 bits; it is a bijection.
func mix(x uint64) uint64 {
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	return x ^ x>>32
}
