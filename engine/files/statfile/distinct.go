package statfile

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Distinct returns the distinct values among numbers, by their bits, in the order in
// which they come first, and for each number the place of its value; few is false
// where there are more values than so many, which the codes have to hold, or the context ended. The codes are in a store.
func Distinct[C uint8 | uint32](ctx context.Context, s *store.Store, numbers []float64,
	most int) (values []float64, codes []C, few bool) {
	const golden = 0x9e3779b97f4a7c15
	table, shift := make([]uint32, 1<<8), uint(64-8) // places from 1, at most half full
	const soon = 1 << 14                             // rows within which many values show
	codes = store.Make[C](s, min(len(numbers), soon))[:0]
	var last uint64
	var lastCode uint32
	for row, number := range numbers {
		if parallel.Stopped(ctx, row) {
			return nil, nil, false
		}
		if row == soon {
			codes = store.Longer(s, codes, len(numbers))
		}
		bits := math.Float64bits(number)
		if bits == last && lastCode > 0 {
			codes = append(codes, C(lastCode-1))
			continue
		}
		at := int(bits * golden >> shift)
		for table[at] != 0 && math.Float64bits(values[table[at]-1]) != bits {
			at = (at + 1) & (len(table) - 1)
		}
		if table[at] == 0 {
			values = append(values, number)
			table[at] = uint32(len(values))
			if len(values) > most {
				store.Free(s, codes)
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
		codes, last = append(codes, C(lastCode-1)), bits
	}
	return values, codes, true
}
