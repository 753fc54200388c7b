package microaggregation_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

func gower(variables ...string) *microaggregation.Microaggregate {
	m := microaggregation.New()
	m.Decimals = numeric.Computed
	m.Method, m.Variables, m.Size = microaggregation.Gower, variables, 2
	return m
}

func textOf(out method.Output, name string) string {
	column, _ := out.Data.Column(name)
	return texts(column)
}

// Categorical variables separate records that numeric variables would not, depending on the weights of the
// variables.
func TestGowerParts(t *testing.T) {
	x := cells(t, "x", "10 11 10 11 -")
	c := cells(t, "c", "a b a b a")
	out := apply(t, gower("x", "c"), dataset(x, c))
	if got := textOf(out, "x") + "; " + textOf(out, "c"); got != "10 11 10 11 -; a b a b a" {
		t.Errorf("by both: %s", got)
	}
	m := gower("x", "c")
	m.DistanceWeights = []float64{0, 1}
	if got := textOf(apply(t, m, dataset(cells(t, "x", "10 21 30 41"), cells(t, "c", "a b a b"))),
		"x"); got != "20 31 20 31" {
		t.Errorf("by the category: %s", got)
	}
	m.DistanceWeights = []float64{1, 0}
	if got := textOf(apply(t, m, dataset(cells(t, "x", "10 41 20 51"), cells(t, "c", "a b b a"))),
		"x"); got != "15 46 15 46" {
		t.Errorf("by the number: %s", got)
	}
}

// The ranks of an ordered variable go from 0 to 1: with three categories, the distance from the first to the
// second is half the distance from the first to the last.
func TestGowerRanks(t *testing.T) {
	ordered := func(text string) *microdata.Column {
		c := cells(t, "c", text)
		categories := *c.Categories()
		categories.Ordered = true
		return microdata.NewCategorical("c", c.Kind(), &categories)
	}
	for _, test := range []struct{ x, c, want string }{
		{"0 0 8 10", "a c a c", "4 5 4 5"},
		{"10 4 10 0", "c c b a", "10 2 10 2"},
	} {
		if got := textOf(apply(t, gower("x", "c"), dataset(cells(t, "x", test.x), ordered(test.c))), "x"); got != test.want {
			t.Errorf("%s; %s: %s, want %s", test.x, test.c, got, test.want)
		}
	}
}

// If the variable is semi-continuous, a zero is far from every other value.
func TestGowerZeros(t *testing.T) {
	d := dataset(cells(t, "x", "0 1 0 2 0 3"))
	m := gower("x")
	m.Semicontinuous, m.Size = []string{"x"}, 3
	if got := textOf(apply(t, m, d), "x"); got != "0 2 0 2 0 2" {
		t.Errorf("semi-continuous: %s", got)
	}
	m.Size = 3 // 99 is as far from 0 as from -1, which comes first, although 0 is nearer
	if got := textOf(apply(t, m, dataset(cells(t, "x", "-1 0 0 0 1 99"))), "x"); got != "33 0 0 0 33 33" {
		t.Errorf("semi-continuous about 0: %s", got)
	}
}

