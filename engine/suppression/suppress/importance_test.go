package suppress

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRankVariables(t *testing.T) {
	names, categories := []string{"region", "urbrur", "sex", "age", "educ"}, []int{8, 2, 2, 98, 8}
	tests := map[string]struct {
		given              map[string]int
		rank, order, price []int
	}{
		"default": {nil, []int{3, 1, 2, 5, 4}, []int{3, 4, 0, 2, 1}, []int{1, 1, 1, 1, 1}},
		"all": {map[string]int{"region": 1, "urbrur": 2, "sex": 3, "age": 5, "educ": 4},
			[]int{1, 2, 3, 5, 4}, []int{3, 4, 2, 1, 0}, []int{5, 4, 3, 1, 2}},
		"all, ties in key order": {map[string]int{"region": 1, "urbrur": 1, "sex": 1, "age": 5, "educ": 5},
			[]int{1, 1, 1, 5, 5}, []int{3, 4, 0, 1, 2}, []int{5, 5, 5, 1, 1}},
		"some": {map[string]int{"age": 1, "region": 2},
			[]int{2, 3, 4, 1, 5}, []int{4, 2, 1, 0, 3}, []int{4, 3, 2, 5, 1}},
		"some, closed up": {map[string]int{"age": 3, "region": 5},
			[]int{2, 3, 4, 1, 5}, []int{4, 2, 1, 0, 3}, []int{4, 3, 2, 5, 1}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := rankVariables(names, categories, test.given)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([][]int{test.rank, test.order, test.price},
				[][]int{got.rank, got.order, got.price}); diff != "" {
				t.Errorf("rank, order, price (-want +got):\n%s", diff)
			}
		})
	}
}
