package suppress

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// randomHouseholds adds households of up to four members to a random input, some without an ID, and makes its
// first variables the same for their members.
func randomHouseholds(t *rapid.T) method.Input {
	return generated.RandomHouseholds(t)
}

// checkShared checks that a shared variable is missing for all members or for none.
func checkShared(t *rapid.T, data *microdata.Dataset, scenario *microdata.Scenario) {
	differences, err := Differing(data, scenario)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range differences {
		if d.Differing != 0 || d.PartlyMissing != 0 {
			t.Fatalf("%+v", d)
		}
	}
}

// The price of a cell of a shared variable is the household size averaged over records.
func TestPriceOfSharedCellsIsThatOfMeanHouseholds(t *testing.T) {
	var numbers []string // 120 records are in households of 4, 10 in households of 2, and 4 are single
	for household := range 39 {
		for range []int{4, 2, 1}[min(2, household/30+household/35)] {
			numbers = append(numbers, strconv.Itoa(household))
		}
	}
	members := microdata.NewHouseholds(golden.Column(t, "hid", numbers))
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Household, scenario.SameForHousehold = []string{"a", "b"}, "hid", []string{"a"}
	in := method.Input{Scenario: &scenario}
	s := &strataSolver{in: in, households: &households{Households: members, in: in}, ranks: &importance{price: []int{2, 3}}}
	if prices := s.dearer().ranks.price; !slices.Equal(prices, []int{8, 3}) { // (120 x 4 + 10 x 2 + 4) / 134 = 3.76
		t.Errorf("prices are %v", prices)
	}
}

// Cells of shared variables are missing for all members of a household or for none, no record violates k-anonymity,
// and the report counts all these cells.
func TestHouseholdsLoseTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomHouseholds(t)
		m := randomMethod(t, in)
		if rapid.Bool().Draw(t, "thorough") && m.Algorithm == Minimal {
			m.Algorithm, m.Iterations = Thorough, 5
		}
		if m.Algorithm == Minimal && rapid.Bool().Draw(t, "subsets") {
			m.Subsets = Subsets{{rapid.IntRange(1, len(in.Scenario.Keys)).Draw(t, "size"), m.K}}
		}
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			if m.Algorithm == SDCMicro && errors.Is(err, method.ErrUnreachable) {
				return
			}
			t.Fatal(err)
		}
		checkShared(t, out.Data, in.Scenario)
		after := golden.Columns(out.Data, in.Scenario.Keys...)
		subsets := m.Subsets
		if subsets == nil {
			subsets = Subsets{{len(after), m.K}}
			checkReport(t, in, m, out.Report, after)
		}
		if n := violatorsIn(after, microdata.Rule(m.Rule), in.Scenario.Alpha, subsets); n > 0 {
			t.Fatalf("%d violators under %s", n, m.Rule)
		}
	})
}

// The same holds in strata, if members of a household are in several.
func TestHouseholdsAcrossStrata(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomHouseholds(t)
		data, err := in.Data.Append(halves(in.Data.Len()))
		if err != nil {
			t.Fatal(err)
		}
		in.Data, in.Scenario.Strata = data, []string{"half"}
		m := NewKAnonymity()
		m.K = 2
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkShared(t, out.Data, in.Scenario)
		strata := strataOf(in, []string{"half"})
		checkStrata(t, out.Report, strata)
		for name, records := range strata {
			columns := subset(golden.Columns(out.Data, in.Scenario.Keys...), records)
			if n := golden.Violators(columns, microdata.RuleConservative, 0, m.K); n > 0 {
				t.Fatalf("%d violators in stratum %q", n, name)
			}
		}
	})
}

// Suppression above a risk also suppresses whole households.
func TestHouseholdsAboveRisk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomHouseholds(t)
		m := &AboveRisk{Variable: in.Scenario.Keys[0], Threshold: rapid.Float64Range(0, 0.6).Draw(t, "threshold")}
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkShared(t, out.Data, in.Scenario)
		before, _ := in.Data.Column(m.Variable)
		after, _ := out.Data.Column(m.Variable)
		if lost := after.MissingCount() - before.MissingCount(); lost != out.Report.Total || lost != out.Report.Touched {
			t.Fatalf("%d cells lost, report %+v", lost, out.Report.Suppression)
		}
	})
}

