package suggest

import (
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// variable is a key variable that is searched.
type variable struct {
	column *microdata.Column
	place  int   // in the key table
	counts []int // records per code, missing at 0
	known  int   // records that have a value
	detail float64
	keys   [][]uint32 // nil until the variable is first tried
}

func newVariable(column *microdata.Column, place int) *variable {
	counts := column.Categories().Counts()
	return &variable{column: column, place: place, counts: counts, known: column.Records() - counts[0],
		detail: detail(counts)}
}

// lost returns by how many bits the entropy falls when codes become one.
func (v *variable) lost(codes []uint32) float64 {
	counts := make([]int, len(codes))
	for i, code := range codes {
		counts[i] = v.counts[code]
	}
	return lost(counts, v.known)
}

// keysByCode returns the distinct keys by their code of the variable, each list ascending.
func (v *variable) keysByCode(t *keys.Table) [][]uint32 {
	if v.keys == nil {
		v.keys = make([][]uint32, t.Levels(v.place)+1)
		for key, code := range t.Codes(v.place) {
			v.keys[code] = append(v.keys[code], uint32(key))
		}
	}
	return v.keys
}
