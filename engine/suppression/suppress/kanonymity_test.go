package suppress

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// table returns an input whose columns are all key variables. Rows are texts with one character per cell, a space
// for missing.
func table(t testing.TB, rows ...string) method.Input {
	t.Helper()
	return generated.Rows(t, rows...)
}

// rows is the inverse of table.
func rows(data *microdata.Dataset, names []string) []string {
	return texts(golden.Columns(data, names...))
}

// Templ (2017), tables 4.1 and 4.2: region, age, status.
func TestBookTables(t *testing.T) {
	want := map[int]map[microdata.Rule]int{
		2: {microdata.RuleDefault: 1, microdata.RuleConservative: 1, microdata.RuleCategorySize: 1,
			microdata.RuleConservative2: 3, microdata.RuleOwnCategory: 3},
		3: {microdata.RuleDefault: 1, microdata.RuleConservative: 5, microdata.RuleCategorySize: 3,
			microdata.RuleConservative2: 5, microdata.RuleOwnCategory: 5},
	}
	for k, cells := range want {
		for rule, total := range cells {
			t.Run(fmt.Sprint(k, rule), func(t *testing.T) {
				in := table(t, "A3S", "A3M", "A3M", "A3S", "A3W")
				m := &KAnonymity{K: k, Algorithm: Minimal, Rule: string(rule)}
				out, err := m.Apply(t.Context(), in, nil)
				if err != nil {
					t.Fatal(err)
				}
				if out.Report.Total != total {
					t.Errorf("%d cells, want %d: %q", out.Report.Total, total, rows(out.Data, in.Scenario.Keys))
				}
				if n := golden.Violators(golden.Columns(out.Data, in.Scenario.Keys...), rule, 1, k); n != 0 {
					t.Errorf("%d violators left: %q", n, rows(out.Data, in.Scenario.Keys))
				}
			})
		}
	}
}

// minimalCase is a case whose minimum number of cells, or minimum weighted cost, is known or was searched for with
// integer programs.
type minimalCase struct {
	referenceCase
	data        string
	bound, best int
}

func minimalCases() []minimalCase {
	five := []string{"urbrur", "water", "sex", "age", "relat"}
	seven := []string{"urbrur", "roof", "walls", "water", "electcon", "relat", "sex"}
	survey := []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	nine := append(append([]string{}, seven...), "age", "hhcivil")
	cut := []float64{-1, 4, 14, 24, 34, 44, 54, 64, 99}
	francdat := []string{"Key1", "Key2", "Key3", "Key4"}
	return []minimalCase{
		{referenceCase{KeyVars: five, K: 3}, "testdata", 1104, 1104},
		{referenceCase{KeyVars: five, K: 5}, "testdata", 1836, 1838},
		{referenceCase{KeyVars: seven, K: 3}, "testdata", 283, 283},
		{referenceCase{KeyVars: nine, K: 3}, "testdata", 2821, 2863},
		{referenceCase{KeyVars: five, K: 3, Ages: ageBreaks}, "testdata", 192, 192},
		{referenceCase{KeyVars: five, K: 3, Importance: []int{5, 4, 3, 2, 1}}, "testdata", 2384, 2469},
		{referenceCase{KeyVars: five, K: 3, Importance: []int{3, 4, 2, 1, 5}, Ages: ageBreaks}, "testdata", 226, 227},
		{referenceCase{KeyVars: survey, K: 3}, "survey", 5450, 5571},
		{referenceCase{KeyVars: survey, K: 3, Ages: cut}, "survey", 2903, 2973},
		{referenceCase{KeyVars: survey, K: 5, Ages: cut}, "survey", 4421, 4636},
		{referenceCase{KeyVars: survey, K: 3, Importance: []int{1, 2, 3, 7, 6, 5, 4}, Ages: cut}, "survey", 4958, 5531},
		{referenceCase{KeyVars: francdat, K: 2}, "francdat", 6, 6},
		{referenceCase{KeyVars: francdat, K: 3}, "francdat", 14, 14},
	}
}

