package loss_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/loss"
)

func robustLoss(t *testing.T, m measure.Measure, was, now *microdata.Dataset) measure.Entry {
	t.Helper()
	scenario := microdata.NewScenario()
	in := measure.Input{Original: measure.NewVersion(was, &scenario, nil), Current: measure.NewVersion(now, &scenario, nil)}
	entry, err := loss.RobustSpec().Compute(t.Context(), in, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

// By hand: the medians are 4 and 5, the trimmed means 4 and 5. The absolute deviations from the median are 1, 0,
// 1, 3, 96 and, in the masked values, from 5: 2, 1, 0, 2, 95, so that 100 and 100 count as 4 + 3 and 5 + 6.
func TestRobustStatisticsByHand(t *testing.T) {
	was := golden.Named(map[string][]float64{"x": {3, 4, 5, 1, 100}}, "x")
	now := golden.Named(map[string][]float64{"x": {3, 4, 5, 7, 100}}, "x")
	entry := robustLoss(t, &loss.Robust{Variables: []string{"x"}, Trim: 0.2}, was, now)
	oneStep, masked := (3+4+5+1+7.0)/5, (3+4+5+7+11.0)/5
	for name, want := range map[string]float64{"medians": 25, "trimmed_means": 100 * (16.0/3 - 4) / 4,
		"one_step_means": 100 * (masked - oneStep) / oneStep, "mads": 100} {
		if got := entry.Value(name, 0).Number; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if v := entry.Value("spearman", 0); v.Text() != "only one variable" {
		t.Errorf("rank correlations of one variable: %q", v.Text())
	}
}

// Larger outliers change the least squares figures, and none of the robust ones.
func TestRobustLossIgnoresOutliers(t *testing.T) {
	was, _ := golden.Masked(t, 400)
	values := golden.Values(was, "a", "b", "c")
	for i := 0; i < 400; i += 10 {
		values[0][i] = 1e6
	}
	was = golden.Numbers(t, values)
	values = golden.Values(was, "a", "b", "c")
	values[0] = slices.Clone(values[0])
	for i := 0; i < 400; i += 10 {
		values[0][i] = 1e8
	}
	now := golden.Numbers(t, values)
	entry := robustLoss(t, &loss.Robust{Variables: []string{"a", "b", "c"}, Trim: 0.15}, was, now)
	for _, name := range []string{"medians", "trimmed_means", "one_step_means", "mads", "spearman", "robust_correlations",
		"robust_eigen", "least_trimmed_squares"} {
		if got := entry.Value(name, 0).Number; !(math.Abs(got) < 1e-9) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := entry.Value("least_squares", 0).Number; !(got > 100) {
		t.Errorf("least squares: %v", got)
	}
}

// A figure that cannot be computed has a reason and is not a number.
func TestRobustLossOfPlanes(t *testing.T) {
	x := map[string][]float64{"x": {1, 2, 3, 4, 5, 6, 7, 8}, "y": {2, 4, 6, 8, 10, 12, 14, 16}, "z": {1, 2, 3, 4, 5, 6, 7, 8}}
	data := golden.Named(x, "x", "y", "z")
	entry := robustLoss(t, &loss.Robust{Variables: []string{"x", "y", "z"}}, data, data)
	for name, want := range map[string]string{"robust_correlations": "half of the records lie on a plane, or there are too few records",
		"least_squares": "a variable is determined by others, or there are too few records"} {
		if v := entry.Value(name, 0); !math.IsNaN(v.Number) || v.Text() != want {
			t.Errorf("%s: %q", name, v.Text())
		}
	}
}

// A variable whose original figure is 0 is left out of percentages.
func TestRobustPercentsLeaveZerosOut(t *testing.T) {
	was := golden.Named(map[string][]float64{"x": {-1, 0, 1}, "y": {2, 4, 9}}, "x", "y")
	now := golden.Named(map[string][]float64{"x": {-1, 1, 2}, "y": {2, 5, 9}}, "x", "y")
	entry := robustLoss(t, &loss.Robust{Variables: []string{"x", "y"}}, was, now)
	if got := entry.Value("medians", 0).Number; got != 25 {
		t.Errorf("medians: %v, want 25", got)
	}
}
