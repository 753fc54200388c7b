package size_test

import (
	"reflect"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/size"
)

type table [1000]int64

type part struct {
	counts []int32
	label  string
	of     *table
}

func TestHeld(t *testing.T) {
	numbers, of := make([]int64, 3, 5), &table{}
	many := make([]part, 1<<20)
	for i := range many {
		many[i].label = "north"
	}
	elsewhere := reflect.TypeFor[table]()
	for _, c := range []struct {
		what      string
		value     any
		elsewhere []reflect.Type
		want      int
	}{
		{"nothing", nil, nil, 0},
		{"numbers, with what was made room for", numbers, nil, 40},
		{"what is there twice", [][]int64{numbers, numbers}, nil, 2*24 + 40},
		{"a matrix", [][]float32{{1, 2}, {3}}, nil, 2*24 + 12},
		{"texts", []string{"north", "", "é"}, nil, 3*16 + 7},
		{"cells", []any{"north", 3, nil}, nil, 3*16 + 5},
		{"what an interface holds", struct{ found any }{&numbers}, nil, 24 + 40},
		{"a map", map[uint32]uint64{1: 2, 3: 4}, nil, 2 * 12},
		{"unexported parts", &part{counts: []int32{1, 2}, label: "x", of: of}, nil, 48 + 8 + 1 + 8000},
		{"what is counted elsewhere", &part{counts: []int32{1, 2}, of: of}, []reflect.Type{elsewhere}, 48 + 8},
		{"functions", func() int { return len(numbers) }, nil, 0},
		{"many", many, nil, len(many) * (48 + 5)},
	} {
		if got := size.Held(c.value, c.elsewhere...); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.what, got, c.want)
		}
	}
	if got := size.Of(numbers, []int64{1}); got != 48 {
		t.Errorf("%d bytes of two slices", got)
	}
}
