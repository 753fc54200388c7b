package suppress

import (
	"context"
	"encoding/json"
	"errors"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// violatorsIn counts, by comparing all records, the records that violate k-anonymity in at least one combination of
// the subsets.
func violatorsIn(columns []*microdata.Column, rule microdata.Rule, alpha float64, subsets Subsets) int {
	violates := make([]bool, columns[0].Len())
	for _, c := range subsets.combinations(len(columns), 0) {
		chosen := make([]*microdata.Column, bits.OnesCount64(c.Set))
		for i, v := range crosstable.Variables(c.Set) {
			chosen[i] = columns[v]
		}
		for record, f := range golden.Frequencies(chosen, rule, alpha) {
			violates[record] = violates[record] || f < float64(c.K)-keys.Tolerance
		}
	}
	count := 0
	for _, v := range violates {
		if v {
			count++
		}
	}
	return count
}

// After suppression for subsets no combination has a violator under the rule for suppression, the report agrees, and
// price and bound are consistent.
func TestSubsetsLeaveNoViolator(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomInput(t)
		q := len(in.Scenario.Keys)
		m := NewKAnonymity()
		m.Rule = string(rapid.SampledFrom(microdata.Rules()).Draw(t, "rule"))
		m.Algorithm, m.Iterations = rapid.SampledFrom([]string{Minimal, Thorough}).Draw(t, "algorithm"), 3
		in.Scenario.Alpha = rapid.SampledFrom([]float64{1, 0.5}).Draw(t, "alpha")
		for size := q; size >= 1; size-- {
			if rapid.Bool().Draw(t, "size") {
				m.Subsets = append(m.Subsets, Subset{size, rapid.IntRange(2, min(4, in.Data.Len())).Draw(t, "k")})
			}
		}
		if len(m.Subsets) == 0 {
			m.Subsets = Subsets{{q, 2}}
		}
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		after := golden.Columns(out.Data, in.Scenario.Keys...)
		if n := violatorsIn(after, microdata.Rule(m.Rule), in.Scenario.Alpha, m.Subsets); n > 0 {
			t.Fatalf("%d violators under %s for %s: %q from %q", n, m.Rule, m.Subsets.String(), texts(after),
				texts(golden.Columns(in.Data, in.Scenario.Keys...)))
		}
		left := method.ViolatorsLeft{
			Default:      violatorsIn(after, microdata.RuleDefault, in.Scenario.Alpha, m.Subsets),
			Conservative: violatorsIn(after, microdata.RuleConservative, 0, m.Subsets),
			OwnCategory:  violatorsIn(after, microdata.RuleOwnCategory, 0, m.Subsets),
		}
		if out.Report.Left != left {
			t.Fatalf("left %+v, by comparing all records %+v", out.Report.Left, left)
		}
		if out.Report.Bound != nil && *out.Report.Bound > out.Report.Price {
			t.Fatalf("price %d is below the bound %d", out.Report.Price, *out.Report.Bound)
		}
		again, err := m.Apply(t.Context(), method.Input{Data: out.Data, Scenario: in.Scenario}, nil)
		if err != nil || again.Report.Total != 0 && bounded(microdata.Rule(m.Rule)) {
			t.Fatalf("done again it takes %d cells, error %v", again.Report.Total, err)
		}
	})
}

