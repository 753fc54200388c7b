package microdata

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAppendDecimalIsFormatF(t *testing.T) {
	for _, value := range []float64{0, math.Copysign(0, -1), 0.1, -0.05, 0.5, 1.5, 2.5, 999.995, 1e14, 1e15,
		123456789012345, 0.30000000000000004, math.Inf(1), math.NaN(), 5e-324} {
		for decimals := range 30 {
			want := strconv.FormatFloat(value, 'f', decimals, 64)
			if got := string(AppendDecimal(nil, value, decimals)); got != want {
				t.Errorf("AppendDecimal(%v, %d) = %s, want %s", value, decimals, got, want)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64(), rapid.Map(rapid.Int64Range(-1e16, 1e16),
			func(i int64) float64 { return float64(i) / 1000 })).Draw(t, "value")
		decimals := rapid.IntRange(0, 20).Draw(t, "decimals")
		want := strconv.FormatFloat(value, 'f', decimals, 64)
		if got := string(AppendDecimal(nil, value, decimals)); got != want {
			t.Fatalf("AppendDecimal(%v, %d) = %s, want %s", value, decimals, got, want)
		}
	})
}

func TestAppendShortestIsFormatF(t *testing.T) {
	check := func(t interface{ Errorf(string, ...any) }, value float64) {
		if got, want := string(appendShortest(nil, value)), strconv.FormatFloat(value, 'f', -1, 64); got != want {
			t.Errorf("appendShortest(%v) = %s, want %s", value, got, want)
		}
	}
	for _, value := range []float64{0, math.Copysign(0, -1), 0.1, -0.05, 1.5, 100, 999.995, 1e14, 1e15, 1e22, 123456789012.345,
		0.30000000000000004, 0.00001, 1e-4, math.Inf(1), math.NaN(), 5e-324} {
		check(t, value)
	}
	rapid.Check(t, func(t *rapid.T) {
		places := math.Pow10(rapid.IntRange(0, 6).Draw(t, "places"))
		check(t, rapid.OneOf(rapid.Float64(), rapid.Map(rapid.Int64Range(-1e16, 1e16),
			func(i int64) float64 { return float64(i) / places })).Draw(t, "value"))
	})
}

// MostDecimals returns the decimals of the longest text.
func TestMostDecimals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.OneOf(rapid.Float64(), rapid.Just(math.NaN()), rapid.Just(1e15),
			rapid.Map(rapid.Int64Range(-1e16, 1e16), func(i int64) float64 { return float64(i/1e9) / 100 }))
		values, want := rapid.SliceOfN(numbers, 0, 5).Draw(t, "values"), 0
		for _, value := range values {
			_, fraction, _ := strings.Cut(strconv.FormatFloat(value, 'f', -1, 64), ".")
			want = max(want, len(fraction))
		}
		if got := MostDecimals(values); got != want {
			t.Fatalf("%v: %d, want %d", values, got, want)
		}
	})
}