// The most frequent category is chosen; ties are broken at random, by the seed.
func TestGowerModes(t *testing.T) {
	var x, c []string
	for range 200 {
		x, c = append(x, "1", "1", "1"), append(c, "a", "a", "b")
	}
	d := dataset(cells(t, "x", strings.Join(x, " ")), cells(t, "c", strings.Join(c, " ")))
	m := gower("x", "c")
	m.Size, m.DistanceWeights = 600, []float64{1, 0}
	if got := textOf(apply(t, m, d), "c"); strings.Contains(got, "b") {
		t.Errorf("most frequent: %s", got)
	}
	// by weight, the two records with a count less than the one with b
	m.Size, m.Weight = 3, "w"
	d = dataset(cells(t, "x", "1 1 1"), cells(t, "c", "a a b"), cells(t, "w", "1 1 3"))
	if got := textOf(apply(t, m, d), "c"); got != "b b b" {
		t.Errorf("by weights: %s", got)
	}
	m.Weight = ""
	d = dataset(cells(t, "x", "1 2 1 2"), cells(t, "c", "a a b b"))
	m.Size = 2
	scenario := microdata.NewScenario()
	seen := map[string]int{}
	for seed := range uint64(400) {
		out, err := m.Apply(t.Context(), method.Input{Data: d, Scenario: &scenario, Seed: seed}, nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := m.Apply(t.Context(), method.Input{Data: d, Scenario: &scenario, Seed: seed}, nil)
		if err != nil || again.Data.Hash() != out.Data.Hash() {
			t.Fatal("the same seed gives other data")
		}
		seen[textOf(out, "c")]++
	}
	// Two ties of two categories have four outcomes, each expected 100 times; 5 standard deviations are 43.
	for outcome, count := range seen {
		if count < 57 || count > 143 {
			t.Errorf("%s came %d times of 400", outcome, count)
		}
	}
	if len(seen) != 4 {
		t.Errorf("%d outcomes", len(seen))
	}
}

func TestGowerRefuses(t *testing.T) {
	d := dataset(cells(t, "x", "1 2 3 4"), cells(t, "c", "a b a b"))
	scenario := microdata.NewScenario()
	for what, m := range map[string]*microaggregation.Microaggregate{
		"no numbers": gower("c"),
		"few weights": func() *microaggregation.Microaggregate {
			m := gower("x", "c")
			m.DistanceWeights = []float64{1}
			return m
		}(),
		"no weight": func() *microaggregation.Microaggregate {
			m := gower("x", "c")
			m.DistanceWeights = []float64{0, 0}
			return m
		}(),
		"zeros": func() *microaggregation.Microaggregate {
			m := gower("x", "c")
			m.Semicontinuous = []string{"c"}
			return m
		}(),
	} {
		if _, err := m.Apply(t.Context(), method.Input{Data: d, Scenario: &scenario}, nil); !errors.Is(err, method.ErrParam) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A category can be drawn by frequency; for ordered categories it can be the median.
func TestGowerCategories(t *testing.T) {
	d := dataset(cells(t, "x", "1 1 1 1 1"), cells(t, "c", "a b b e e"))
	column, _ := d.Column("c")
	c := column.Categories()
	ordered := d.With(column.WithCategories(microdata.Category, &microdata.Categories{Levels: c.Levels, Codes: c.Codes,
		Ordered: true}))
	m := gower("x", "c")
	m.Size, m.Categories = 5, microaggregation.MedianLevel
	if got := textOf(apply(t, m, ordered), "c"); got != "b b b b b" {
		t.Errorf("median: %s", got)
	}
	m.Categories = microaggregation.Drawn
	scenario, seen := microdata.NewScenario(), map[string]int{}
	for seed := range uint64(1000) {
		out, err := m.Apply(t.Context(), method.Input{Data: d, Scenario: &scenario, Seed: seed}, nil)
		if err != nil {
			t.Fatal(err)
		}
		seen[textOf(out, "c")[:1]]++
	}
	// The expected counts are 200, 400 and 400 of 1,000; 5 standard deviations are 63 and 77.
	if seen["a"] < 137 || seen["a"] > 263 || seen["b"] < 323 || seen["e"] < 323 {
		t.Errorf("drawn %v", seen)
	}
}

// Groups formed by ranks do not change under increasing transformations of the values, and the masked values are
// not transformed.
func TestGroupsByRanks(t *testing.T) {
	x, y, powered := "1 2 9 4 7 30 11 2.5 8", "3 1 4 1.5 9 2.6 5 3.5 8", []string{}
	for _, cell := range strings.Fields(x) {
		v, _ := strconv.ParseFloat(cell, 64)
		powered = append(powered, strconv.FormatFloat(math.Exp(v/3), 'f', -1, 64))
	}
	m := microaggregation.New()
	m.Decimals = numeric.Computed
	m.Variables, m.Transform = []string{"x", "y"}, microaggregation.Ranks
	one := apply(t, m, dataset(cells(t, "x", x), cells(t, "y", y)))
	two := apply(t, m, dataset(cells(t, "x", strings.Join(powered, " ")), cells(t, "y", y)))
	m.Transform = microaggregation.Unchanged
	if other := apply(t, m, dataset(cells(t, "x", strings.Join(powered, " ")), cells(t, "y", y))); textOf(other, "y") == textOf(two, "y") {
		t.Error("groups by values are the same: these data tell nothing of ranks")
	}
	if textOf(one, "y") != textOf(two, "y") || !strings.Contains(one.Report.Title, "by ranks") {
		t.Errorf("%s, of powers %s; %s", textOf(one, "y"), textOf(two, "y"), one.Report.Title)
	}
}
