package crosstable

// index numbers values in order of occurrence, from 1. It uses an array if few values are possible, otherwise a
// map, which is as fast as a custom hash table.
type index struct {
	direct   []uint32
	hashed   map[uint64]uint32 // nil: use direct
	distinct uint32
}

// reset empties the index and reserves space for n values below limit.
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

// number returns the number of a value, adding it if necessary.
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
