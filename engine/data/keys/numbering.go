package keys

import (
	"context"
	"math/bits"
	"runtime"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// numbering numbers distinct packed codes in ascending order.
type numbering struct {
	ids      []uint32 // by item
	distinct int
}

// bitmapLimit is the largest width in bits of codes that are numbered with a bitmap of all possible codes: it fits
// into the cache, or costs less than a hash table of the codes.
func bitmapLimit(items int) int { return max(20, min(32, bits.Len(uint(items))+7)) }

// bitmap is a set of codes with ranks.
type bitmap struct {
	words    []uint64
	below    []uint32 // by word: number of codes in the words before
	distinct int      // number of codes
}

func newBitmap(width int) *bitmap {
	return &bitmap{words: make([]uint64, 1<<max(0, width-6))}
}

// add adds a code; it is safe for concurrent use.
func (b *bitmap) add(code uint64) {
	word, bit := &b.words[code>>6], uint64(1)<<(code&63)
	if atomic.LoadUint64(word)&bit == 0 {
		atomic.OrUint64(word, bit)
	}
}

// count prepares for calls of rank.
func (b *bitmap) count() {
	b.below = make([]uint32, len(b.words))
	total := uint32(0)
	for i, word := range b.words {
		b.below[i] = total
		total += uint32(bits.OnesCount64(word))
	}
	b.distinct = int(total)
}

// rank returns the number of smaller codes in the set.
func (b *bitmap) rank(code uint64) uint32 {
	word := code >> 6
	return b.below[word] + uint32(bits.OnesCount64(b.words[word]&(1<<(code&63)-1)))
}

// codes returns the codes of the set in ascending order.
func (b *bitmap) codes() []uint64 {
	out := make([]uint64, 0, b.distinct)
	for i, word := range b.words {
		for ; word != 0; word &= word - 1 {
			out = append(out, uint64(i)<<6|uint64(bits.TrailingZeros64(word)))
		}
	}
	return out
}

// numberWords numbers items by codes of several words, one after another: each step combines the number so far
// with the next word, in two halves if they exceed 64 bits. fill writes one word of the codes of the items from,
// from+1, ...
func numberWords(ctx context.Context, n int, width []int, fill func(word int, dst []uint64,
	from int)) (numbering, error) {
	var result numbering
	part, state := make([]uint64, n), make([]uint64, n)
	for word := range width {
		err := parallel.Blocks(ctx, n, parallel.Workers(n, 64), func(_, from, to int) { fill(word, part[from:to], from) })
		if err != nil {
			return result, err
		}
		if word == 0 {
			if result, err = number(ctx, part, width[0]); err != nil {
				return result, err
			}
			continue
		}
		for _, half := range []uint{32, 0} {
			if half > 0 && width[word] <= 32 {
				continue
			}
			for i, id := range result.ids {
				state[i] = uint64(id)<<32 | part[i]>>half&(1<<32-1)
			}
			if result, err = number(ctx, state, 64); err != nil {
				return result, err
			}
		}
	}
	return result, nil
}

// number numbers codes of at most the given width.
func number(ctx context.Context, codes []uint64, width int) (numbering, error) {
	switch {
	case width <= bitmapLimit(len(codes)):
	case len(codes) <= parallel.Block:
		return numberSorted(codes), nil
	default:
		return numberHashed(ctx, codes)
	}
	ids, set, err := numberBits(ctx, len(codes), width, func(dst []uint32, from int) {
		for i := range dst {
			dst[i] = uint32(codes[from+i])
		}
	})
	return numbering{ids, set.distinct}, err
}

// numberBits numbers narrow codes and returns the set of them; fill writes the codes of the items from, from+1,
// ... into dst, where their numbers replace them.
func numberBits(ctx context.Context, n, width int,
	fill func(dst []uint32, from int)) (ids []uint32, set *bitmap, err error) {
	ids, set = make([]uint32, n), newBitmap(width)
	workers := parallel.Workers(n, runtime.GOMAXPROCS(0))
	err = parallel.Blocks(ctx, n, workers, func(_, from, to int) {
		block := ids[from:to]
		fill(block, from)
		for _, code := range block {
			set.add(uint64(code))
		}
	})
	if err != nil {
		return nil, set, err
	}
	set.count()
	return ids, set, parallel.Blocks(ctx, n, workers, func(_, from, to int) {
		block := ids[from:to]
		for i, code := range block {
			block[i] = set.rank(uint64(code))
		}
	})
}

// numberSorted numbers codes by sorting them all, which for few codes is faster than finding the distinct ones
// first.
func numberSorted(codes []uint64) numbering {
	slots := make([]slot, len(codes))
	for i, code := range codes {
		slots[i] = slot{code, uint32(i)}
	}
	result := numbering{ids: make([]uint32, len(codes))}
	last := uint64(0)
	for i, s := range byCode(slots) {
		if i == 0 || s.code != last {
			last = s.code
			result.distinct++
		}
		result.ids[s.next] = uint32(result.distinct - 1)
	}
	return result
}

// numberHashed numbers codes by finding the distinct ones, which are then sorted.
func numberHashed(ctx context.Context, codes []uint64) (numbering, error) {
	ids, found := make([]uint32, len(codes)), newIndex(parallel.Block)
	err := parallel.Blocks(ctx, len(codes), 1, func(_, from, to int) {
		for i, code := range codes[from:to] {
			ids[from+i] = found.insert(code)
		}
	})
	if err != nil {
		return numbering{}, err
	}
	sorted, rank := found.ranks()
	err = parallel.Blocks(ctx, len(ids), parallel.Workers(len(ids), 64), func(_, from, to int) {
		for i, id := range ids[from:to] {
			ids[from+i] = rank[id]
		}
	})
	return numbering{ids, len(sorted)}, err
}