func TestMinimal(t *testing.T) {
	for i, c := range minimalCases() {
		c.Alpha = 1
		t.Run(fmt.Sprint(c.data, i), func(t *testing.T) {
			if !longtests.Wanted() && i > 1 {
				t.Skip("takes long")
			}
			in := c.prepare(t, golden.Data(t, c.data))
			m := &KAnonymity{K: c.K, Algorithm: Minimal, Rule: "conservative", Importance: c.importance()}
			out, err := m.Apply(t.Context(), in, nil)
			if err != nil {
				t.Fatal(err)
			}
			report := out.Report
			t.Logf("%d cells, price %d, bound %d, %d records, left %+v", report.Total, report.Price, *report.Bound,
				report.Touched, report.Left)
			if *report.Bound != c.bound || float64(report.Price) > 1.03*float64(c.best) {
				t.Errorf("price %d, bound %d; best known %d, bound %d", report.Price, *report.Bound, c.best, c.bound)
			}
			if report.Left.Default != 0 || report.Left.Conservative != 0 {
				t.Errorf("violators left: %+v", report.Left)
			}
			columns := golden.Columns(out.Data, c.KeyVars...)
			for _, rule := range []microdata.Rule{microdata.RuleConservative, microdata.RuleOwnCategory} {
				want := map[microdata.Rule]int{microdata.RuleOwnCategory: report.Left.OwnCategory}[rule]
				if got := golden.Violators(columns, rule, 1, c.K); got != want {
					t.Errorf("%d violators by comparing all records under %s, want %d", got, rule, want)
				}
			}
			for v, name := range c.KeyVars {
				before, _ := in.Data.Column(name)
				if got := columns[v].MissingCount() - before.MissingCount(); got != report.Cells[v].Count {
					t.Errorf("%s lost %d cells, the report says %d", name, got, report.Cells[v].Count)
				}
			}
			need, err := (&KAnonymity{K: c.K, Importance: c.importance()}).Need(t.Context(), inputTable(t, in), in.Scenario, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(report.Suppression, need); diff != "" {
				t.Errorf("what was needed (-) is not what was foretold (+):\n%s", diff)
			}
		})
	}
}

// For the book's eight records and k = 3 the minimum is 14 cells, because a record that is missing everywhere
// counts all others; it is 16 under rules that do not count them.
func TestLeastCellsOfTheBook(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"Key1", "Key2", "Key3", "Key4"}
	for rule, want := range map[microdata.Rule]int{microdata.RuleConservative: 14, microdata.RuleConservative2: 16,
		microdata.RuleOwnCategory: 16} {
		m := &KAnonymity{K: 3, Algorithm: Thorough, Rule: string(rule)}
		out, err := m.Apply(t.Context(), method.Input{Data: golden.Data(t, "francdat"), Scenario: &scenario}, nil)
		if err != nil || out.Report.Total != want || !out.Report.Proven {
			t.Errorf("%s: %d cells, proven %t, want %d; error %v", rule, out.Report.Total, out.Report.Proven, want, err)
		}
	}
}

func TestRecordsOfAKeyLoseCellsInFileOrder(t *testing.T) {
	// Two of the four records 1x are not enough to protect others; the first ones in the file are suppressed.
	in := table(t, "1x", "1x", "2y", "1x", "2z")
	p := parts{{Key: inputTable(t, in).Key(0), Set: 1, Count: 1}, {Key: inputTable(t, in).Key(0), Set: 2, Count: 1}}
	_, cells := inputFile(t, in).lose(in, []stratumResult{{parts: p}})
	data, _, err := cells.apply(in)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{" x", "1 ", "2y", "1x", "2z"}, rows(data, in.Scenario.Keys)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestLinkedVariablesFollow(t *testing.T) {
	in := table(t, "A3S1", "A3M2", "A3M ", "A3S4", "A3W5")
	in.Scenario.Keys = []string{"a", "b", "c"}
	in.Scenario.Linked = map[string][]string{"c": {"d"}}
	out, err := (&KAnonymity{K: 3, Algorithm: Minimal, Rule: "conservative"}).Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"A3  ", "A3  ", "A3  ", "A3  ", "A3  "},
		rows(out.Data, []string{"a", "b", "c", "d"})); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(method.Counts{{Name: "d", Count: 4}}, out.Report.Linked); diff != "" {
		t.Errorf("linked cells (-want +got):\n%s", diff)
	}
	if out.Report.Total != 5 || out.Report.Changed != 9 ||
		out.Report.Effect != "5 cells suppressed, 4 in linked variables" {
		t.Errorf("total %d, changed %d, effect %q", out.Report.Total, out.Report.Changed, out.Report.Effect)
	}
	in.Scenario.Linked["c"] = []string{"nowhere"}
	if _, err := NewKAnonymity().Apply(t.Context(), in, nil); !errors.Is(err, method.ErrInput) {
		t.Errorf("unknown linked variable: error %v", err)
	}
}