// No cell suppressed for subsets can be restored, whatever the combinations and the rule.
func TestSubsetsSuppressNoCellInVain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomInput(t)
		m := NewKAnonymity()
		m.Rule = string(rapid.SampledFrom(microdata.Rules()).Draw(t, "rule"))
		in.Scenario.Alpha = rapid.SampledFrom([]float64{1, 0.5}).Draw(t, "alpha")
		for size := range len(in.Scenario.Keys) {
			m.Subsets = append(m.Subsets, Subset{size + 1, rapid.IntRange(2, min(4, in.Data.Len())).Draw(t, "k")})
		}
		m.Subsets = m.Subsets[:rapid.IntRange(1, len(m.Subsets)).Draw(t, "sizes")]
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if m.Subsets.single(len(in.Scenario.Keys)) {
			return // a single combination does not use this search
		}
		before, after := golden.Columns(in.Data, in.Scenario.Keys...), golden.Columns(out.Data, in.Scenario.Keys...)
		for v := range after {
			for record := range in.Data.Len() {
				if after[v].Missing(record) && !before[v].Missing(record) {
					suppressed := microdata.NewBits(in.Data.Len())
					for other := range in.Data.Len() {
						if other != record && after[v].Missing(other) {
							suppressed.Set(other)
						}
					}
					with := slices.Clone(after)
					with[v] = before[v].Suppress(suppressed)
					if violatorsIn(with, microdata.Rule(m.Rule), in.Scenario.Alpha, m.Subsets) == 0 {
						t.Fatalf("%s of record %d need not be blank: %q from %q", in.Scenario.Keys[v], record+1, texts(after),
							texts(before))
					}
				}
			}
		}
	})
}

// The bound for subsets is at most the minimum price over all sets of cells.
func TestSubsetBoundHolds(test *testing.T) {
	rapid.Check(test, func(t *rapid.T) {
		n, q := rapid.IntRange(2, 4).Draw(t, "records"), rapid.IntRange(2, 3).Draw(t, "variables")
		records := make([]string, n)
		for i := range records {
			for range q {
				records[i] += rapid.SampledFrom([]string{"p", "q", "r"}).Draw(t, "value")
			}
		}
		in := table(test, records...)
		m := NewKAnonymity()
		m.Rule = string(rapid.SampledFrom([]microdata.Rule{microdata.RuleConservative, microdata.RuleOwnCategory}).Draw(t,
			"rule"))
		m.Subsets = Subsets{{2, rapid.IntRange(2, n).Draw(t, "k2")}, {1, rapid.IntRange(2, n).Draw(t, "k1")}}
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		columns, least := golden.Columns(in.Data, in.Scenario.Keys...), n*q
		for cells := range 1 << (n * q) {
			if bits.OnesCount(uint(cells)) >= least {
				continue
			}
			tried := make([]*microdata.Column, q)
			for v := range tried {
				suppressed := microdata.NewBits(n)
				for record := range n {
					if cells>>(v*n+record)&1 == 1 {
						suppressed.Set(record)
					}
				}
				tried[v] = columns[v].Suppress(suppressed)
			}
			if violatorsIn(tried, microdata.Rule(m.Rule), 1, m.Subsets) == 0 {
				least = bits.OnesCount(uint(cells))
			}
		}
		if *out.Report.Bound > least || out.Report.Total < least {
			t.Fatalf("bound %d, %d cells, %d are the fewest for %s of %q", *out.Report.Bound, out.Report.Total, least,
				m.Subsets.String(), records)
		}
	})
}

// A size equal to the number of key variables is the same as k for all variables.
func TestSubsetOfAllIsK(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomInput(t)
		m := randomMethod(t, in)
		m.Algorithm, m.Rule = Minimal, string(microdata.RuleConservative)
		plain, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		m.Subsets = Subsets{{len(in.Scenario.Keys), m.K}}
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(plain.Report.Cells, out.Report.Cells); diff != "" || *plain.Report.Bound != *out.Report.Bound {
			t.Fatalf("cells of k (-) and of a subset of all (+):\n%s", diff)
		}
	})
}

