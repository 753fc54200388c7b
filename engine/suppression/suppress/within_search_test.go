package suppress

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// The k reached respects the number of cells, no record violates it, and the report is correct.
func TestWithinKeepsToItsCells(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := drawTable(rt, t)
		variable := rapid.SampledFrom(in.Scenario.Keys).Draw(rt, "variable")
		cells := rapid.IntRange(0, 6).Draw(rt, "cells")
		rule := rapid.SampledFrom(microdata.Rules()).Draw(rt, "rule")
		exact := rule == microdata.RuleCategorySize || rule == microdata.RuleDefault
		if exact && in.Data.Len() > 8 && !longtests.Wanted() {
			rt.Skip("the search for an optimum with missing values takes long")
		}
		if rule != microdata.RuleCategorySize && rapid.Bool().Draw(rt, "strata") { // its shares are those of each stratum
			in.Scenario.Strata = []string{rapid.SampledFrom(in.Scenario.Keys).Draw(rt, "stratum")}
		}
		out, err := (&SuppressWithin{Variable: variable, Cells: cells, Rule: string(rule)}).Apply(t.Context(), in, nil)
		if errors.Is(err, method.ErrUnreachable) {
			rt.Skip("k = 2 takes more")
		}
		if err != nil {
			rt.Fatal(err)
		}
		k := out.Report.K
		after := golden.Columns(out.Data, in.Scenario.Keys...)
		if n := golden.Violators(after, rule, in.Scenario.Alpha, k); n > 0 || k < 2 {
			rt.Fatalf("k = %d: %d violators", k, n)
		}
		before, _ := in.Data.Column(variable)
		now, _ := out.Data.Column(variable)
		if lost := now.MissingCount() - before.MissingCount(); lost > cells {
			rt.Fatalf("%d cells of %s are lost, %d may be", lost, variable, cells)
		}
		total := 0
		for i, name := range in.Scenario.Keys {
			was, _ := in.Data.Column(name)
			total += after[i].MissingCount() - was.MissingCount()
		}
		if total != out.Report.Total {
			rt.Fatalf("%d cells are lost, the report says %d", total, out.Report.Total)
		}
	})
}

// Suppressing whole variables protects a file that is too large for a search.
func TestWholeVariables(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := drawTable(rt, t)
		k := rapid.IntRange(2, 4).Draw(rt, "k")
		file := inputFile(t, in)
		order := rapid.Permutation([]int{0, 1, 2, 3}[:len(in.Scenario.Keys)]).Draw(rt, "order")
		lost, err := file.strata[0].wholeVariables(t.Context(), order, k)
		if err != nil {
			rt.Fatal(err)
		}
		_, cells := file.lose(in, []stratumResult{{parts: lost}})
		data, _, err := cells.apply(in)
		if err != nil {
			rt.Fatal(err)
		}
		after := golden.Columns(data, in.Scenario.Keys...)
		if n := golden.Violators(after, microdata.RuleOwnCategory, 0, k); n > 0 {
			rt.Fatalf("%d violators", n)
		}
		for v, column := range after {
			if column.Suppressed() != nil && column.MissingCount() < in.Data.Len() {
				rt.Fatalf("variable %d has lost some cells only", v)
			}
		}
	})
}

// No suppression reaches a larger k than the one reported as the largest; small files are enumerated exhaustively.
func TestWithinAgainstAllSuppressions(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows := rapid.SliceOfN(rapid.StringOfN(rapid.SampledFrom([]rune("AB ")), 2, 2, -1), 3, 5).Draw(rt, "rows")
		in := table(t, rows...)
		cells := rapid.IntRange(0, 2).Draw(rt, "cells")
		rule := rapid.SampledFrom([]microdata.Rule{microdata.RuleConservative, microdata.RuleOwnCategory,
			microdata.RuleDefault}).Draw(rt, "rule")
		found, err := searched(t, &SuppressWithin{Variable: "a", Cells: cells, Rule: string(rule)}, in)
		most := largestByTrying(t, in, rule, cells)
		switch {
		case errors.Is(err, method.ErrUnreachable):
			if most > 1 && rule == microdata.RuleConservative {
				rt.Fatalf("k = %d is possible: %v", most, err)
			}
		case err != nil:
			rt.Fatal(err)
		case found.k > most || found.limit < most || rule == microdata.RuleConservative && found.k < most:
			rt.Fatalf("k = %d, at most %d, the largest possible is %d", found.k, found.limit, most)
		}
	})
}

