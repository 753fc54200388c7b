package suppress

import (
	"testing"

	"pgregory.net/rapid"
)

// naiveAgreement answers what agreement answers by comparing two records at a
// time.
type naiveAgreement [][]uint32

// differences returns the places in variables on which two records differ.
func (codes naiveAgreement) differences(a, b int, variables []int) []int {
	var places []int
	for place, v := range variables {
		if codes[v][a] != codes[v][b] && codes[v][a] != 0 && codes[v][b] != 0 {
			places = append(places, place)
		}
	}
	return places
}

func (codes naiveAgreement) count(record int, complete func(record int) bool) (whole, partly int) {
	all := make([]int, len(codes))
	for v := range all {
		all[v] = v
	}
	for other := range codes[0] {
		switch {
		case len(codes.differences(record, other, all)) > 0:
		case complete(other):
			whole++
		default:
			partly++
		}
	}
	return whole, partly
}

func (codes naiveAgreement) nearestDifference(record int, variables []int) (first int, ok bool) {
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

// Values that many records have and values that few have, cells blanked as it
// goes on, more records than a word holds.
func TestAgreementIsThatOfPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "records")
		levels := rapid.SliceOfN(rapid.IntRange(1, 60), 1, 5).Draw(t, "levels")
		codes := make(naiveAgreement, len(levels))
		for v := range codes {
			codes[v] = rapid.SliceOfN(rapid.Uint32Range(0, uint32(levels[v])), n, n).Draw(t, "codes")
		}
		a := newAgreement(codes, levels)
		for range 5 {
			record := rapid.IntRange(0, n-1).Draw(t, "record")
			checkAgreement(t, a, codes, record)
			v := rapid.IntRange(0, len(levels)-1).Draw(t, "variable")
			if codes[v][record] != 0 {
				codes[v][record] = 0
				a.blank(record, v)
			}
		}
	})
}

func checkAgreement(t *rapid.T, a *agreement, codes naiveAgreement, record int) {
	complete := make([]uint64, len(a.scratch))
	isComplete := func(record int) bool {
		for v := range codes {
			if codes[v][record] == 0 {
				return false
			}
		}
		return true
	}
	for other := range codes[0] {
		if isComplete(other) {
			complete[other>>6] |= 1 << (other & 63)
		}
	}
	whole, partly := a.count(codes, record, complete)
	if w, p := codes.count(record, isComplete); whole != w || partly != p {
		t.Fatalf("%d complete and %d incomplete records agree, want %d and %d", whole, partly, w, p)
	}
	var variables []int
	for v := len(codes) - 1; v >= 0; v-- {
		if codes[v][record] != 0 {
			variables = append(variables, v)
		}
	}
	first, ok := a.nearestDifference(codes, record, variables)
	if f, o := codes.nearestDifference(record, variables); o != ok || ok && f != first {
		t.Fatalf("first difference %d %v, want %d %v", first, ok, f, o)
	}
}
