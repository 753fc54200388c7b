package statfile

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Distinct returns the distinct numbers, compared by bits, in order of first occurrence, with codes in s; it
// returns false if there are more than most, or if the context ended.
func Distinct(ctx context.Context, s *store.Store, numbers []float64, most int) (*NumberDictionary, bool) {
	const golden = 0x9e3779b97f4a7c15
	var values []float64
	table, shift := make([]uint32, 1<<8), uint(64-8) // open-addressing table of codes, at most half full
	place := func(bits uint64) int {
		at := int(bits * golden >> shift)
		for table[at] != 0 && math.Float64bits(values[table[at]-1]) != bits {
			at = (at + 1) & (len(table) - 1)
		}
		return at
	}
	const soon = 1 << 14 // rows among which many distinct values are detected
	codes := store.Make[uint32](s, min(len(numbers), soon))[:0]
	var last uint64
	var code uint32
	for row, number := range numbers {
		if parallel.Stopped(ctx, row) {
			return nil, false
		}
		if row == soon {
			codes = store.Longer(s, codes, len(numbers))
		}
		if bits := math.Float64bits(number); bits != last || code == 0 {
			at := place(bits)
			if table[at] == 0 {
				if len(values) == most {
					store.Free(s, codes)
					return nil, false
				}
				values = append(values, number)
				table[at] = uint32(len(values))
			}
			code, last = table[at], bits
			if 2*len(values) >= len(table) {
				table, shift = make([]uint32, 2*len(table)), shift-1
				for i, value := range values {
					table[place(math.Float64bits(value))] = uint32(i + 1)
				}
			}
		}
		codes = append(codes, code)
	}
	return &NumberDictionary{values, microdata.CodesOf(codes)}, true
}
