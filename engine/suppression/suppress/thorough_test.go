package suppress

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// surveyCase returns the survey with its seven key variables and ages in intervals.
func surveyCase(t testing.TB, strata ...string) method.Input {
	t.Helper()
	c := referenceCase{KeyVars: []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}, Alpha: 1,
		Ages: []float64{-1, 4, 14, 24, 34, 44, 54, 64, 99}}
	in := c.prepare(t, golden.Data(t, "survey"))
	in.Scenario.Strata = strata
	return in
}

// started returns a search, continued in pieces.
func started(t testing.TB, m *KAnonymity, in method.Input, pieces ...int) method.Search {
	t.Helper()
	s, err := m.Search(t.Context(), in)
	for _, piece := range pieces {
		if err == nil {
			err = s.Continue(t.Context(), piece)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sum(numbers []int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}

// checkRepeated compares the result of a search with a step with the same number of iterations.
func checkRepeated(t testing.TB, s method.Search, m *KAnonymity, in method.Input) {
	t.Helper()
	found, err := s.Output(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	step := *m
	step.Algorithm, step.Iterations = Thorough, s.Iterations()
	made, err := step.Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if found.Data.Hash() != made.Data.Hash() {
		t.Error("the data differ")
	}
	if diff := cmp.Diff(found.Report, made.Report); diff != "" {
		t.Errorf("found (-) and applied (+):\n%s", diff)
	}
}

// A search has the same result as a step with the same number of iterations, with and without strata, in pieces
// and at once, on any number of processors.
func TestSearchEqualsItsStep(t *testing.T) {
	for _, strata := range [][]string{{"region"}, nil} {
		in := surveyCase(t, strata...)
		pieces := []int{3, 30, 17, 1}
		if !longtests.Wanted() && strata == nil {
			break
		} else if !longtests.Wanted() {
			pieces = []int{3, 1}
		}
		m := &KAnonymity{K: 3, Algorithm: Minimal, Rule: "conservative"}
		before := runtime.GOMAXPROCS(1)
		s := started(t, m, in, pieces...)
		first, err := s.Account(t.Context())
		runtime.GOMAXPROCS(max(2, before))
		if err != nil || first.Iterations != sum(pieces) || first.Iterations != s.Iterations() {
			t.Fatalf("%d iterations, %v", first.Iterations, err)
		}
		checkRepeated(t, s, m, in)
		runtime.GOMAXPROCS(before)
		if err := s.Continue(t.Context(), 10); err != nil {
			t.Fatal(err)
		}
		second, err := s.Account(t.Context())
		if err != nil || second.Price > first.Price || *second.Bound < *first.Bound || second.Left.Conservative > 0 {
			t.Fatalf("%+v after %+v, %v", second, first, err)
		}
		minimal, err := m.Apply(t.Context(), in, nil)
		if err != nil || second.Price > minimal.Report.Price || *second.Bound < *minimal.Report.Bound {
			t.Fatalf("%+v is dearer than minimal: %+v, %v", second, minimal.Report.Suppression, err)
		}
		t.Logf("strata %v: minimal %d cells, bound %d; thorough %d and %d", strata,
			minimal.Report.Total, *minimal.Report.Bound, second.Total, *second.Bound)
	}
}

// A search that is cancelled repeatedly has the same result.
func TestSearchGoesOnAfterItIsCancelled(t *testing.T) {
	in := surveyCase(t, "region")
	m := &KAnonymity{K: 3, Rule: "conservative"}
	s := started(t, m, in, 20)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for range 5 {
		if err := s.Continue(cancelled, 7); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		said := s.Iterations()
		if account, err := s.Account(t.Context()); err != nil || account.Iterations != said {
			t.Fatalf("%d iterations, said %d, %v", account.Iterations, said, err)
		}
		if err := s.Continue(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Account(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkRepeated(t, s, m, in)
}

// A search of a small file ends with the optimum, and its step repeats the number of iterations after which it
// ended.
func TestSearchEnds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := drawTable(rt, t)
		if len(in.Scenario.Keys) > 2 && rapid.Bool().Draw(rt, "strata") {
			in.Scenario.Strata = in.Scenario.Keys[:1]
		}
		m := &KAnonymity{K: 2, Rule: rapid.SampledFrom([]string{"conservative", "own-category"}).Draw(rt, "rule")}
		s, err := m.Search(t.Context(), in)
		if errors.Is(err, method.ErrUnreachable) {
			rt.Skip("a stratum is too small")
		}
		for i := 0; err == nil && !s.Done() && i < 40; i++ {
			err = s.Continue(t.Context(), rapid.IntRange(1, 50).Draw(rt, "piece"))
		}
		if err != nil {
			rt.Fatal(err)
		}
		account, err := s.Account(t.Context())
		if err != nil || account.Proven != (account.Price == *account.Bound) || s.Done() && !account.Proven {
			rt.Fatalf("done %t: %+v, bound %d, %v", s.Done(), account, *account.Bound, err)
		}
		checkRepeated(t, s, m, in)
	})
}

// With whole households, too, a thorough search never costs more than minimal.
func TestThoroughOfWholeHouseholds(t *testing.T) {
	longtests.Needed(t)
	in := surveyCase(t)
	in.Scenario.Household, in.Scenario.SameForHousehold = "hid", []string{"region", "urbrur"}
	m := &KAnonymity{K: 3, Algorithm: Minimal, Rule: "conservative"}
	minimal, err := m.Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := started(t, m, in, 30)
	account, err := s.Account(t.Context())
	if err != nil || account.Price > minimal.Report.Price || account.Left.Conservative > 0 {
		t.Errorf("%+v, %v; minimal %+v", account, err, minimal.Report.Suppression)
	}
	t.Logf("minimal %d cells, thorough %d", minimal.Report.Total, account.Total)
	checkRepeated(t, s, m, in)
}

// Under the rules that count missing cells for other records thorough never costs more than minimal, and no less
// than the bound.
func TestThoroughUnderTheDefaultRule(t *testing.T) {
	longtests.Needed(t)
	in := surveyCase(t)
	m := &KAnonymity{K: 3, Algorithm: Minimal, Rule: "default"}
	minimal, err := m.Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	account, err := started(t, m, in, 40).Account(t.Context())
	if err != nil || account.Price > minimal.Report.Price || account.Left.Default > 0 || account.Bound == nil || *account.Bound > account.Price {
		t.Errorf("%+v, %v; minimal %+v", account, err, minimal.Report.Suppression)
	}
}

// An iteration covers all strata, so that none falls behind another that is not done.
func TestIterationsGoThroughAllStrata(t *testing.T) {
	s := started(t, &KAnonymity{K: 3, Rule: "conservative"}, surveyCase(t, "region"), 2, 1).(*Search)
	for i, searches := range s.searches {
		for _, search := range searches {
			if n := search.Iterations(); n != 3 && !search.Done() {
				t.Errorf("stratum %d has made %d iterations of 3", i, n)
			}
		}
	}
	if len(s.searches) < 2 || s.Done() {
		t.Errorf("%d strata, done: %v", len(s.searches), s.Done())
	}
}
