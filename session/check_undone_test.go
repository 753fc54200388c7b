package session

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// demonstrationKeys are the key variables of the demonstration.
var demonstrationKeys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}

// protectedDemonstration returns the survey with k = 3 and random household IDs, without further variables.
func protectedDemonstration(t *testing.T, without ...string) *Session {
	t.Helper()
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Household = demonstrationKeys, "hid"
	scenario.Remove = append([]string{"pid"}, without...)
	s := volatile(t, surveyText(t), scenario)
	do(t, s, step("suppress-kanonymity", `{"k":3}`))
	do(t, s, StepSpec{Step: "new-ids", Params: []byte(`{"variables":["hid"]}`), Seed: 7})
	return s
}

// Members of the household, and amounts that they share, reveal suppressed cells. The figures for households come
// from the simple count below and from an independent script.
func TestRevealedCellsUndoKAnonymity(t *testing.T) {
	const all = "Step 1 made the file k-anonymous with k = 3, but 1,016 of its 5,582 suppressed cells can be inferred from " +
		"hid (household) and expend. With these cells filled in, 1,028 records violate 3-anonymity and 691 records are unique."
	s := protectedDemonstration(t)
	found := findings(t, s.Document(), ExportOptions{}, "k-anonymity")
	if len(found) != 1 || !found[0].Critical || found[0].Text != all || found[0].Count != 1028 || len(found[0].Fixes) != 3 {
		t.Fatalf("%+v", found)
	}
	for _, fix := range found[0].Fixes[1:] {
		scenario := s.Scenario()
		for _, name := range fix.Remove {
			scenario.Assign(name, microdata.RoleRemoved)
		}
		d := s.Document()
		d.Scenario = scenario
		if left := findings(t, d, ExportOptions{}, "k-anonymity"); len(left) > 0 {
			t.Errorf("%s: %s", fix.Title, left[0].Text)
		}
	}
}

func TestHouseholdMembersUndoKAnonymity(t *testing.T) {
	s := protectedDemonstration(t, "expend", "savings", "weight", "income", "hsize", "roof", "walls", "water", "electcon", "relat",
		"occup", "relig", "health")
	released, original := textsOf(t, s.Data()), textsOf(t, s.Document().Base)
	filled := filledByMembers(released, original)
	cells := 0
	for row := range filled {
		for i := range filled[row] {
			if filled[row][i] != released[row][i] {
				cells++
			}
		}
	}
	below, unique := conservatively(filled)
	if cells != 1016 || below != 1028 || unique != 691 {
		t.Errorf("counted naively: %d cells, %d below 3, %d unique", cells, below, unique)
	}
	found := findings(t, s.Document(), ExportOptions{}, "k-anonymity")
	if len(found) != 1 || !strings.Contains(found[0].Text, "1,016 of its 5,582 suppressed cells can be inferred from hid (household). "+
		"With these cells filled in, 1,028 records violate 3-anonymity and 691 records are unique.") {
		t.Errorf("%+v", found)
	}
}

// Suppression in whole households, as the finding advises, keeps the guarantee.
func TestSuppressionOverHouseholdsKeepsKAnonymity(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Household, scenario.Remove = demonstrationKeys, "hid", []string{"pid"}
	scenario.SameForHousehold = []string{"region", "ethnic", "urbrur"}
	s := volatile(t, surveyText(t), scenario)
	do(t, s, step("suppress-kanonymity", `{"k":3}`))
	if found := findings(t, s.Document(), ExportOptions{NewIdentifiers: []string{"hid"}}, "k-anonymity"); len(found) > 0 {
		t.Error(found[0].Text)
	}
}