func TestAnonymousFileChangesNothing(t *testing.T) {
	in := table(t, "1x", "1x", "1x")
	out, err := NewKAnonymity().Apply(t.Context(), in, nil)
	if err != nil || !out.Report.ChangesNothing() || out.Report.Total != 0 || out.Data.Hash() != in.Data.Hash() {
		t.Errorf("report %+v, error %v", out.Report, err)
	}
}

func TestErrors(t *testing.T) {
	tests := map[string]struct {
		method KAnonymity
		want   error
		says   string
	}{
		"more than records": {KAnonymity{K: 6, Algorithm: Minimal, Rule: "conservative"}, method.ErrUnreachable,
			"5 records"},
		"more, own category": {KAnonymity{K: 6, Algorithm: Minimal, Rule: "own-category"}, method.ErrUnreachable,
			"5 records"},
		"more, sdcMicro": {KAnonymity{K: 6, Algorithm: SDCMicro, Rule: "default"}, method.ErrUnreachable,
			"records 1, 2, 3, 4, 5"},
		"k of one":               {KAnonymity{K: 1, Algorithm: Minimal, Rule: "conservative"}, method.ErrParam, `"k"`},
		"sdcMicro, another rule": {KAnonymity{K: 2, Algorithm: SDCMicro, Rule: "conservative"}, method.ErrParam, "default"},
		"unknown algorithm":      {KAnonymity{K: 2, Algorithm: "fast", Rule: "conservative"}, method.ErrParam, `"algorithm"`},
		"unknown rule":           {KAnonymity{K: 2, Algorithm: Minimal, Rule: "mine"}, method.ErrParam, `"rule"`},
		"importance of no key": {KAnonymity{K: 2, Algorithm: Minimal, Rule: "default", Importance: map[string]int{"z": 1}},
			method.ErrParam, `"z" is not a key variable`},
		"importance too high": {KAnonymity{K: 2, Algorithm: SDCMicro, Rule: "default", Importance: map[string]int{"a": 4}},
			method.ErrParam, "from 1"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			in := table(t, "A3S", "A3M", "A3M", "A3S", "A3W")
			_, err := test.method.Apply(t.Context(), in, nil)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want one of %q that says %q", err, test.want, test.says)
			}
		})
	}
}

func TestRuleOfSDCMicroOrder(t *testing.T) {
	tests := map[string]struct {
		params string
		rule   string
		ok     bool
	}{
		"minimal":              {`{}`, "conservative", true},
		"rule left out":        {`{"algorithm":"sdcmicro"}`, "default", true},
		"rule given":           {`{"algorithm":"sdcmicro","rule":"default"}`, "default", true},
		"another rule":         {`{"algorithm":"sdcmicro","rule":"conservative"}`, "conservative", false},
		"minimal, rule chosen": {`{"rule":"own-category"}`, "own-category", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var params map[string]json.RawMessage
			if err := json.Unmarshal([]byte(test.params), &params); err != nil {
				t.Fatal(err)
			}
			m := NewKAnonymity()
			if err := method.Decode(m, params); err != nil {
				t.Fatal(err)
			}
			_, err := m.Apply(t.Context(), table(t, "1x", "1x", "1x", "2x"), nil)
			if m.Rule != test.rule || (err == nil) != test.ok {
				t.Errorf("rule %q, error %v", m.Rule, err)
			}
		})
	}
}

