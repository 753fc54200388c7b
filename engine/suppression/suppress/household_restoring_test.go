package suppress

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Whole households lose no cells unnecessarily.
func TestHouseholdsGetBackWhatNobodyNeeds(t *testing.T) {
	var columns []*microdata.Column
	for name, cells := range map[string][]string{
		"k0":  {"c2", "c2", "c2", "c2", "c1", "c0"},
		"k1":  {"c0", "c2", "c2", "c1", "c2", "c0"},
		"hid": {"h0", "h0", "h0", "h0", "h1", "h2"},
	} {
		columns = append(columns, golden.Column(t, name, cells))
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Household, scenario.SameForHousehold = []string{"k0", "k1"}, "hid", []string{"k0"}
	for _, algorithm := range []string{Minimal, Thorough} {
		m := &KAnonymity{K: 2, Algorithm: algorithm, Rule: "conservative"}
		out, err := m.Apply(t.Context(), method.Input{Data: data, Scenario: &scenario}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if out.Report.Total > 5 || out.Report.Left.Conservative != 0 {
			t.Errorf("%s: %d cells, should be at most 5; %d violators", algorithm, out.Report.Total,
				out.Report.Left.Conservative)
		}
	}
}

// No cell can be restored in a record, and no shared one in a household.
func TestNothingOfHouseholdsCanBeGivenBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomHouseholds(t)
		m := NewKAnonymity()
		m.K = rapid.IntRange(2, 3).Draw(t, "k")
		m.Rule = string(rapid.SampledFrom(microdata.Rules()).Draw(t, "rule"))
		in.Scenario.Alpha = rapid.SampledFrom([]float64{1, 0.5}).Draw(t, "alpha")
		if rapid.Bool().Draw(t, "thorough") {
			m.Algorithm, m.Iterations = Thorough, 2
		}
		if rapid.Bool().Draw(t, "subsets") {
			m.Subsets = Subsets{{rapid.IntRange(1, len(in.Scenario.Keys)).Draw(t, "size"), m.K}}
		}
		if in.Data.Len() < m.K {
			return
		}
		checkNothingToGiveBack(t, in, m)
	})
}

// In this random file five cells once stayed suppressed unnecessarily.
func TestHouseholdOfARandomFileGetsBackWhatNobodyNeeds(t *testing.T) {
	in := table(t, "02110", "20110", "01120", "11120", "12022", "02002", "10203", "11213", "20213",
		"00213", "11024", "02014", "00105", "20125", "21116", "21227", "20227", "22018")
	in.Scenario.Keys, in.Scenario.Household, in.Scenario.SameForHousehold = []string{"a", "b", "c",
		"d"}, "e", []string{"c"}
	checkNothingToGiveBack(t, in, &KAnonymity{K: 3, Algorithm: Thorough, Rule: string(microdata.RuleDefault)})
}

// Two identical households both lose a shared cell, and one can regain it.
func TestHalfOfAlikeHouseholdsGetBackWhatNobodyNeeds(t *testing.T) {
	in := table(t, "ppp 1", "p qp ", "ppp 1", "pppp1", "  p  ", "ppp 2", "p qp ", "ppp 2", "pppp2", "  p  ")
	in.Scenario.Keys, in.Scenario.Household, in.Scenario.SameForHousehold = []string{"a", "b", "c", "d"}, "e", []string{"a", "b", "c"}
	checkNothingToGiveBack(t, in, &KAnonymity{K: 4, Algorithm: Minimal, Rule: string(microdata.RuleDefault)})
}

// checkNothingToGiveBack applies the method, and checks that restoring any cell, or shared cells of a household
// together, makes a violator.
func checkNothingToGiveBack(t rapid.TB, in method.Input, m *KAnonymity) {
	out, err := m.Apply(context.Background(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	before, after := golden.Columns(in.Data, in.Scenario.Keys...), golden.Columns(out.Data, in.Scenario.Keys...)
	asked := m.Subsets
	if len(asked) == 0 {
		asked = Subsets{{len(after), m.K}}
	}
	violators := func(columns []*microdata.Column) int {
		return violatorsIn(columns, microdata.Rule(m.Rule), in.Scenario.Alpha, asked)
	}
	if n := violators(after); n > 0 {
		t.Fatalf("%d violators", n)
	}
	households := microdata.NewHouseholds(golden.Columns(in.Data, in.Scenario.Household)[0])
	for v, name := range in.Scenario.Keys {
		shared := slices.Contains(in.Scenario.SameForHousehold, name)
		for record := range in.Data.Len() {
			kept := microdata.NewBits(in.Data.Len()) // cells of the variable that remain suppressed
			given := false
			for other := range in.Data.Len() {
				together := other == record || shared && households.Of(other) == households.Of(record)
				if suppress := after[v].Missing(other) && !before[v].Missing(other); suppress && together {
					given = true
				} else if suppress {
					kept.Set(other)
				}
			}
			columns := slices.Clone(after)
			columns[v] = before[v].Suppress(kept)
			if given && violators(columns) == 0 {
				t.Fatalf("%s of record %d can be given back", name, record+1)
			}
		}
	}
}

// No cell can be restored in some of several identical households either.
func TestNothingOfAlikeHouseholdsCanBeGivenBack(tb *testing.T) {
	rapid.Check(tb, func(t *rapid.T) {
		in := randomHouseholds(t)
		times := rapid.IntRange(2, 3).Draw(t, "times")
		var columns []*microdata.Column
		for _, column := range in.Data.Columns() {
			var cells []string
			for copied := range times {
				for record := range min(12, in.Data.Len()) {
					cell := column.Text(record)
					if column.Name() == in.Scenario.Household && cell != "" {
						cell = fmt.Sprint(cell, " ", copied)
					}
					cells = append(cells, cell)
				}
			}
			columns = append(columns, golden.Column(tb, column.Name(), cells))
		}
		data, err := microdata.NewDataset(columns)
		if err != nil {
			t.Fatal(err)
		}
		in.Data = data
		m := NewKAnonymity()
		m.K = rapid.IntRange(times+1, 2*times).Draw(t, "k")
		m.Rule = string(rapid.SampledFrom(microdata.Rules()).Draw(t, "rule"))
		if in.Data.Len() >= m.K {
			checkNothingToGiveBack(t, in, m)
		}
	})
}
