package draws_test

import (
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/draws"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

// How many records of each row a sample keeps has the mean and the covariances of the multivariate hypergeometric law,
// where rows draw for their records at a time and where one record draws after the other.
func TestSamplesAreHypergeometric(t *testing.T) {
	records := []int{1, 2, 40, 300, 17}
	for _, s := range []draws.Sample{{Of: 360, Kept: 1}, {Of: 360, Kept: 36}, {Of: 360, Kept: 200}, {Of: 360, Kept: 359}} {
		byRecord := func(seed uint64) []int {
			kept, keeps := make([]int, len(records)), draws.Keeping(random.Stream(seed, "records", 0), s.Of, s.Kept)
			for row, count := range records {
				for range count {
					if keeps() {
						kept[row]++
					}
				}
			}
			return kept
		}
		byRow := func(seed uint64) []int { return s.OfRows(records, random.Stream(seed, "rows", 0)) }
		for name, draw := range map[string]func(uint64) []int{"records": byRecord, "rows": byRow} {
			checkHypergeometric(t, name, records, s, draw)
		}
	}
}

func checkHypergeometric(t *testing.T, name string, records []int, s draws.Sample, draw func(seed uint64) []int) {
	t.Helper()
	const times = 4000
	share, sums, products := float64(s.Kept)/float64(s.Of), make([]float64, len(records)), make([][]float64, len(records))
	for i := range products {
		products[i] = make([]float64, len(records))
	}
	for seed := range uint64(times) {
		kept, all := draw(seed), 0
		for i, count := range kept {
			if all += count; count > records[i] {
				t.Fatalf("%s: %d of %d records are kept", name, count, records[i])
			}
			sums[i] += float64(count)
			for j, other := range kept {
				products[i][j] += (float64(count) - share*float64(records[i])) * (float64(other) - share*float64(records[j]))
			}
		}
		if all != s.Kept {
			t.Fatalf("%s: %d records are kept, want %d", name, all, s.Kept)
		}
	}
	of := float64(s.Of)
	variance := func(i int) float64 {
		n := float64(records[i])
		return n / of * (1 - n/of) * float64(s.Kept) * (of - float64(s.Kept)) / (of - 1)
	}
	for i := range records {
		if mean, want := sums[i]/times, share*float64(records[i]); math.Abs(mean-want) > 4.5*math.Sqrt(variance(i)/times) {
			t.Errorf("%s, %+v: row %d keeps %v on average, want %v", name, s, i, mean, want)
		}
		for j := range records {
			want := -float64(records[i]) * float64(records[j]) / of / of * float64(s.Kept) * (of - float64(s.Kept)) / (of - 1)
			if i == j {
				want = variance(i)
			}
			spread := math.Sqrt(variance(i)*variance(j)*2/times) * math.Sqrt(1+1/min(variance(i), variance(j)))
			if got := products[i][j] / times; math.Abs(got-want) > 5*spread {
				t.Errorf("%s, %+v: covariance of rows %d and %d is %v, want %v", name, s, i, j, got, want)
			}
		}
	}
}

// Rows of billions are drawn exactly, too: two halves of 10^10 records within six standard deviations, and as many
// together as are wanted.
func TestSamplesOfBillions(t *testing.T) {
	const half = 5_000_000_000
	s := draws.Sample{Of: 2 * half, Kept: 1_000_000_007}
	kept := s.OfRows([]int{half, half}, random.Stream(3, "", 0))
	sd := math.Sqrt(float64(s.Kept) / 4 * float64(s.Of-s.Kept) / float64(s.Of-1))
	if kept[0]+kept[1] != s.Kept || math.Abs(float64(kept[0])-float64(s.Kept)/2) > 6*sd {
		t.Errorf("kept are %d and %d", kept[0], kept[1])
	}
}