func TestTitles(t *testing.T) {
	scenario := microdata.Scenario{Keys: []string{"region", "sex", "age"}}
	tests := map[string]KAnonymity{
		"k-anonymity k=3, minimal, conservative": {K: 3, Rule: "conservative"},
		"k-anonymity k=5, minimal, own-category": {K: 5, Rule: "own-category"},
		"k-anonymity k=3, algorithm sdcmicro":    {K: 3, Rule: "default", Algorithm: SDCMicro},
		"k-anonymity k=3, minimal, conservative, importance sex, region, …": {K: 3, Rule: "conservative",
			Importance: map[string]int{"region": 2, "sex": 1, "age": 3}},
		"k-anonymity k=3, algorithm sdcmicro, importance sex": {K: 3, Rule: "default", Algorithm: SDCMicro,
			Importance: map[string]int{"sex": 1}},
		"k-anonymity k=3, minimal, conservative, in strata of region and sex": {K: 3, Rule: "conservative",
			Strata: []string{"region", "sex"}},
		"k-anonymity k=3, minimal, default, importance age, region": {K: 3, Rule: "default",
			Importance: map[string]int{"age": 1, "region": 2}},
	}
	for want, m := range tests {
		if got := m.title(&scenario); got != want {
			t.Errorf("title %q, want %q", got, want)
		}
	}
}

// The guarantee holds under each rule. For rules that count suppressed cells for other records the report warns of
// that assumption.
func TestEveryRuleOnTheSurvey(t *testing.T) {
	c := referenceCase{KeyVars: []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}, K: 3, Alpha: 1,
		Ages: []float64{-1, 4, 14, 24, 34, 44, 54, 64, 99}}
	in := c.prepare(t, golden.Data(t, "survey"))
	for _, rule := range microdata.Rules() {
		t.Run(string(rule), func(t *testing.T) {
			out, err := (&KAnonymity{K: 3, Algorithm: Minimal, Rule: string(rule)}).Apply(t.Context(), in, nil)
			if err != nil {
				t.Fatal(err)
			}
			report := out.Report
			t.Logf("%d cells, left %+v", report.Total, report.Left)
			table := inputTable(t, method.Input{Data: out.Data, Scenario: in.Scenario})
			frequencies, err := table.Frequencies(t.Context(), rule, 1)
			if err != nil {
				t.Fatal(err)
			}
			if n := table.Violators(frequencies, 3); n != 0 {
				t.Errorf("%d violators left", n)
			}
			wildcard := rule == microdata.RuleDefault || rule == microdata.RuleCategorySize
			if report.Bound == nil || *report.Bound > report.Price || wildcard != (report.Left.Conservative > 0) ||
				wildcard != (len(report.Warnings) > 0) {
				t.Errorf("bound %v, left %+v, warnings %q", report.Bound, report.Left, report.Warnings)
			}
			identical := rule == microdata.RuleConservative2 || rule == microdata.RuleOwnCategory
			if identical && report.Left != (method.ViolatorsLeft{}) {
				t.Errorf("left %+v", report.Left)
			}
			if report.Rule != string(rule) {
				t.Errorf("rule %q, want %q", report.Rule, rule)
			}
		})
	}
}

// The seven records of table 5.4 of the guide become 4-anonymous by suppressing sex and education of the first,
// under a rule that counts suppressed cells for other records; that one cell is not enough is proven.
func TestSmallFileUnderTheDefaultRule(t *testing.T) {
	in := table(t, "frh", "mrh", "mrh", "mrh", "frl", "frl", "frl")
	for _, algorithm := range []string{Minimal, Thorough} {
		m := &KAnonymity{K: 4, Algorithm: algorithm, Rule: string(microdata.RuleDefault)}
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if out.Report.Total != 2 || !out.Report.Proven {
			t.Errorf("%s: %d cells, proven %t", algorithm, out.Report.Total, out.Report.Proven)
		}
	}
}

// Versions of steps distinguish those whose results can differ from the current ones.
func TestVersionAfterCorrection(t *testing.T) {
	for _, test := range []struct {
		m    KAnonymity
		want int
	}{
		{KAnonymity{Algorithm: Minimal, Rule: "conservative"}, 4},
		{KAnonymity{Algorithm: SDCMicro, Rule: "default"}, 0},
		{KAnonymity{Algorithm: Thorough, Rule: "category-size"}, 4},
		{KAnonymity{Algorithm: Minimal, Rule: "own-category", Subsets: Subsets{{2, 3}}}, 4},
	} {
		if got := test.m.version(); got != test.want {
			t.Errorf("%+v: version %d, want %d", test.m, got, test.want)
		}
	}
}
