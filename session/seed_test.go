package session

import (
	"context"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/progress"
)

// dice is a method that draws, or one that could and does not.
type dice struct{ draws bool }

func (d dice) Draws() bool            { return d.draws }
func (d dice) Params() []method.Param { return nil }
func (d dice) Apply(context.Context, method.Input, *progress.Meter) (method.Output, error) {
	return method.Output{}, nil
}

func TestOnlyDrawingMethodsGetASeed(t *testing.T) {
	if seed := (StepSpec{}).seeded(dice{false}).Seed; seed != 0 {
		t.Errorf("a method that draws nothing got seed %d", seed)
	}
	if seed := (StepSpec{Seed: 7}).seeded(dice{true}).Seed; seed != 7 {
		t.Errorf("seed 7 became %d", seed)
	}
	one, other := (StepSpec{}).seeded(dice{true}).Seed, (StepSpec{}).seeded(dice{true}).Seed
	if one == 0 || one == other {
		t.Errorf("seeds %d and %d", one, other)
	}
}
