package suppress

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// For variables named in households all members lose a cell together, even if one of them lost it before the step,
// and the report counts every cell that the step suppresses. If no cell was suppressed before, the result is that
// of declaring the variables the same for households in the scenario.
func TestWholeHouseholdsAsAParameter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomHouseholds(t)
		m := randomMethod(t, in)
		as := in.Scenario.Clone()
		in.Scenario.SameForHousehold = nil
		asScenario, err := m.Apply(t.Context(), method.Input{Data: in.Data, Scenario: &as}, nil)
		if m.Households = as.SameForHousehold; err != nil {
			return
		}
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil || out.Data.Hash() != asScenario.Data.Hash() || out.Report.Total != asScenario.Report.Total {
			t.Fatalf("%v: %+v, as the scenario %+v", err, out.Report.Suppression, asScenario.Report.Suppression)
		}
		for _, name := range m.Households { // cells of single members
			column, _ := in.Data.Column(name)
			if row := rapid.IntRange(0, in.Data.Len()-1).Draw(t, "suppressed"); !column.Missing(row) {
				cells := microdata.NewBits(in.Data.Len())
				cells.Set(row)
				in.Data = in.Data.With(column.Suppress(cells))
			}
		}
		if out, err = m.Apply(t.Context(), in, nil); err != nil {
			if m.Algorithm == SDCMicro && errors.Is(err, method.ErrUnreachable) {
				return
			}
			t.Fatal(err)
		}
		checkWhole(t, in, m, out)
	})
}

// checkWhole checks that members lose their cells together, that no record violates k-anonymity, and the counts of
// the report.
func checkWhole(t *rapid.T, in method.Input, m *KAnonymity, out method.Output) {
	h := microdata.NewHouseholds(golden.Columns(out.Data, in.Scenario.Household)[0])
	total, touched := 0, map[int]bool{}
	for v, name := range in.Scenario.Keys {
		before, _ := in.Data.Column(name)
		after, _ := out.Data.Column(name)
		lost := 0
		for row := range in.Data.Len() {
			if after.Missing(row) && !before.Missing(row) {
				lost, touched[row] = lost+1, true
			}
			if !slices.Contains(m.Households, name) || !after.Suppressed().Has(row) {
				continue
			}
			household := h.Of(row)
			for i := range h.Members(household) {
				if !after.Missing(h.Member(household, i)) {
					t.Fatalf("%s is suppressed for some members only", name)
				}
			}
		}
		if total += lost; lost != out.Report.Suppression.Cells[v].Count {
			t.Fatalf("%s lost %d cells, report %+v", name, lost, out.Report.Suppression)
		}
	}
	if s := out.Report.Suppression; s.Total != total || s.Touched != len(touched) || s.Bound != nil && *s.Bound > s.Price {
		t.Fatalf("%d cells in %d records, report %+v", total, len(touched), s)
	}
	if n := violatorsIn(golden.Columns(out.Data, in.Scenario.Keys...), microdata.Rule(m.Rule), in.Scenario.Alpha,
		Subsets{{len(in.Scenario.Keys), m.K}}); n > 0 {
		t.Fatalf("%d violators", n)
	}
}

func TestWholeHouseholdsNeedAHousehold(t *testing.T) {
	in := householdInput(t, "1Ax", "1Ax", "2Ax", "2Bx", "3A", "3Ax")
	in.Scenario.SameForHousehold = nil
	m := NewKAnonymity()
	m.Households = []string{"b"}
	if _, err := m.Apply(t.Context(), in, nil); !errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), `"b" is not a key`) {
		t.Errorf("error %v", err)
	}
	in.Scenario.Household, m.Households = "", []string{"a"}
	if _, err := m.Apply(t.Context(), in, nil); !errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), "household variable") {
		t.Errorf("error %v", err)
	}
}

// A household of which a member lost a cell also loses those of linked variables, and titles name the variables.
func TestWholeHouseholdsAndLinkedVariables(t *testing.T) {
	in := householdInput(t, "1Ax", "1Ax", "2Ax", "2Ax", "3Ax")
	in.Scenario.SameForHousehold, in.Scenario.Linked = nil, map[string][]string{"a": {"b"}}
	column, _ := in.Data.Column("a")
	first := microdata.NewBits(in.Data.Len())
	first.Set(0)
	in.Data = in.Data.With(column.Suppress(first))
	m := &KAnonymity{K: 2, Algorithm: Minimal, Rule: "conservative", Households: []string{"a"}}
	out, err := m.Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := out.Data.Column("b")
	if out.Report.Total != 1 || out.Report.Linked.Sum() != 1 || !b.Missing(1) || !strings.HasSuffix(out.Report.Title, "a in whole households") {
		t.Errorf("%+v", out.Report)
	}
}