// The first fix suppresses in whole households. It replaces the step that suppressed single records or, if a later
// step suppressed cells, is an additional step. After it nothing is critical, and the household reveals no
// remaining cell.
func TestSuppressionInWholeHouseholdsIsAFix(t *testing.T) {
	for _, later := range []bool{false, true} {
		s := protectedDemonstration(t)
		if later {
			do(t, s, step("suppress-kanonymity", `{"k":2}`))
		}
		fix := findings(t, s.Document(), ExportOptions{}, "k-anonymity")[0].Fixes[0]
		if fix.Title != "suppress region, urbrur and ethnic in whole households" || fix.Replace != pick(later, 0, 1) {
			t.Fatalf("%+v", fix)
		}
		d := fixed(t, s, fix)
		if steps := len(d.Steps); steps != pick(later, 4, 2) {
			t.Errorf("%d steps", steps)
		}
		for _, f := range findings(t, d, ExportOptions{}, "k-anonymity") {
			if f.Critical || strings.Contains(f.Text, "household") {
				t.Errorf("%+v", f)
			}
		}
	}
}

// An amount that members of a household share reveals what the household does; after masking it is a warning.
func TestMaskedVariablesThatRevealAreAWarning(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Remove = demonstrationKeys, []string{"pid", "hid", "savings", "weight", "income"}
	s := volatile(t, surveyText(t), scenario)
	do(t, s, step("suppress-kanonymity", `{"k":3}`))
	for _, critical := range []bool{true, false} {
		found := findings(t, s.Document(), ExportOptions{}, "k-anonymity")
		if len(found) != 1 || found[0].Critical != critical || !strings.Contains(found[0].Text, "can be inferred from expend") {
			t.Errorf("critical %v: %+v", critical, found)
		}
		do(t, s, step("microaggregate", `{"variables":["expend"]}`))
	}
}

// surveyText returns the survey.
func surveyText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(surveyPath)
	must(t, err)
	return string(text)
}

// textsOf returns the household and the key values of every record.
func textsOf(t *testing.T, data *microdata.Dataset) [][]string {
	t.Helper()
	rows := make([][]string, data.Len())
	for _, name := range append([]string{"hid"}, demonstrationKeys...) {
		column, ok := data.Column(name)
		if !ok {
			t.Fatalf("no variable %s", name)
		}
		for row := range rows {
			rows[row] = append(rows[row], column.Text(row))
		}
	}
	return rows
}

// filledByMembers fills the suppressed cells of region, urbrur and ethnic with the value of at least four of five
// other members of the household, if it is true.
func filledByMembers(released, original [][]string) [][]string {
	filled := make([][]string, len(released))
	for row, texts := range released {
		filled[row] = slices.Clone(texts)
		for _, i := range []int{1, 2, 7} {
			if texts[i] != "" || original[row][i] == "" {
				continue
			}
			same, shown := 0, 0
			for _, other := range released {
				if other[0] == texts[0] && other[i] != "" {
					shown++
					if other[i] == original[row][i] {
						same++
					}
				}
			}
			if shown > 0 && 5*same >= 4*shown {
				filled[row][i] = original[row][i]
			}
		}
	}
	return filled
}

// conservatively counts the records whose key pattern has a frequency below 3, and of 1: identical records, plus
// complete ones that agree.
func conservatively(rows [][]string) (below, unique int) {
	for _, row := range rows {
		frequency := 0
		for _, other := range rows {
			alike, agrees := true, true
			for i := 1; i < len(row); i++ {
				alike = alike && row[i] == other[i]
				agrees = agrees && other[i] != "" && (row[i] == "" || row[i] == other[i])
			}
			if alike || agrees {
				frequency++
			}
		}
		if frequency < 3 {
			below++
		}
		if frequency < 2 {
			unique++
		}
	}
	return below, unique
}

// Violators only under the conservative rule are a warning.
func TestConservativeViolatorsAreAWarning(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys = demonstrationKeys
	s := volatile(t, surveyText(t), scenario)
	do(t, s, step("suppress-kanonymity", `{"k":3,"rule":"default"}`))
	found := slices.DeleteFunc(findings(t, s.Document(), ExportOptions{}, "violators"), func(f check.Finding) bool { return f.Critical })
	if len(found) != 1 || !strings.HasPrefix(found[0].Text, "No record violates 3-anonymity under the default rule, but 4,") {
		t.Errorf("%+v", found)
	}
}
