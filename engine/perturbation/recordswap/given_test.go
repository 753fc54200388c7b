package recordswap

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Households a and e are at risk between regions, b within a region; g has no risk.
var risked = []string{"hid: a a b c d e f g", "region: A A A A B B B C", "district: A1 A1 A1 A2 B1 B1 B2 C1",
	"far: 0.1 0.5 0.2 0.1 0.1 0.9 0 -", "near: 0.1 0.1 0.6 0.1 0.1 0.9 0 -"}

func TestGivenRisk(t *testing.T) {
	threshold := 0.5
	m := &RecordSwap{Hierarchy: []string{"region", "district"}, Risk: []string{"far", "near"}, Threshold: &threshold, K: 99}
	d := data(t, risked...)
	out, err := m.Apply(t.Context(), input(d, 3), nil)
	if err != nil {
		t.Fatal(err)
	}
	var atRisk []int
	for _, level := range out.Report.Swaps.Levels {
		atRisk = append(atRisk, level.AtRisk)
	}
	// Household a has two members and no partner: it is at risk at the first level only.
	if a := out.Report.Swaps.Levels[0]; a.AtRisk != 2 || a.Unmatched != 1 || a.Swapped != 1 {
		t.Errorf("at risk in the levels %v: %+v", atRisk, out.Report.Swaps.Levels)
	}
	if near := out.Report.Swaps.Levels[1]; near.Unmatched != 0 {
		t.Errorf("in the second level, whose risk is another: %+v", near)
	}
	if out.Report.Title != "swap households between region, district: far, near at least 0.5, rate 0" {
		t.Error(out.Report.Title)
	}
	if !slices.Contains(out.Report.Warnings, "1 household has no value of a variable of risk, and counts as not at risk there") {
		t.Errorf("warnings %q", out.Report.Warnings)
	}
	before, after := texts(d, "region"), texts(out.Data, "region")
	if before[5] == after[5] {
		t.Error("household e stays in its region")
	}
	m.Risk = []string{"near"}
	if out, err = m.Apply(t.Context(), input(d, 3), nil); err != nil {
		t.Fatal(err)
	}
	if first := out.Report.Swaps.Levels[0]; first.AtRisk != 2 || first.Swapped != 2 {
		t.Errorf("one variable for all levels: %+v", first)
	}
}

// Given risks of 1 for the records with rare combinations have the same effect as counting: the same households
// are at risk at each level.
func TestGivenRiskIsThatOfCounts(outer *testing.T) {
	rapid.Check(outer, func(t *rapid.T) {
		d := drawn(t, outer)
		m := New()
		m.Hierarchy, m.RiskKeys, m.K = []string{"region"}, []string{"age", "sex"}, rapid.IntRange(1, 4).Draw(t, "k")
		in := input(d, 9)
		counted, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		times, cells := map[string]int{}, make([]string, d.Len())
		key := func(i int) string {
			return texts(d, "region")[i] + "|" + texts(d, "age")[i] + "|" + texts(d, "sex")[i]
		}
		for i := range cells {
			times[key(i)]++
		}
		for i := range cells {
			if cells[i] = "0"; times[key(i)] < m.K {
				cells[i] = "1"
			}
		}
		with := data(outer, "risk: "+strings.Join(cells, " "))
		column, _ := with.Column("risk")
		if in.Data, err = d.Append(column); err != nil {
			t.Fatal(err)
		}
		threshold := 1.0
		m.Risk, m.Threshold = []string{"risk"}, &threshold
		given, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(counted.Report.Swaps, given.Report.Swaps); diff != "" {
			t.Fatalf("swaps by counts (-) and by risk (+):\n%s", diff)
		}
		if diff := cmp.Diff(texts(counted.Data, "region"), texts(given.Data, "region")); diff != "" {
			t.Fatalf("places by counts (-) and by risk (+):\n%s", diff)
		}
	})
}