// Thorough suppresses no more than minimal, and the same whether its iterations are made at once or in pieces.
func TestThoroughSubsets(t *testing.T) {
	longtests.Needed(t)
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "urbrur", "sex", "marital", "educ"}
	in := method.Input{Data: golden.Data(t, "survey"), Scenario: &scenario}
	m := NewKAnonymity()
	m.Subsets = Subsets{{4, 10}, {3, 20}, {2, 30}}
	least, err := m.Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, strata := range [][]string{nil, {"urbrur"}} {
		m.Algorithm, m.Strata, m.Iterations = Thorough, strata, 12
		if strata != nil {
			m.Subsets = Subsets{{2, 5}}
		}
		atOnce, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		search, err := m.Search(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		for _, upTo := range []int{3, 7, 10, 12} {
			if err := search.Continue(cancelled, 3); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: error %v", err)
			}
			// Iterations unfinished when it was cancelled are completed first.
			if err := search.Continue(t.Context(), upTo-search.Iterations()); err != nil {
				t.Fatal(err)
			}
		}
		inPieces, err := search.Output(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if search.Iterations() != 12 || atOnce.Data.Hash() != inPieces.Data.Hash() {
			t.Errorf("%d iterations in pieces give %s, 12 at once %s", search.Iterations(), inPieces.Report.Effect,
				atOnce.Report.Effect)
		}
		if strata == nil && atOnce.Report.Price >= least.Report.Price {
			t.Errorf("thorough takes %d cells, minimal %d", atOnce.Report.Price, least.Report.Price)
		}
	}
}

// The combinations of the reference's case on testdata have no violator under any rule.
func TestSubsetsOfReferenceCase(t *testing.T) {
	for name, names := range map[string][]string{
		"testdata": {"urbrur", "water", "sex", "age", "relat"},
		"survey":   {"region", "urbrur", "sex", "marital", "educ"},
	} {
		scenario := microdata.NewScenario()
		scenario.Keys = names
		in := method.Input{Data: golden.Data(t, name), Scenario: &scenario}
		for _, rule := range microdata.Rules() {
			if !longtests.Wanted() && rule != microdata.RuleConservative {
				continue
			}
			m := NewKAnonymity()
			m.Rule, m.Subsets = string(rule), Subsets{{4, 10}, {3, 20}, {2, 30}}
			out, err := m.Apply(t.Context(), in, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range m.Subsets.combinations(len(names), 0) {
				if n := violatorsOf(t, golden.Columns(out.Data, names...), c, rule); n > 0 {
					t.Errorf("%s, %s: %d violators in variables %b", name, rule, n, c.Set)
				}
			}
		}
	}
}

// violatorsOf counts the violators of one combination with a separate table.
func violatorsOf(t *testing.T, columns []*microdata.Column, c combination, rule microdata.Rule) int {
	chosen := make([]*microdata.Column, bits.OnesCount64(c.Set))
	for i, v := range crosstable.Variables(c.Set) {
		chosen[i] = columns[v]
	}
	table, err := keys.New(t.Context(), chosen, nil)
	if err != nil {
		t.Fatal(err)
	}
	frequencies, err := table.Frequencies(t.Context(), rule, 1)
	if err != nil {
		t.Fatal(err)
	}
	return table.Violators(frequencies, c.K)
}

func TestSubsetsInStrata(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Strata = []string{"urbrur", "sex", "marital", "educ"}, []string{"region"}
	in := method.Input{Data: golden.Data(t, "survey"), Scenario: &scenario}
	m := NewKAnonymity()
	m.Subsets = Subsets{{3, 5}, {2, 10}}
	out, err := m.Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	after := golden.Columns(out.Data, scenario.Keys...)
	for name, records := range strataOf(in, scenario.Strata) {
		for _, c := range m.Subsets.combinations(len(after), 0) {
			if n := violatorsOf(t, subset(after, records), c, microdata.RuleConservative); n > 0 {
				t.Errorf("%d violators in stratum %q", n, name)
			}
		}
	}
	if len(out.Report.Strata) == 0 || len(out.Report.Subsets) != 2 || out.Report.Subsets[1].Combinations != 6 {
		t.Errorf("report %+v", out.Report.Suppression)
	}
	m.Subsets = Subsets{{2, 4000}}
	if _, err := m.Apply(t.Context(), in, nil); !errors.Is(err, method.ErrUnreachable) {
		t.Errorf("error %v", err)
	}
}

func TestSubsetsWritten(t *testing.T) {
	for text, want := range map[string]Subsets{
		"4:10, 3:20": {{4, 10}, {3, 20}}, " 2 : 5 ": {{2, 5}}, "": nil, "none": nil,
	} {
		var got Subsets
		if err := got.Set(text); err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("%q: %v, error %v", text, got, err)
		}
		var again Subsets
		if err := again.Set(got.String()); err != nil || cmp.Diff(want, again) != "" {
			t.Errorf("%q is written as %q, which is %v, error %v", text, got.String(), again, err)
		}
	}
	for _, text := range []string{"4", "4:", ":3", "a:b", "4:10 3:20", "4:10,"} {
		kept := Subsets{{1, 2}}
		if err := kept.Set(text); err == nil || len(kept) != 1 {
			t.Errorf("%q: %v, error %v", text, kept, err)
		}
	}
}

