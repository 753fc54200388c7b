package microdata

import (
	"slices"
	"testing"
)

func TestOccurring(t *testing.T) {
	for name, codes := range map[string]Codes{"narrow": CodesOf([]uint8{3, 0, 3, 255}), "wide": CodesOf([]uint32{3, 0, 3, 255})} {
		expected := make([]bool, 300)
		expected[0], expected[3], expected[255] = true, true, true
		if got := codes.Occurring(300); !slices.Equal(got, expected) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := (Codes{}).Occurring(2); got[0] || got[1] {
		t.Error("codes occur where there are none")
	}
}
