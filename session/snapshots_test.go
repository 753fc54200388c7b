package session

import (
	"fmt"
	"runtime"
	"testing"
)

// The cost of a step does not grow with the number of steps before it.
func TestStepsCostTheSameHoweverManyThereAre(t *testing.T) {
	data, format := readText(t, "sex,income\nm,1000\nf,2500\nf,3000\nm,12000\n")
	s, err := New(Opening{Source: NewDemonstration("small.csv", format), Data: data, Volatile: true})
	must(t, err)
	base := 0
	steps := func(count int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range count {
			base++
			step := StepSpec{Step: "recode-round", Params: fmt.Appendf(nil, `{"variable":"income","base":%d}`, base)}
			result, err := s.Prepare(step).Run(t.Context(), nil, nil)
			must(t, err)
			must(t, s.Commit(result))
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	steps(20)
	early := steps(100)
	steps(1500)
	if late := steps(100); late > 2*early {
		t.Errorf("100 steps allocate %d bytes, after 1,620 others %d", early, late)
	}
}
