package plan

// mark returns the number of a group of a variable: any 64 bits that look random
// (the finaliser of splitmix64).
func mark(variable int, group uint32) uint64 {
	x := (uint64(variable)<<32 | uint64(group) + 1) * 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// marksOf returns the numbers of the groups by code.
func marksOf(variable int, of []uint32) []uint64 {
	marks := make([]uint64, len(of))
	for code, group := range of {
		marks[code] = mark(variable, group)
	}
	return marks
}
