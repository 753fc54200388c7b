package suggest

import (
	"cmp"
	"math/bits"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// variable is a key variable that is searched.
type variable struct {
	column *microdata.Column
	place  int   // in the key table
	counts []int // records per code, missing at 0
	known  int   // records that have a value
	detail float64
	lists  *lists // nil until the variable is first tried
}

func newVariable(column *microdata.Column, place int) *variable {
	counts := column.Categories().Counts()
	return &variable{column: column, place: place, counts: counts, known: column.Records() - counts[0], detail: detail(counts)}
}

// lost returns by how many bits the entropy falls when codes become one.
func (v *variable) lost(codes []uint32) float64 {
	counts := make([]int, len(codes))
	for i, code := range codes {
		counts[i] = v.counts[code]
	}
	return lost(counts, v.known)
}

// lists are the distinct keys by their code of one variable, each list in the
// order of the keys, and what the keys have on the other variables.
type lists struct {
	start []int // keys[start[c]:start[c+1]] have code c
	keys  []uint32
	rests [][]uint64 // per word: the codes of the other variables, packed
}

// of returns the keys that have a code.
func (l *lists) of(code uint32) []uint32 { return l.keys[l.start[code]:l.start[code+1]] }

// newLists lists the keys of a table by a variable. Within a list keys ascend
// and so do their rests, since they have the same code.
func newLists(t *keys.Table, place int) *lists {
	codes := t.Codes(place)
	l := &lists{start: make([]int, t.Levels(place)+2), keys: make([]uint32, t.Keys())}
	for _, code := range codes {
		l.start[code+1]++
	}
	for c := 1; c < len(l.start); c++ {
		l.start[c] += l.start[c-1]
	}
	next := append([]int(nil), l.start...)
	for key, code := range codes {
		l.keys[next[code]] = uint32(key)
		next[code]++
	}
	l.pack(t, place)
	return l
}

// pack writes the codes of the other variables into words, the first variable
// highest, so that comparing words compares the codes in the order of the
// variables.
func (l *lists) pack(t *keys.Table, place int) {
	used := 64 // bits of the last word
	for j := range t.Variables() {
		if j == place {
			continue
		}
		width := bits.Len(uint(t.Levels(j)))
		if used+width > 64 {
			l.rests, used = append(l.rests, make([]uint64, t.Keys())), 0
		}
		word := l.rests[len(l.rests)-1]
		for key, code := range t.Codes(j) {
			word[key] = word[key]<<width | uint64(code)
		}
		used += width
	}
}

// compare orders two keys by the variables besides that of the lists.
func (l *lists) compare(a, b uint32) int {
	for _, word := range l.rests {
		if order := cmp.Compare(word[a], word[b]); order != 0 {
			return order
		}
	}
	return 0
}