func TestSubsetErrors(t *testing.T) {
	in := table(t, "A3S", "A3M", "A3M", "B3S")
	for text, says := range map[string]string{
		`{"subsets":[{"size":4,"k":2}]}`:                               "from 1 to 3",
		`{"subsets":[{"size":0,"k":2}]}`:                               "from 1 to 3",
		`{"subsets":[{"size":2,"k":1}]}`:                               "at least 2",
		`{"subsets":[{"size":2,"k":2},{"size":2,"k":3}]}`:              "listed twice",
		`{"subsets":[{"size":2,"k":2}],"algorithm":"sdcmicro"}`:        "minimal or thorough",
		`{"subsets":[{"size":2,"k":5}],"importance":{"a":1},"k":1000}`: "k = 5",
		`{"subsets":[{"size":2,"k":2}],"importance":{"nothing":1}}`:    "nothing",
	} {
		var params map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &params); err != nil {
			t.Fatal(err)
		}
		m := NewKAnonymity()
		err := method.Decode(m, params)
		if err == nil {
			_, err = m.Apply(t.Context(), in, nil)
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want one that says %s", text, err, says)
		}
	}
}

// A key variable without any value has no category whose records could be restored.
func TestThoroughSubsetsWithoutValues(t *testing.T) {
	in := table(t, "A SXP", "A TXQ", "B SYP", "C SXQ", "B TYR", "C UXP", "D VYQ", "D UZR", "A VZP", "B UYP")
	m := &KAnonymity{Algorithm: Thorough, Rule: string(microdata.RuleConservative), Subsets: Subsets{{2, 3}, {3, 2}}, K: 3,
		Iterations: 40}
	out, err := m.Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := violatorsIn(golden.Columns(out.Data, in.Scenario.Keys...), microdata.RuleConservative, 1, m.Subsets); n > 0 {
		t.Errorf("%d violators", n)
	}
}

// A script may contain the typed form; it is written in JSON form.
func TestTypedTextInScripts(t *testing.T) {
	for _, test := range []struct {
		m          method.Method
		text, want string
	}{
		{NewKAnonymity(), `{"subsets":"4:10, 3:20"}`, `"subsets":[{"size":4,"k":10},{"size":3,"k":20}]`},
		{NewKAnonymity(), `{"subsets":""}`, `"subsets":null`},
		{NewKAnonymity(), `{"subsets":null}`, `"subsets":null`},
	} {
		var params map[string]json.RawMessage
		if err := json.Unmarshal([]byte(test.text), &params); err != nil {
			t.Fatal(err)
		}
		if err := method.Decode(test.m, params); err != nil {
			t.Errorf("%s: %v", test.text, err)
		}
		if got, err := method.Encode(test.m); err != nil || !strings.Contains(string(got), test.want) {
			t.Errorf("%s is written out as %s, error %v", test.text, got, err)
		}
	}
	err := method.Decode(NewKAnonymity(), map[string]json.RawMessage{"subsets": json.RawMessage(`"4"`)})
	if !errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), "4:10, 3:20") {
		t.Error(err)
	}
}
