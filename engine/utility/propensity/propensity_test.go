package propensity_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/propensity"
)

func compute(t testing.TB, m *propensity.Propensity, was, now *microdata.Dataset) measure.Entry {
	t.Helper()
	scenario := microdata.NewScenario()
	in := measure.Input{Original: measure.NewVersion(was, &scenario, nil),
		Current: measure.NewVersion(now, &scenario, nil)}
	entry, err := propensity.Spec().Compute(t.Context(), in, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

func of(t testing.TB, cells ...[]string) *microdata.Dataset {
	t.Helper()
	var columns []*microdata.Column
	for j, some := range cells {
		columns = append(columns, golden.Column(t, string(rune('a'+j)), some))
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func u(t testing.TB, m *propensity.Propensity, was, now *microdata.Dataset) float64 {
	t.Helper()
	e := compute(t, m, was, now)
	return e.Value("propensity", 0).Number
}

// With one categorical variable the fitted probabilities are the shares of masked records in its categories,
// computed by hand.
func TestOfOneVariableByHand(t *testing.T) {
	was, now := of(t, []string{"x", "x", "x", "y", ""}), of(t, []string{"x", "y", "y", "y", "y"})
	// x: 1 of 4 masked, y: 4 of 5, missing: 0 of 1
	want := (4*math.Pow(0.25-0.5, 2) + 5*math.Pow(0.8-0.5, 2) + 0.25) / 10
	if got := u(t, &propensity.Propensity{Variables: []string{"a"}, Powers: 1}, was, now); math.Abs(got-want) > 1e-6 {
		t.Errorf("U is %v, want %v", got, want)
	}
}

// The logit is linear in x if 0.2 of ten records with x = 1 and 0.8 of ten with x = 3 are masked: the fit is
// exact.
func TestOfANumberByHand(t *testing.T) {
	was, now := make([]float64, 10), make([]float64, 10)
	for i := range was {
		was[i], now[i] = 1, 3
		if i < 2 {
			was[i], now[i] = 3, 1
		}
	}
	if got, want := u(t, &propensity.Propensity{Variables: []string{"a"}, Powers: 1}, golden.Numbers(t, [][]float64{was}),
		golden.Numbers(t, [][]float64{now})), 0.09; math.Abs(got-want) > 1e-9 {
		t.Errorf("U is %v, want %v", got, want)
	}
}

// Equal data cannot be distinguished. Data with nothing in common can be distinguished completely. A change of
// spread is detected only with squares.
func TestLimits(t *testing.T) {
	was, now := golden.Masked(t, 3000)
	all := []string{"a", "b", "c"}
	if got := u(t, &propensity.Propensity{Variables: all, Powers: 3}, was, was); got != 0 {
		t.Errorf("of equal data %v", got)
	}
	if got := u(t, &propensity.Propensity{Variables: []string{"a"}, Powers: 1}, of(t, []string{"x", "y"}),
		of(t, []string{"v", "w"})); math.Abs(got-0.25) > 1e-6 {
		t.Errorf("of different categories %v", got)
	}
	linear, square := u(t, &propensity.Propensity{Variables: all, Powers: 1}, was, now), u(t,
		&propensity.Propensity{Variables: all, Powers: 3}, was, now)
	if linear >= square || square > 0.25 {
		t.Errorf("with powers %v, without %v", square, linear)
	}
	if got := u(t, &propensity.Propensity{Variables: []string{"a", "b"}, Powers: 1},
		of(t, []string{"1", "2"}, []string{"1", "2"}), of(t, []string{"2", "1"}, []string{"2", "1"})); got > 1e-20 {
		t.Errorf("of the same values in another order, by collinear variables: %v", got)
	}
	if e := compute(t, &propensity.Propensity{Variables: []string{"a"}, Powers: 1}, of(t, []string{}),
		of(t, []string{})); e.Value("propensity", 0).Text() != "no records" {
		t.Errorf("of an empty file %q", e.Value("propensity", 0).Text())
	}
	names := make([]string, 1001)
	for i := range names {
		names[i] = fmt.Sprint("person ", i)
	}
	e := compute(t, &propensity.Propensity{Variables: []string{"a"}, Powers: 1}, of(t, names), of(t, names))
	if text := e.Value("propensity", 0).Text(); !strings.HasPrefix(text, "the variables have 1,001 terms") {
		t.Errorf("of as many categories as records %q", text)
	}
}
