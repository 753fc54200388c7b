package inference_test

import (
	"fmt"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk/inference"
)

// BenchmarkFind measures the search in a survey with the structure and scenario of the demonstration, age recoded
// and k-anonymity of 3, and the dictionaries of all variables built.
func BenchmarkFind(b *testing.B) {
	for _, rows := range []int{5000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			data, s := demonstration(b)
			data = generated.Survey(b, rows, 7, names(data)...)
			released := applied(b, data, s, protection()...)
			for _, column := range released.Columns() {
				column.Categories()
			}
			in := measure.Input{Original: measure.NewVersion(data, s, nil), Current: measure.NewVersion(released, s, nil)}
			for b.Loop() {
				if _, err := inference.Find(b.Context(), in, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
