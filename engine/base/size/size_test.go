package size_test

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/size"
)

type sized int

func (s sized) Bytes() int { return int(s) }

func TestBytes(t *testing.T) {
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"nothing", size.Of[int64](nil, []int64{}), 0},
		{"numbers, with what was made room for", size.Of(make([]int64, 3, 5), []int64{1}), 48},
		{"a matrix", size.Of([][]float32{{1, 2}, {3}}...), 12},
		{"texts", size.OfTexts([]string{"north", "", "é"}), 3*16 + 7},
		{"things that say theirs", size.OfAll([]sized{100, 20}), 2*8 + 120},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.what, c.got, c.want)
		}
	}
}
