package keys_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// large returns a file large enough for several goroutines: seven variables, of which wide has many levels,
// missing values in all, and weights that are not decimals.
func large(records, wide int) *sample {
	random := rand.New(rand.NewPCG(3, 4))
	s := &sample{levels: []int{8, 2, 2, wide, 5, 6, 6}, n: records}
	for _, levels := range s.levels {
		codes := make([]uint32, records)
		for record := range codes {
			if random.IntN(20) > 0 {
				codes[record] = uint32(1 + random.IntN(min(levels, 90)))
			}
		}
		s.codes = append(s.codes, codes)
	}
	for range records {
		s.weights = append(s.weights, 1+300*random.Float64())
	}
	return s
}

func TestSameOnAnyNumberOfProcessors(t *testing.T) {
	for i, wide := range []int{90, 1 << 20, 1 << 31} {
		if !longtests.Some(i, 2) {
			continue
		}
		s := large(40_000, min(wide, 1<<20))
		if wide == 1<<31 { // keys of more than 64 bits
			for range 8 {
				s.levels, s.codes = append(s.levels, 1000), append(s.codes, s.codes[1])
			}
		}
		columns := s.columns(t)
		many := build(t, columns, s.weights)
		before := runtime.GOMAXPROCS(1)
		one := build(t, columns, s.weights)
		same(t, many, one)
		runtime.GOMAXPROCS(before)
		mapping := make([]uint32, s.levels[4]+1)
		for code := range mapping {
			mapping[code] = uint32(code+1) / 2
		}
		regrouped, err := many.Regroup(context.Background(), 4, 3, mapping)
		if err != nil {
			t.Fatal(err)
		}
		for record, code := range s.codes[4] {
			s.codes[4][record] = mapping[code]
		}
		s.levels[4] = 3
		same(t, regrouped, build(t, s.columns(t), s.weights))
	}
}

func TestCancelWhileWorking(t *testing.T) {
	s := large(40_000, 90)
	columns := s.columns(t)
	table := build(t, columns, s.weights)
	for after := range 40 {
		ctx := &countdown{Context: context.Background(), left: after * 3}
		if _, err := keys.New(ctx, columns, s.weights); err == nil && ctx.ended() {
			t.Errorf("New finished although it saw the context end")
		}
		ctx = &countdown{Context: context.Background(), left: after * 3}
		if _, err := table.Frequencies(ctx, microdata.RuleCategorySize, 1); err == nil && ctx.ended() {
			t.Errorf("Frequencies finished although it saw the context end")
		}
	}
}
