package fileio

import "math"

// distinctNumbers returns the distinct values among numbers, in the order in which
// they come first, and for each number the place of its value; few is false where
// more than so many are no NaN. NaNs of different bits are different values.
func distinctNumbers(numbers []float64, most int) (values []float64, codes []uint32, few bool) {
	table, shift := make([]uint32, 1<<8), uint(64-8) // places from 1, at most half full
	codes = make([]uint32, len(numbers))
	var last uint64
	var lastCode uint32
	for row, number := range numbers {
		if number == 0 {
			number = 0 // no negative zero
		}
		bits := math.Float64bits(number)
		if bits == last && lastCode > 0 {
			codes[row] = lastCode - 1
			continue
		}
		at := int(bits * golden >> shift)
		for table[at] != 0 && math.Float64bits(values[table[at]-1]) != bits {
			at = (at + 1) & (len(table) - 1)
		}
		if table[at] == 0 {
			values = append(values, number)
			table[at] = uint32(len(values))
			if len(values) > most+mostKinds {
				return nil, nil, false
			}
			if lastCode = uint32(len(values)); 2*len(values) >= len(table) {
				table, shift = make([]uint32, 2*len(table)), shift-1
				for i, value := range values {
					at := int(math.Float64bits(value) * golden >> shift)
					for table[at] != 0 {
						at = (at + 1) & (len(table) - 1)
					}
					table[at] = uint32(i + 1)
				}
			}
		} else {
			lastCode = table[at]
		}
		codes[row], last = lastCode-1, bits
	}
	return values, codes, true
}
