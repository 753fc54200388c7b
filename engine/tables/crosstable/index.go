package crosstable

// index numbers values as they come, from 1: by a table of all values where
// these are few, else by a map, which costs no more than hashing by hand.
type index struct {
	direct   []uint32
	hashed   map[uint64]uint32 // nil: direct
	distinct uint32
}

// reset empties the index and makes room for so many of the values below limit.
func (x *index) reset(limit uint64, n int) {
	*x = index{direct: x.direct}
	if limit > uint64(8*n+1<<12) {
		x.hashed = make(map[uint64]uint32, n)
		return
	}
	if uint64(cap(x.direct)) < limit {
		x.direct = make([]uint32, limit)
	}
	x.direct = x.direct[:limit]
	clear(x.direct)
}

// number returns the number of a value, the next one where it is new.
func (x *index) number(value uint64) uint32 {
	if x.hashed == nil {
		if x.direct[value] == 0 {
			x.distinct++
			x.direct[value] = x.distinct
		}
		return x.direct[value]
	}
	number, known := x.hashed[value]
	if !known {
		x.distinct++
		number, x.hashed[value] = x.distinct, x.distinct
	}
	return number
}
