// Package random gives methods their random numbers: one stream per purpose and
// block of records, all derived from the seed of the step, so that results do
// not depend on the number of processors.
package random

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Block is the number of records that share a stream.
const Block = 1 << 14

// Stream returns the stream of a purpose, such as the name of a variable, for a
// block of records. Streams of different purposes or blocks are independent;
// what they give does not tell the seed.
func Stream(seed uint64, purpose string, block int) *rand.Rand {
	text := binary.LittleEndian.AppendUint64(nil, seed)
	text = binary.LittleEndian.AppendUint64(text, uint64(block))
	return rand.New(rand.NewChaCha8(sha256.Sum256(append(text, purpose...))))
}

// Again returns the seed of a repetition: the given one at first, with 0; another
// one for each time that the same seed was used on the same values before, so that
// the second draws do not undo the first.
func Again(seed uint64, times int) uint64 {
	if times == 0 {
		return seed
	}
	return Stream(seed, "again", times).Uint64()
}

// Shuffle puts a list into an order that is drawn, all equally likely.
func Shuffle[T any](stream *rand.Rand, list []T) {
	stream.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// Blocks returns the number of blocks of so many records.
func Blocks(records int) int { return (records + Block - 1) / Block }
