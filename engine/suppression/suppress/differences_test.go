package suppress

import (
	"testing"

	"pgregory.net/rapid"
)

// naiveDifferences is differences by comparing pairs of records.
type naiveDifferences [][]uint32

// differences returns the indices in variables on which two records differ.
func (codes naiveDifferences) differences(a, b int, variables []int) []int {
	var places []int
	for place, v := range variables {
		if codes[v][a] != codes[v][b] && codes[v][a] != 0 && codes[v][b] != 0 {
			places = append(places, place)
		}
	}
	return places
}

func (codes naiveDifferences) nearest(record int, variables []int) (first int, ok bool) {
	fewest := len(variables) + 1
	for other := range codes[0] {
		places := codes.differences(record, other, variables)
		switch {
		case len(places) == 0 || len(places) > fewest:
		case len(places) < fewest:
			fewest, first = len(places), places[0]
		default:
			first = min(first, places[0])
		}
	}
	return first, fewest <= len(variables)
}

// The test has frequent and rare values, cells suppressed on the way, and more records than a word has bits.
func TestNearestDifferenceIsThatOfPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "records")
		levels := rapid.SliceOfN(rapid.IntRange(1, 60), 1, 5).Draw(t, "levels")
		codes := make(naiveDifferences, len(levels))
		for v := range codes {
			codes[v] = rapid.SliceOfN(rapid.Uint32Range(0, uint32(levels[v])), n, n).Draw(t, "codes")
		}
		a := newDifferences(codes, levels)
		for range 5 {
			record := rapid.IntRange(0, n-1).Draw(t, "record")
			checkNearest(t, a, codes, record)
			v := rapid.IntRange(0, len(levels)-1).Draw(t, "variable")
			if codes[v][record] != 0 {
				codes[v][record] = 0
				a.suppress(record, v)
			}
		}
	})
}

func checkNearest(t *rapid.T, a *differences, codes naiveDifferences, record int) {
	var variables []int
	for v := len(codes) - 1; v >= 0; v-- {
		if codes[v][record] != 0 {
			variables = append(variables, v)
		}
	}
	first, ok := a.nearest(codes, record, variables)
	if f, o := codes.nearest(record, variables); o != ok || ok && f != first {
		t.Fatalf("first difference %d %v, want %d %v", first, ok, f, o)
	}
}
