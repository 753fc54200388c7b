package microdata

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"pgregory.net/rapid"
)

// sameAsPlain compares with a simple stable sort in which rows without a value come last.
func sameAsPlain(t *rapid.T, rows []uint32, key SortKey, descending bool, missing func(row uint32) bool,
	compare func(a, b uint32) int) []uint32 {
	want := slices.Clone(rows)
	slices.SortStableFunc(want, func(a, b uint32) int {
		switch {
		case missing(a) && missing(b):
			return 0
		case missing(a):
			return 1
		case missing(b):
			return -1
		case descending:
			return compare(b, a)
		}
		return compare(a, b)
	})
	before := slices.Clone(rows)
	got, err := Sorted(context.Background(), rows, key)
	if err != nil || !slices.Equal(got, want) || !slices.Equal(rows, before) {
		t.Fatalf("%v gives %v, not %v (%v)", before, got, want, err)
	}
	return got
}

func TestNumbersInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, 2.5, math.NaN(), math.Inf(1),
			math.Inf(-1), math.MaxFloat64, -math.SmallestNonzeroFloat64}), rapid.Float64())
		first, second := rapid.SliceOfN(number, 1, 60).Draw(t, "first"), []float64{}
		for range first {
			second = append(second, rapid.SampledFrom([]float64{3, 4, math.NaN()}).Draw(t, "second"))
		}
		rows := stat.InOrder(len(first))
		for _, values := range [][]float64{first, second} {
			descending := rapid.Bool().Draw(t, "descending")
			rows = sameAsPlain(t, rows, SortByNumbers(func(row uint32) float64 { return values[row] }, descending), descending,
				func(row uint32) bool { return values[row] != values[row] },
				func(a, b uint32) int { return cmp.Compare(values[a], values[b]) })
		}
		for place, at := range PlacesOf(rows) {
			if rows[at] != uint32(place) {
				t.Fatalf("the place of row %d is %d", place, at)
			}
		}
	})
}

func TestLevelsInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := []string{"10", "9", "b", "a", "9b"}
		wanted := []int{2, 1, 5, 4, 3} // numbers by value, then texts
		ordered, descending := rapid.Bool().Draw(t, "ordered"), rapid.Bool().Draw(t, "descending")
		levels := make([]Level, len(labels))
		for i, label := range labels {
			levels[i] = Level{Label: label, Value: LabelNumber(label)}
			if ordered {
				wanted[i] = i
			}
		}
		codes := rapid.SliceOfN(rapid.Uint32Range(0, uint32(len(labels))), 1, 60).Draw(t, "codes")
		column := NewCategorical("v", Category,
			&Categories{Levels: levels, Codes: CodesOf(codes), Ordered: ordered})
		sameAsPlain(t, stat.InOrder(len(codes)), SortByColumn(column, descending), descending,
			func(row uint32) bool { return codes[row] == 0 },
			func(a, b uint32) int { return wanted[codes[a]-1] - wanted[codes[b]-1] })
	})
}

func TestSortingStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Sorted(ctx, stat.InOrder(10), SortByNumbers(func(row uint32) float64 { return 1 }, false)); !errors.Is(err,
		context.Canceled) {
		t.Errorf("a cancelled sort ends with %v", err)
	}
}

// BenchmarkSorted sorts a million rows by two numbers with decimals.
func BenchmarkSorted(b *testing.B) {
	const n = 1_000_000
	first, second := make([]float64, n), make([]float64, n)
	for i := range first {
		first[i], second[i] = float64(i*7919%100), math.Sin(float64(i))*1e5
	}
	for b.Loop() {
		rows := stat.InOrder(n)
		for _, values := range [][]float64{second, first} {
			var err error
			if rows, err = Sorted(context.Background(), rows, SortByNumbers(func(row uint32) float64 { return values[row] },
				true)); err != nil {
				b.Fatal(err)
			}
		}
		PlacesOf(rows)
	}
}
