package suggest

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
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

// lists are the distinct keys by their code of one variable, each list ascending,
// and which of them have the same values on the other variables.
type lists struct {
	keys  [][]uint32 // by code
	rests []uint32   // per key: the number of its values on the other variables
	sums  []int      // per such number; 0 between uses
}

// having returns the keys that have one of some codes.
func (l *lists) having(codes []uint32) []uint32 {
	var all []uint32
	for _, code := range codes {
		all = append(all, l.keys[code]...)
	}
	return all
}

// prepare lists the keys by a variable when it is first tried.
func (s *Search) prepare(ctx context.Context, v *variable) error {
	if v.lists != nil {
		return nil
	}
	l := &lists{keys: make([][]uint32, s.table.Levels(v.place)+1)}
	for key, code := range s.table.Codes(v.place) {
		l.keys[code] = append(l.keys[code], uint32(key))
	}
	if s.complete {
		rests, distinct, err := s.table.Others(ctx, v.place)
		if err != nil {
			return err
		}
		l.rests, l.sums = rests, make([]int, distinct)
	}
	v.lists = l
	return nil
}