// The partner variable shows whose location a household received and to whom it gave its own.
func TestPartnerVariable(t *testing.T) {
	for _, ids := range []string{"hid: 1 1 2 3 3 4 5", "hid: a a b c c d e", ""} {
		columns := []string{"region: A A A B B B C", "sex: f m f f m f m"}
		if ids != "" {
			columns = append(columns, ids)
		}
		d := data(t, columns...)
		m := New()
		m.Hierarchy, m.RiskKeys, m.K, m.Rate, m.Partner = []string{"region"}, []string{"sex"}, 1, 0.9, "with"
		out, err := m.Apply(t.Context(), input(d, 4), nil)
		if err != nil {
			t.Fatal(err)
		}
		numbers := []string{"1", "2", "3", "4", "5", "6", "7"}
		own := numbers
		if ids != "" {
			own = texts(d, "hid")
		}
		before, after, with := texts(d, "region"), texts(out.Data, "region"), texts(out.Data, "with")
		swapped := 0
		for i := range own {
			if with[i] == "" {
				if before[i] != after[i] {
					t.Errorf("%s: record %d has another place and no partner", ids, i+1)
				}
				continue
			}
			swapped++
			at := slices.Index(own, with[i])
			if at < 0 || after[i] != before[at] || with[at] != own[i] {
				t.Errorf("%s: record %d swapped with %q: %q to %q", ids, i+1, with[i], before[i], after[i])
			}
		}
		if swapped == 0 || out.Report.Made != "with" || !slices.ContainsFunc(out.Report.Warnings, func(w string) bool {
			return strings.Contains(w, "undoes the step")
		}) {
			t.Errorf("%s: %d swapped; %+v", ids, swapped, out.Report)
		}
	}
}

func TestRefusedRisk(t *testing.T) {
	half := 0.5
	for want, m := range map[string]RecordSwap{
		`"threshold" is missing`:           {Risk: []string{"far"}},
		"names 3 variables for 2 levels":   {Risk: []string{"far", "near", "number"}, Threshold: &half},
		`"hid" is not a numeric variable`:  {Risk: []string{"hid"}, Threshold: &half},
		`"risk" names "far" twice`:         {Risk: []string{"far", "far"}, Threshold: &half},
		`the file has a variable "region"`: {Risk: []string{"far"}, Threshold: &half, Partner: "region"},
	} {
		m.Hierarchy = []string{"region", "district"}
		with := data(t, append([]string{"number: 1 2 3 4 5 6 7 8"}, risked...)...)
		if _, err := m.Apply(t.Context(), input(with, 1), nil); !errors.Is(err, method.ErrParam) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// Dialogs propose risk keys with which at most half of the households swap, if a hierarchy is known.
func TestProposedRiskKeys(t *testing.T) {
	in := generated.SurveyInput(t, 5000, "region")
	m := New()
	if says := m.Propose(in); says != "" || !slices.Equal(m.Hierarchy, []string{"region"}) {
		t.Fatalf("%q, hierarchy %v", says, m.Hierarchy)
	}
	out, err := m.Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if log := out.Report.Swaps; 2*log.Swapped > log.Units || len(m.RiskKeys) == 0 {
		t.Errorf("risk keys %v: %d of %d swap", m.RiskKeys, log.Swapped, log.Units)
	}
	left, kept := math.MaxInt, 0 // the fewest categories of a removed key, the most of a kept one
	for _, name := range in.Scenario.Keys {
		column, _ := in.Data.Column(name)
		if categories := len(column.Categories().Levels); slices.Contains(m.RiskKeys, name) {
			kept = max(kept, categories)
		} else if !slices.Contains(m.Hierarchy, name) {
			left = min(left, categories)
		}
	}
	if left < kept {
		t.Errorf("risk keys %v: one of %d categories stays, one of %d does not", m.RiskKeys, kept, left)
	}
	all := New()
	all.Hierarchy = m.Hierarchy
	if out, err = all.Apply(t.Context(), in, nil); err != nil || 2*out.Report.Swaps.Swapped <= out.Report.Swaps.Units {
		t.Errorf("with all key variables %d of %d swap; error %v", out.Report.Swaps.Swapped, out.Report.Swaps.Units, err)
	}
	again := &RecordSwap{Hierarchy: m.Hierarchy, RiskKeys: []string{"age"}, K: 3}
	if again.Propose(in); !slices.Equal(again.RiskKeys, []string{"age"}) {
		t.Errorf("what was chosen became %v", again.RiskKeys)
	}
}