func TestHouseholdsOfTheSurvey(t *testing.T) {
	longtests.Needed(t)
	in := householdSurvey(t)
	alone := *in.Scenario
	alone.SameForHousehold = nil
	for _, algorithm := range []string{Minimal, SDCMicro} {
		m := &KAnonymity{K: 3, Algorithm: algorithm, Rule: "default"}
		if algorithm == Minimal {
			m.Rule = "conservative"
		}
		single, err := m.Apply(t.Context(), method.Input{Data: in.Data, Scenario: &alone}, nil)
		if err != nil {
			t.Fatal(err)
		}
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(single.Report.Bound, out.Report.Bound); diff != "" {
			t.Errorf("the bound is another one:\n%s", diff)
		}
		if out.Report.Total < single.Report.Total {
			t.Errorf("%s: %d cells with households, %d without", algorithm, out.Report.Total, single.Report.Total)
		}
		if n := golden.Violators(golden.Columns(out.Data, in.Scenario.Keys...), microdata.Rule(m.Rule), 1, 3); n > 0 {
			t.Errorf("%s: %d violators", algorithm, n)
		}
		for _, name := range in.Scenario.SameForHousehold {
			column, _ := out.Data.Column(name)
			if n := microdata.NewHouseholds(golden.Columns(out.Data, "hid")[0]).PartlyMissing(column); n > 0 {
				t.Errorf("%s: %s is missing for some members only in %d households", algorithm, name, n)
			}
		}
		t.Logf("%s: %d cells, of records by themselves %d; %v", algorithm, out.Report.Total, single.Report.Total,
			out.Report.Cells)
	}
}

// householdSurvey is the survey with region and urbrur the same for all members of a household.
func householdSurvey(t testing.TB) method.Input {
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	scenario.Household, scenario.SameForHousehold = "hid", []string{"region", "urbrur"}
	return method.Input{Data: golden.Data(t, "survey"), Scenario: &scenario}
}

func TestDiffering(t *testing.T) {
	in := householdInput(t, "1Ax", "1Ax", "2Ax", "2Bx", "3A", "3 x", " Ay", " Bz")
	got, err := Differing(in.Data, in.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	want := []Difference{{"a", 1, 1}, {"b", 0, 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	out, err := (&KAnonymity{K: 2, Algorithm: Minimal, Rule: "conservative"}).Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	warnings := strings.Join(out.Report.Warnings, "; ")
	for _, text := range []string{"a has different values in 1 household,",
		"a is missing for some members only in 1 household"} {
		if !strings.Contains(warnings, text) {
			t.Errorf("warnings %q do not say %q", warnings, text)
		}
	}
	in.Scenario.SameForHousehold = append(in.Scenario.SameForHousehold, "nowhere")
	if _, err := Differing(in.Data, in.Scenario); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("error %v", err)
	}
	in.Scenario.Household = ""
	if got, err := Differing(in.Data, in.Scenario); err != nil || len(got) != 0 {
		t.Errorf("%v, error %v without households", got, err)
	}
}

// householdInput returns records with a household and the variables a and b, one character each. Both are declared
// the same for all members; a is a key variable.
func householdInput(t *testing.T, records ...string) method.Input {
	cells := make([][]string, 3)
	for _, record := range records {
		for v := range cells {
			cells[v] = append(cells[v], strings.TrimSpace((record + "   ")[v:v+1]))
		}
	}
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "hid", cells[0]),
		golden.Column(t, "a", cells[1]), golden.Column(t, "b", cells[2])})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Household, scenario.SameForHousehold = []string{"a"}, "hid", []string{"a", "b"}
	return method.Input{Data: data, Scenario: &scenario}
}

// Members lose a linked variable together if it is shared.
func TestHouseholdsAndLinkedVariables(t *testing.T) {
	in := householdInput(t, "1Ax", "1Bx", "2By", "2By", "3By")
	in.Scenario.SameForHousehold, in.Scenario.Linked = []string{"b"}, map[string][]string{"a": {"b"}}
	out, err := (&KAnonymity{K: 2, Algorithm: Minimal, Rule: "conservative"}).Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if out.Report.Linked.Sum() != 2 {
		t.Errorf("linked cells %v, want both of the household", out.Report.Linked)
	}
}

