package microdata_test

import (
	"fmt"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Pairs yields the codes of every record once, for any width of storage.
func TestPairsAreThoseOfTheRecords(t *testing.T) {
	for _, n := range []int{0, 1, 1023, 1024, 1025, 5000} {
		for _, levels := range [][2]int{{3, 3}, {200, 60000}, {60000, 70000}, {70000, 3}} {
			t.Run(fmt.Sprintf("%d records of %d levels", n, levels), func(t *testing.T) {
				a, b := microdata.NewCodes(n, levels[0]), microdata.NewCodes(n, levels[1])
				for record := range n {
					a.Set(record, uint32(record%(levels[0]+1)))
					b.Set(record, uint32(record*7%(levels[1]+1)))
				}
				next := 0
				for first, pairs := range microdata.Pairs(a, b) {
					if first != next {
						t.Fatalf("a block begins with record %d, want %d", first, next)
					}
					for i, pair := range pairs {
						if pair != [2]uint32{a.At(first + i), b.At(first + i)} {
							t.Fatalf("record %d has %v", first+i, pair)
						}
					}
					next += len(pairs)
				}
				if next != n {
					t.Errorf("%d records of %d", next, n)
				}
				for range microdata.Pairs(a, b) {
					break
				}
			})
		}
	}
}
