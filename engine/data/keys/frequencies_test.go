package keys_test

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

func build(t interface {
	Helper()
	Fatal(...any)
}, columns []*microdata.Column, weights []float64) *keys.Table {
	t.Helper()
	table, err := keys.New(context.Background(), columns, weights)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// compare checks all rules of a table against the oracle.
func compare(t *rapid.T, table *keys.Table, s *sample, alpha float64) {
	for _, rule := range microdata.Rules() {
		f, err := table.Frequencies(context.Background(), rule, alpha)
		if err != nil {
			t.Fatal(err)
		}
		violators := 0
		for record := range s.n {
			key := table.Key(record)
			sample := s.frequency(record, rule, alpha, func(int) float64 { return 1 })
			population := s.frequency(record, rule, alpha, s.weight)
			if !near(f.Sample[key], sample) || !near(f.Population[key], population) {
				t.Fatalf("%s alpha %v record %d: f %v, F %v; want %v, %v", rule, alpha, record,
					f.Sample[key], f.Population[key], sample, population)
			}
			identical := s.frequency(record, microdata.RuleOwnCategory, 0, func(int) float64 { return 1 })
			if rule == microdata.RuleConservative2 {
				sample = identical
			}
			if float64(f.Identical[key]) != identical {
				t.Fatalf("identical %d, want %v", f.Identical[key], identical)
			}
			if sample < 3-1e-9 {
				violators++
			}
		}
		if got := table.Violators(f, 3); got != violators {
			t.Fatalf("%s alpha %v: %d violators of 3, want %d", rule, alpha, got, violators)
		}
	}
}

func TestFrequenciesEqualNaiveCount(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := draw(rt)
		alpha := rapid.SampledFrom([]float64{0, 0.25, 0.5, 0.7, 1}).Draw(rt, "alpha")
		compare(rt, build(rt, s.columns(t), s.weights), s, alpha)
	})
}

func TestRegroupEqualsTableOfRegroupedColumns(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := draw(rt)
		table := build(rt, s.columns(t), s.weights)
		for range rapid.IntRange(1, 3).Draw(rt, "recodes") {
			variable := rapid.IntRange(0, len(s.levels)-1).Draw(rt, "variable")
			levels := rapid.SampledFrom([]int{0, 1, 2, 5, 300}).Draw(rt, "levels after")
			mapping := make([]uint32, s.levels[variable]+1)
			for i := range mapping {
				mapping[i] = uint32(i % (levels + 1))
			}
			mapping[0] = uint32(rapid.IntRange(0, levels).Draw(rt, "missing becomes"))
			regrouped, err := table.Regroup(context.Background(), variable, levels, mapping)
			if err != nil {
				rt.Fatal(err)
			}
			table = regrouped
			s.levels[variable] = levels
			for record, code := range s.codes[variable] {
				s.codes[variable][record] = mapping[code]
			}
		}
		same(rt, table, build(rt, s.columns(t), s.weights))
		compare(rt, table, s, 0.5)
	})
}

// same checks that two tables and their frequencies are equal to the last bit.
func same(t interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}, a, b *keys.Table) {
	t.Helper()
	if diff := cmp.Diff(b.RowKeys(), a.RowKeys()); diff != "" {
		t.Fatal("record keys", diff)
	}
	if diff := cmp.Diff(b.Counts(), a.Counts()); diff != "" {
		t.Fatal("counts", diff)
	}
	if diff := cmp.Diff(b.Weights(), a.Weights()); diff != "" {
		t.Fatal("weights", diff)
	}
	for j := range a.Variables() {
		if a.Levels(j) != b.Levels(j) || !reflect.DeepEqual(a.Codes(j), b.Codes(j)) {
			t.Fatalf("codes of variable %d differ", j)
		}
	}
	for _, rule := range microdata.Rules() {
		x, errX := a.Frequencies(context.Background(), rule, 0.3)
		y, errY := b.Frequencies(context.Background(), rule, 0.3)
		if errX != nil || errY != nil {
			t.Fatal(errX, errY)
		}
		if !reflect.DeepEqual(x, y) {
			t.Fatalf("frequencies under %s differ", rule)
		}
	}
}
