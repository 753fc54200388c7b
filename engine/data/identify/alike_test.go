package identify_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
)

func TestAlike(t *testing.T) {
	texts := []string{"m", "f", "m ", "caf\u00e9", "cafe", "cafe\u0301", "North", "north", "new  town", "newtown", "New\u00a0Town"}
	want := [][]int{{0, 2}, {3, 5}, {6, 7}, {8, 10}}
	if diff := cmp.Diff(want, identify.Alike(texts)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := identify.Alike([]string{"m", "f", "", "a b", "ab", "é", "e"}); len(got) > 0 {
		t.Errorf("%v look alike", got)
	}
	var many []string
	for i := range identify.MostAlike {
		many = append(many, fmt.Sprint("text ", i))
	}
	if got := identify.Alike(append(slices.Clone(many[1:]), "TEXT 7")); len(got) != 1 {
		t.Errorf("%v look alike among as many as are looked at", got)
	}
	if got := identify.Alike(append(many, "TEXT 7")); len(got) > 0 {
		t.Errorf("%v look alike among more than are looked at", got)
	}
}
