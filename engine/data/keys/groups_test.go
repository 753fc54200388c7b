package keys_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"pgregory.net/rapid"
)

// groupBy imitates a GROUP BY: it sums weights in record order, and returns the groups in random order.
func (s *sample) groupBy() *keys.Groups {
	g := &keys.Groups{Levels: s.levels, Codes: make([][]uint32, len(s.codes))}
	places := map[string]int{}
	for record := range s.n {
		var own []uint32
		for _, codes := range s.codes {
			own = append(own, codes[record])
		}
		place, known := places[fmt.Sprint(own)]
		if !known {
			place = len(g.Counts)
			places[fmt.Sprint(own)] = place
			g.Counts = append(g.Counts, 0)
			for v, code := range own {
				g.Codes[v] = append(g.Codes[v], code)
			}
			if s.weights != nil {
				g.Weights = append(g.Weights, 0)
			}
		}
		g.Counts[place]++
		if s.weights != nil {
			g.Weights[place] += s.weights[record]
		}
	}
	return g
}

// twice returns the groups with each group of several records divided in two.
func twice(g *keys.Groups) *keys.Groups {
	out := &keys.Groups{Levels: g.Levels, Codes: make([][]uint32, len(g.Codes))}
	for row, count := range g.Counts {
		for part, first := range []int{1, count - 1} {
			if first == 0 {
				continue
			}
			out.Counts = append(out.Counts, first)
			if g.Weights != nil {
				out.Weights = append(out.Weights, g.Weights[row]*[]float64{0.25, 0.75}[part])
			}
			for v := range g.Codes {
				out.Codes[v] = append(out.Codes[v], g.Codes[v][row])
			}
		}
		if g.Weights != nil && count == 1 {
			out.Weights[len(out.Weights)-1] = g.Weights[row]
		}
	}
	return out
}

func TestGroupsGiveTheTableOfTheirRecords(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		alpha := rapid.SampledFrom([]float64{0, 0.7, 1}).Draw(t, "alpha")
		of := build(t, s.columns(outer), s.weights)
		decimals := s.weights == nil || s.weights[0]*1e4 == math.Trunc(s.weights[0]*1e4)
		for i, g := range []*keys.Groups{s.groupBy(), twice(s.groupBy())} {
			from, err := keys.FromGroups(context.Background(), g)
			if err != nil {
				t.Fatal(err)
			}
			if from.Records() != s.n || from.Rows() != len(g.Counts) || !slices.Equal(from.Counts(), of.Counts()) {
				t.Fatalf("%d records, counts %v; want %d, %v", from.Records(), from.Counts(), s.n, of.Counts())
			}
			for v := range s.levels {
				if !slices.Equal(from.Codes(v), of.Codes(v)) {
					t.Fatalf("variable %d: codes %v, want %v", v, from.Codes(v), of.Codes(v))
				}
			}
			for _, rule := range microdata.Rules() {
				a, err := of.Frequencies(context.Background(), rule, alpha)
				if err != nil {
					t.Fatal(err)
				}
				b, err := from.Frequencies(context.Background(), rule, alpha)
				if err != nil {
					t.Fatal(err)
				}
				exact := decimals && i == 0 && // a part of an inexact sum is not a decimal
					alpha != 0.7 && rule != microdata.RuleCategorySize
				for key := range a.Sample {
					same := a.Sample[key] == b.Sample[key] && near(a.Population[key], b.Population[key])
					if !same || exact && a.Population[key] != b.Population[key] {
						t.Fatalf("%s alpha %v key %d: f %v, F %v; want %v, %v", rule, alpha, key, b.Sample[key], b.Population[key],
							a.Sample[key], a.Population[key])
					}
				}
				if a, b := of.Violators(a, 3), from.Violators(b, 3); a != b {
					t.Fatalf("%s: %d violators, want %d", rule, b, a)
				}
			}
		}
	})
}

