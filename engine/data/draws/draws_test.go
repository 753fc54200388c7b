package draws_test

import (
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/draws"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

// drawnFrom are outcomes of unequal chances: the third has none, and the last begins just below the end.
var drawnFrom = draws.Outcomes{Below: []uint64{3 << 61, 3<<61 + 1<<58, 3<<61 + 1<<58, 1<<63 - 5, 1 << 63},
	Codes: []uint32{1, 2, 3, 4, 5}}

func chancesOf(o *draws.Outcomes) []float64 {
	below, out := uint64(0), make([]float64, len(o.Below))
	for i, to := range o.Below {
		out[i], below = float64(to-below)/(1<<63), to
	}
	return out
}

// How many of some records have each outcome has the mean and the variance of a multinomial draw, whether they are few
// or many, and no two of them depend on each other in another way.
func TestCountsAreMultinomial(t *testing.T) {
	chances := chancesOf(&drawnFrom)
	for _, records := range []int{1, 15, 17, 64, 100, 5000} {
		const times = 4000
		n, sums, products := float64(records), make([]float64, len(chances)), make([][]float64, len(chances))
		for i := range products {
			products[i] = make([]float64, len(chances))
		}
		for seed := range uint64(times) {
			counts, total := drawnFrom.Counts(records, random.Stream(seed, "test", 0)), 0
			for i, count := range counts {
				total += count
				sums[i] += float64(count)
				for j, other := range counts {
					products[i][j] += (float64(count) - n*chances[i]) * (float64(other) - n*chances[j])
				}
			}
			if total != records || counts[2] > 0 {
				t.Fatalf("%d records have the outcomes %v", records, counts)
			}
		}
		for i, p := range chances {
			if sd := math.Sqrt(n * p * (1 - p) / times); math.Abs(sums[i]/times-n*p) > 4.5*sd+1e-9 {
				t.Errorf("%d records: outcome %d has %v on average, want %v", records, i, sums[i]/times, n*p)
			}
			for j, q := range chances {
				want, spread := -n*p*q, n*math.Sqrt(p*q)*math.Sqrt(2/float64(times))
				if i == j {
					want = n * p * (1 - p)
				}
				if p > 1e-9 && q > 1e-9 && math.Abs(products[i][j]/times-want) > 5*spread*math.Sqrt(1+1/(n*min(p, q))) {
					t.Errorf("%d records: covariance of %d and %d is %v, want %v", records, i, j, products[i][j]/times, want)
				}
			}
		}
	}
}

// Billions of records at a time are counted exactly, too: all of one with a chance of 1, and 2^33 of them within six
// standard deviations.
func TestCountsOfBillions(t *testing.T) {
	const many = 1 << 33
	sure := draws.Outcomes{Below: []uint64{0, 1 << 63}, Codes: []uint32{1, 2}}
	if counts := sure.Counts(many, random.Stream(1, "", 0)); counts[0] != 0 || counts[1] != many {
		t.Errorf("%v", counts)
	}
	chances := chancesOf(&drawnFrom)
	for i, count := range drawnFrom.Counts(many, random.Stream(2, "", 0)) {
		want, sd := many*chances[i], math.Sqrt(many*chances[i]*(1-chances[i]))
		if math.Abs(float64(count)-want) > 6*sd+1e-3 {
			t.Errorf("outcome %d has %d, want %v", i, count, want)
		}
	}
}

// A number has the first outcome that begins above it.
func TestOutcomeOfANumber(t *testing.T) {
	for number, want := range map[uint64]int{0: 0, 3<<61 - 1: 0, 3 << 61: 1, 3<<61 + 1<<58 - 1: 1, 3<<61 + 1<<58: 3, 1<<63 - 6: 3, 1<<63 - 5: 4, 1<<63 - 1: 4} {
		if got := drawnFrom.Find(number); got != want {
			t.Errorf("%d has the outcome %d, want %d", number, got, want)
		}
	}
}
