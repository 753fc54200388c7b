package suppress

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// The k that is reached keeps to the number of cells, its step does what was
// said, and with more cells k is no smaller.
func TestReachable(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := drawTable(rt, t)
		variable := rapid.SampledFrom(in.Scenario.Keys).Draw(rt, "variable")
		cells := rapid.IntRange(0, 6).Draw(rt, "cells")
		m := NewKAnonymity()
		reach, err := m.Reachable(t.Context(), in, variable, cells, nil)
		if errors.Is(err, method.ErrUnreachable) {
			rt.Skip("k = 2 takes more")
		}
		if err != nil {
			rt.Fatal(err)
		}
		out, err := reach.Step.Apply(t.Context(), in, nil)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(out.Report.Suppression, reach.Suppression); diff != "" {
			rt.Fatalf("applied (-) and foretold (+):\n%s", diff)
		}
		if reach.Cells > cells || reach.Suppression.Left.Conservative > 0 || reach.Step.K < 2 {
			rt.Fatalf("k = %d with %d cells of %d, left %+v", reach.Step.K, reach.Cells, cells, reach.Suppression.Left)
		}
	})
}

func TestReachableOnTheSurvey(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	in := surveyCase(t)
	k := 0
	for _, cells := range []int{0, 50, 500} {
		reach, err := NewKAnonymity().Reachable(t.Context(), in, "educ", cells, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("at most %d cells in educ: k = %d with %d, %d cells in all", cells, reach.Step.K, reach.Cells, reach.Suppression.Total)
		if reach.Step.K < k || reach.Cells > cells {
			t.Errorf("at most %d cells: k = %d with %d", cells, reach.Step.K, reach.Cells)
		}
		k = reach.Step.K
	}
}

func TestReachableErrors(t *testing.T) {
	in := table(t, "AA", "BA", "CA", "DA")
	if _, err := NewKAnonymity().Reachable(t.Context(), in, "c", 1, nil); !errors.Is(err, method.ErrParam) {
		t.Error(err)
	}
	_, err := NewKAnonymity().Reachable(t.Context(), table(t, "A", "B", "C", "D"), "a", 1, nil)
	if !errors.Is(err, method.ErrUnreachable) || !strings.Contains(err.Error(), "it takes 4") {
		t.Error(err)
	}
}