// searched finds the largest k for an input.
func searched(t *testing.T, m *SuppressWithin, in method.Input) (*withinSearch, error) {
	t.Helper()
	step, err := m.step(in.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	return m.search(t.Context(), step, in, nil)
}

// largestByTrying tries all suppressions with at most a number of cells of the first variable.
func largestByTrying(t *testing.T, in method.Input, rule microdata.Rule, cells int) int {
	t.Helper()
	n, most := in.Data.Len(), 1
	for set := range 1 << (2 * n) {
		lost := []*microdata.Bits{microdata.NewBits(n), microdata.NewBits(n)}
		for i := range 2 * n {
			if set>>i&1 == 1 {
				lost[i/n].Set(i % n)
			}
		}
		columns := golden.Columns(in.Data, in.Scenario.Keys...)
		taken := 0
		lost[0].Each(func(record int) {
			if !columns[0].Missing(record) {
				taken++
			}
		})
		if taken > cells {
			continue
		}
		for v := range columns {
			columns[v] = columns[v].Suppress(lost[v])
		}
		for golden.Violators(columns, rule, in.Scenario.Alpha, most+1) == 0 {
			most++
		}
	}
	return most
}

func TestWithinOnTheSurvey(t *testing.T) {
	longtests.Needed(t)
	in := surveyCase(t)
	for _, test := range []struct {
		variable string
		cells    int
	}{{"sex", 0}, {"educ", 0}, {"educ", 50}, {"educ", 500}, {"region", 10}} {
		found, err := searched(t, &SuppressWithin{Variable: test.variable, Cells: test.cells, Rule: "conservative"}, in)
		if err != nil {
			t.Fatal(err)
		}
		cells := found.found.account.Cells[found.variable].Count
		t.Logf("at most %d cells in %s: k = %d with %d, %d cells in all", test.cells, test.variable, found.k, cells,
			found.found.account.Total)
		if found.k < found.limit || cells > test.cells || found.found.account.Left.Conservative > 0 {
			t.Errorf("at most %d cells in %s: k = %d of %d, %d cells, left %+v", test.cells, test.variable, found.k, found.limit,
				cells, found.found.account.Left)
		}
	}
}

// A variable keeps all its cells for any k up to the size of its smallest category.
func TestWithinNoCellsIsTheSmallestCategory(t *testing.T) {
	in := surveyCase(t)
	in.Scenario.Keys = []string{"region", "sex", "age", "educ"}
	out, err := (&SuppressWithin{Variable: "sex", Rule: "conservative"}).Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	sex, _ := in.Data.Column("sex")
	if k := sex.Categories().Smallest(); out.Report.K != k || out.Report.Left.Conservative > 0 ||
		!strings.Contains(out.Report.Effect, "which is the largest possible") {
		t.Errorf("k = %d, the smallest category has %d: %s", out.Report.K, k, out.Report.Effect)
	}
}

func TestWithinErrors(t *testing.T) {
	for _, test := range []struct {
		rows, variable string
		want           error
		says           string
	}{
		{"AA BA CA DA", "c", method.ErrParam, "not a key variable"},
		{"A B C D", "a", method.ErrUnreachable, "it takes 4"},
		{"AA", "b", method.ErrUnreachable, "there is 1 record"},
	} {
		m := &SuppressWithin{Variable: test.variable, Cells: 1, Rule: "conservative"}
		if _, err := m.Apply(t.Context(), table(t, strings.Fields(test.rows)...), nil); !errors.Is(err, test.want) ||
			!strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want one that says %q", test.rows, err, test.says)
		}
	}
}
