package profile

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Tails count as a walk over the records does; parts hold every value once and are few.
func TestTails(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfN(rapid.IntRange(-30, 300), 1, 40).Draw(t, "numbers")
		tenth := rapid.Bool().Draw(t, "tenths")
		var text strings.Builder
		text.WriteString("x,w\n,5\n") // one is missing
		values, weights := make([]float64, len(numbers)), []float64{5}
		for i, n := range numbers {
			if values[i] = float64(n); tenth {
				values[i] /= 10
			}
			weights = append(weights, float64(1+i%3))
			fmt.Fprintf(&text, "%v,%v\n", values[i], weights[i+1])
		}
		data, _, err := fileio.ReadBytes(context.Background(), "x.csv", []byte(text.String()), fileio.NewFormat(), nil)
		if err != nil {
			t.Fatal(err)
		}
		column, _ := data.Column("x")
		tails := NewTails(column, weights)
		x := rapid.Float64Range(-40, 310).Draw(t, "threshold")
		if rapid.Bool().Draw(t, "a value") {
			x = rapid.SampledFrom(values).Draw(t, "value")
		}
		var above, below int
		var peopleAbove, peopleBelow float64
		for i, v := range values {
			if v > x {
				above, peopleAbove = above+1, peopleAbove+weights[i+1]
			}
			if v < x {
				below, peopleBelow = below+1, peopleBelow+weights[i+1]
			}
		}
		if n, people := tails.Above(x); n != above || people != peopleAbove {
			t.Fatalf("above %v: %d standing for %v, by all records %d for %v", x, n, people, above, peopleAbove)
		}
		if n, people := tails.Below(x); n != below || people != peopleBelow {
			t.Fatalf("below %v: %d standing for %v, by all records %d for %v", x, n, people, below, peopleBelow)
		}
		most := rapid.IntRange(1, 25).Draw(t, "parts")
		parts := tails.Parts(most, !tenth)
		if !slices.IsSorted(parts) || len(parts) > max(3, most+1) || parts[len(parts)-1] < slices.Max(values) {
			t.Fatalf("at most %d parts: %v of %v", most, parts, values)
		}
		if doubled := tails.Mapped(func(x float64) float64 { return 2 * x }); len(doubled.Values) != len(tails.Values) {
			t.Fatalf("mapped %v", doubled.Values)
		}
		all, people := tails.All()
		if one := tails.Mapped(func(float64) float64 { return 7 }); len(one.Values) != 1 || one.Values[0].Records != all ||
			one.Values[0].Population != people {
			t.Fatalf("mapped to one value: %v of %d", one.Values, all)
		}
		if to := tails.Moved(x, 1); slices.Max(values) > x &&
			(to <= x || slices.ContainsFunc(values, func(v float64) bool { return v > x && v < to })) {
			t.Fatalf("the value after %v: %v", x, to)
		}
	})
}