// Thorough suppresses fewer cells than minimal with whole households too, and the same in pieces as at once.
func TestThoroughOfHouseholds(t *testing.T) {
	longtests.Needed(t)
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	scenario.Household, scenario.SameForHousehold = "hid", []string{"region", "urbrur"}
	in := method.Input{Data: golden.Data(t, "survey"), Scenario: &scenario}
	m := NewKAnonymity()
	least, err := m.Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	m.Algorithm, m.Iterations = Thorough, 150
	atOnce, err := m.Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if atOnce.Report.Price >= least.Report.Price || *atOnce.Report.Bound < *least.Report.Bound ||
		atOnce.Report.Left.Conservative != 0 {
		t.Errorf("thorough: %d cells, bound %d, left %+v; minimal: %d cells, bound %d", atOnce.Report.Price,
			*atOnce.Report.Bound,
			atOnce.Report.Left, least.Report.Price, *least.Report.Bound)
	}
	search, err := m.Search(t.Context(), in)
	for _, n := range []int{1, 49, 60, 40} {
		if err == nil {
			err = search.Continue(t.Context(), n)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	inPieces, err := search.Output(t.Context())
	if err != nil || inPieces.Data.Hash() != atOnce.Data.Hash() || search.Iterations() != 150 {
		t.Errorf("%d iterations in pieces: %s, at once: %s, error %v", search.Iterations(), inPieces.Report.Effect,
			atOnce.Report.Effect, err)
	}
}

// The cells that households lose do not depend on the order of the file.
func TestHouseholdsLoseTheSameInAnyOrder(tb *testing.T) {
	rapid.Check(tb, func(t *rapid.T) {
		in := randomHouseholds(t)
		m := NewKAnonymity()
		m.K = rapid.IntRange(2, min(4, in.Data.Len())).Draw(t, "k")
		m.Rule = string(rapid.SampledFrom(microdata.Rules()).Draw(t, "rule"))
		rows := make([]int, in.Data.Len())
		for row := range rows {
			rows[row] = row
		}
		checkOrder(tb, t, in, m, rapid.Permutation(rows).Draw(t, "order"))
	})
}

// Of households of equal size, those with the first keys lose cells first, whatever the order of the file.
func TestHouseholdsLoseCellsInAnOrderOfTheirOwn(t *testing.T) {
	var columns []*microdata.Column
	for name, cells := range map[string]string{"k0": "p.....pp..pp.", "k1": "pp.ppppp.p..p", "hid": "2344430043023"} {
		texts := strings.Split(cells, "")
		for i, text := range texts {
			if text == "." || text == "0" {
				texts[i] = ""
			}
		}
		columns = append(columns, golden.Column(t, name, texts))
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Household, scenario.SameForHousehold = []string{"k0", "k1"}, "hid", []string{"k0"}
	m := &KAnonymity{K: 3, Algorithm: Minimal, Rule: string(microdata.RuleOwnCategory)}
	checkOrder(t, t, method.Input{Data: data, Scenario: &scenario}, m, []int{0, 8, 5, 4, 1, 9, 7, 10, 12, 3, 2, 11, 6})
}

// checkOrder compares the cells that households lose with those in a reordered file.
func checkOrder(tb testing.TB, t rapid.TB, in method.Input, m *KAnonymity, order []int) {
	other := in
	var columns []*microdata.Column
	for _, column := range in.Data.Columns() {
		var cells []string
		for _, row := range order {
			cells = append(cells, column.Text(row))
		}
		columns = append(columns, golden.Column(tb, column.Name(), cells))
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	other.Data = data
	var found [2][]string // cells of each household after suppression
	for i, in := range []method.Input{in, other} {
		out, err := m.Apply(tb.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		households := microdata.NewHouseholds(golden.Columns(out.Data, in.Scenario.Household)[0])
		for household := range households.Len() {
			var members []string
			for member := range households.Members(household) {
				var cells []string
				for _, column := range golden.Columns(out.Data, in.Scenario.Keys...) {
					cells = append(cells, column.Text(households.Member(household, member)))
				}
				members = append(members, strings.Join(cells, ","))
			}
			slices.Sort(members)
			found[i] = append(found[i], strings.Join(members, ";"))
		}
		slices.Sort(found[i])
	}
	if !slices.Equal(found[0], found[1]) {
		t.Fatalf("%q in another order %q", found[0], found[1])
	}
}
