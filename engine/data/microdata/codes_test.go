package microdata

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Codes that share storage equal those computed by a loop over the records, after any sequence of mapping,
// suppressing, copying and selecting.
func TestSharedCodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, levels := rapid.IntRange(0, 3000).Draw(t, "records"), rapid.SampledFrom([]int{3, 255, 256, 400}).Draw(t, "levels")
		random := rapid.Uint32().Draw(t, "seed")
		next := func(n int) uint32 { random = random*1664525 + 1013904223; return (random >> 8) % uint32(n) }
		want := make([]uint32, n)
		for record := range want {
			want[record] = next(levels + 1)
		}
		codes := NarrowCodes(want, levels)
		for _, step := range rapid.SliceOf(rapid.SampledFrom([]string{"map", "settle", "blank", "copy", "pick"})).Draw(t, "steps") {
			was := slices.Clone(want)
			switch step {
			case "map", "settle":
				to := rapid.SampledFrom([]int{2, 255, 300}).Draw(t, "to")
				mapping := make([]uint32, levels+1)
				for code := range mapping {
					mapping[code] = next(to + 1)
				}
				for record, code := range want {
					want[record] = mapping[code]
				}
				if step == "map" {
					codes = codes.Mapped(to, mapping)
				} else {
					codes = codes.Owned(nil, to, mapping)
				}
				levels = to
			case "blank":
				cells := NewBits(n)
				for record := range want {
					if next(5) == 0 {
						cells.Set(record)
						want[record] = 0
					}
				}
				codes = codes.without(cells)
			case "copy":
				codes = codes.Copy()
			case "pick":
				var records []uint32
				for record := range was {
					if next(4) > 0 {
						records = append(records, uint32(record))
					}
				}
				codes, want = codes.selected(nil, records), taken(nil, want, records)
				n = len(want)
			}
		}
		if got := codes.Between(0, codes.Len()); !slices.Equal(got, want) || codes.Small() != (levels <= 255) {
			t.Fatalf("small %v, %d levels: %v, want %v", codes.Small(), levels, got, want)
		}
		counts := make([]int, levels+1)
		for record, code := range want {
			if counts[code]++; codes.At(record) != code {
				t.Fatalf("record %d has %d, want %d", record, codes.At(record), code)
			}
		}
		if got := codes.Counts(levels + 1); !slices.Equal(got, counts) {
			t.Fatalf("counts %v, want %v", got, counts)
		}
		if from := n / 3; !slices.Equal(codes.Between(from, n-from/2), want[from:n-from/2]) {
			t.Fatalf("from %d on others than in all", from)
		}
	})
	if got := (Codes{}).Counts(2); got[0] != 0 || got[1] != 0 {
		t.Error("codes occur where there are none")
	}
}
