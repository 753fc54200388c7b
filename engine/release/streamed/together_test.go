package streamed

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Kinds of households that lose cells are told from all others by the sums of numbers of their members' keys.
func TestKindsAreToldApartBySums(t *testing.T) {
	all := &microdata.Compositions{}
	for _, rows := range [][]uint32{{0, 1}, {0, 2}, {1, 1}, {2}} {
		all.Add(rows, 1)
	}
	households, err := all.Households([]int{2, 3, 2})
	if err != nil {
		t.Fatal(err)
	}
	key := func(row int) uint32 { return uint32(row) }
	for _, losing := range [][][]uint32{{{0, 1}}, {{0, 1}, {0, 2}}} {
		of := &together{kinds: map[string]*kind{}, numbers: []int64{1, 1, 1}}
		for _, members := range losing {
			of.kinds[string(pack(nil, members))] = &kind{members: members}
		}
		if of.toldApart(households, key) {
			t.Errorf("%v are told from others by as many members", losing)
		}
		if err := of.tellApart(households, 3, key); err != nil || !of.toldApart(households, key) {
			t.Errorf("%v are not told from others: %v", losing, err)
		}
	}
}
