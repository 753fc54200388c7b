package loss_test

import (
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk/linkage"
	"github.com/sdcdesk/sdcdesk/engine/utility/loss"
)

// The score is the mean of the measures of loss and linkage. Unchanged data have no loss, and all records are
// linked.
func TestScore(t *testing.T) {
	was, now := golden.Masked(t, 400)
	scenario := microdata.NewScenario()
	scenario.Numeric = []string{"a", "b", "c"}
	original, current := measure.NewVersion(was, &scenario, nil), measure.NewVersion(now, &scenario, nil)
	compute := func(spec measure.Spec, current *measure.Version) *measure.Entry {
		e, err := spec.Compute(t.Context(), measure.Input{Original: original, Current: current}, spec.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return &e
	}
	dr, il := compute(linkage.Spec(), current).Value("dr", 0).Number, compute(loss.Spec(), current).Value("il", 0).Number
	if got := compute(loss.ScoreSpec(), current).Value("score", 0).Number; math.Abs(got-(il+dr)/2) > 1e-12 || !(dr > 0) ||
		!(il > 0) {
		t.Errorf("score %v of IL %v and DR %v", got, il, dr)
	}
	if got := compute(loss.ScoreSpec(), original).Value("score", 0).Number; math.Abs(got-50) > 2 {
		t.Errorf("the original data have %v", got)
	}
}
