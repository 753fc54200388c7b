package session

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// dice is a method that is random, or one that could be and is not.
type dice struct{ draws bool }

func (d dice) Params() []method.Param        { return nil }
func (d dice) Narrate(*method.Report) string { return "" }

func TestOnlyDrawingMethodsGetASeed(t *testing.T) {
	seedOf := func(seed uint64, m method.Method) uint64 {
		entry := method.Spec{Draws: method.Of(func(d dice) bool { return d.draws })}
		c := call{StepSpec{Seed: seed}, &entry, m}
		if err := c.complete(); err != nil {
			t.Fatal(err)
		}
		return c.Seed
	}
	if seed := seedOf(0, dice{false}); seed != 0 {
		t.Errorf("a method that draws nothing got seed %d", seed)
	}
	if seed := seedOf(7, dice{true}); seed != 7 {
		t.Errorf("seed 7 became %d", seed)
	}
	one, other := seedOf(0, dice{true}), seedOf(0, dice{true})
	if one == 0 || one == other {
		t.Errorf("seeds %d and %d", one, other)
	}
}

// A seed among the parameters of a random method is the seed of the step.
func TestSeedAmongTheParameters(t *testing.T) {
	inside, outside := step("pram", `{"variables":["region"],"seed":7}`), step("pram", `{"variables":["region"]}`)
	outside.Seed = 7
	var hashes [2][32]byte
	for i, spec := range []StepSpec{inside, outside} {
		s := volatile(t, smallText, smallScenario())
		do(t, s, spec)
		hashes[i] = s.Data().Hash()
		if made := s.Steps()[0].Spec; made.Seed != 7 || strings.Contains(string(made.Params), "seed") {
			t.Errorf("the step made is %+v", made)
		}
	}
	if hashes[0] != hashes[1] {
		t.Error("the same seed gives other data among the parameters than beside them")
	}
	inside.Seed = 8
	if _, err := inside.in(nil); !errors.Is(err, method.ErrParam) {
		t.Errorf("two seeds: error %v", err)
	}
	for _, params := range []string{`{"variables":["region"],"seed":"x"}`, `{"variables":["region"],"seed":1.5}`} {
		if _, err := step("pram", params).in(nil); !errors.Is(err, method.ErrParam) {
			t.Errorf("%s: error %v", params, err)
		}
	}
}

// A typed seed of a random step is critical, because it can be guessed. A seed of more than 32 bits is not, nor
// one drawn by the program.
func TestTypedSeeds(t *testing.T) {
	for seed, want := range map[uint64]int{7: 1, 1<<32 - 1: 1, 1 << 32: 0, 0: 0} {
		s := volatile(t, smallText, microdata.NewScenario())
		do(t, s, StepSpec{Step: "recode-group", Params: json.RawMessage(`{"variable":"sex","levels":["f","m"],"label":"any"}`)})
		do(t, s, StepSpec{Step: "shuffle-records", Seed: seed})
		found := findings(t, s.Document(), ExportOptions{}, "typed-seeds")
		if len(found) != want || want == 1 && (!found[0].Critical || !found[0].Whole ||
			!strings.Contains(found[0].Text, "Step 2 (shuffle-records) draws from a seed below 2^32")) {
			t.Errorf("seed %d: %+v", seed, found)
		}
	}
}