func TestGroupsThatCannotBeAreNamed(t *testing.T) {
	good := func() *keys.Groups {
		return &keys.Groups{Levels: []int{2, 3}, Codes: [][]uint32{{1, 2}, {0, 3}}, Counts: []int{4, 1},
			Weights: []float64{5, 1.5}}
	}
	for _, c := range []struct {
		change func(*keys.Groups)
		err    error
		words  string
	}{
		{func(g *keys.Groups) { g.Codes, g.Levels = nil, nil }, keys.ErrVariables, "1 to 64, not 0"},
		{func(g *keys.Groups) { g.Levels = g.Levels[:1] }, keys.ErrGroups,
			"2 key variables, but numbers of categories for 1"},
		{func(g *keys.Groups) { g.Counts[1] = 0 }, keys.ErrGroups, "group 2 has no record"},
		{func(g *keys.Groups) { g.Codes[1][0] = 4 }, keys.ErrGroups, "group 1 has category 4 of key variable 2, which has 3"},
		{func(g *keys.Groups) { g.Codes[0] = []uint32{1} }, keys.ErrGroups, "key variable 1 has 1 values for 2 groups"},
		{func(g *keys.Groups) { g.Weights = []float64{1} }, keys.ErrGroups, "2 numbers of records, 1 sums of weights"},
		{func(g *keys.Groups) { g.Weights[0] = -1 }, keys.ErrWeight, "group 1"},
		{func(g *keys.Groups) { g.Weights[1] = math.NaN() }, keys.ErrWeight, "group 2"},
	} {
		g := good()
		c.change(g)
		if _, err := keys.FromGroups(context.Background(), g); !errors.Is(err, c.err) ||
			!strings.Contains(err.Error(), c.words) {
			t.Errorf("error %v, want one of %q", err, c.words)
		}
	}
	if _, err := keys.FromGroups(context.Background(), good()); err != nil {
		t.Error(err)
	}
}

// Sums of weights with rounding errors are decimals again if their terms were.
func TestSumsOfWeightsLoseTheirRounding(t *testing.T) {
	g := &keys.Groups{Levels: []int{2}, Codes: [][]uint32{{1, 2}}, Counts: []int{2, 10}, Weights: []float64{0, 0}}
	for _, w := range []float64{0.1, 0.2} {
		g.Weights[0] += w
	}
	for range 10 {
		g.Weights[1] += 0.1
	}
	if g.Weights[0] == 0.3 || g.Weights[1] == 1 {
		t.Fatal("these sums are meant to be inexact")
	}
	table, err := keys.FromGroups(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	if weights := table.Weights(); weights[0] != 0.3 || weights[1] != 1 {
		t.Errorf("weights %v, want 0.3 and 1", weights)
	}
}

func TestNeighboursAreTheKeysThatOneVariableTellsApart(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		table := build(t, s.columns(outer), nil)
		record := rapid.IntRange(0, s.n-1).Draw(t, "record")
		found := map[uint32]keys.Neighbour{}
		for n := range table.Neighbours(table.Key(record)) {
			found[n.Key] = n
		}
		for other := range s.n {
			against, missing := uint64(0), uint64(0)
			for v, codes := range s.codes {
				if codes[other] == 0 {
					missing |= 1 << v
				} else if codes[record] != 0 && codes[record] != codes[other] {
					against |= 1 << v
				}
			}
			want := keys.Neighbour{Key: table.Key(other), Against: bits.TrailingZeros64(against), Missing: missing}
			if against == 0 {
				want.Against = -1
			}
			if got, ok := found[want.Key]; ok != (bits.OnesCount64(against) <= 1) || ok && got != want {
				t.Fatalf("record %d beside %d: %v, %v; want %v, against %b", other, record, got, ok, want, against)
			}
			if table.MissingIn(want.Key) != missing {
				t.Fatalf("record %d misses %b, want %b", other, table.MissingIn(want.Key), missing)
			}
		}
	})
}
