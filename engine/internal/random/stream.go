// Package random provides random numbers for methods: one stream per purpose and block of records, derived from
// the seed of the step, so that results do not depend on the number of processors.
package random

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Block is the number of records that share a stream.
const Block = 1 << 14

// Stream returns the stream of a purpose, such as the name of a variable, for a block of records. Streams of
// different purposes or blocks are independent; their numbers do not reveal the seed.
func Stream(seed uint64, purpose string, block int) *rand.Rand {
	text := binary.LittleEndian.AppendUint64(nil, seed)
	text = binary.LittleEndian.AppendUint64(text, uint64(block))
	return rand.New(rand.NewChaCha8(sha256.Sum256(append(text, purpose...))))
}

// Again returns the seed for the use number times, from 0, of the same seed on the same values: seed itself for 0,
// and different seeds otherwise, so that a repetition does not undo the first use.
func Again(seed uint64, times int) uint64 {
	if times == 0 {
		return seed
	}
	return Stream(seed, "again", times).Uint64()
}

// Shuffle permutes a list at random, all orders being equally likely.
func Shuffle[T any](stream *rand.Rand, list []T) {
	stream.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// Blocks returns the number of blocks of a number of records.
func Blocks(records int) int { return (records + Block - 1) / Block }
