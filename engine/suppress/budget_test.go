package suppress

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// With as many cells as the reference takes, at most half as many records are
// left unprotected under the conservative rule.
func TestBudgetOfTheReference(t *testing.T) {
	cases := minimalCases()
	sum, referenceSum := 0, 0
	for _, c := range []struct{ at, cells, left int }{
		{0, 1099, 42}, {1, 1844, 56}, {2, 293, 36}, {3, 2656, 389}, {4, 195, 14}, {7, 4538, 1298}, {8, 2573, 1253}, {9, 3859, 1936},
	} {
		if testing.Short() && c.at != 2 && c.at != 4 {
			continue // takes long
		}
		it := cases[c.at]
		it.Alpha = 1
		in := it.prepare(t, golden.Data(t, it.data))
		budget := float64(c.cells)
		m := &KAnonymity{K: it.K, Algorithm: Minimal, Rule: "conservative", Budget: &budget}
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		report := out.Report
		t.Logf("%s, k = %d: %d cells of %d, %d violators left; the reference leaves %d", it.data, it.K, report.Total, c.cells, report.Left.Conservative, c.left)
		if report.Total > c.cells || 2*report.Left.Conservative > c.left {
			t.Errorf("%s, k = %d: %d cells of %d, left %+v; the reference leaves %d", it.data, it.K, report.Total, c.cells, report.Left, c.left)
		}
		if got := golden.Violators(golden.Columns(out.Data, it.KeyVars...), microdata.RuleConservative, 1, it.K); got != report.Left.Conservative {
			t.Errorf("%d violators by comparing all records, want %d", got, report.Left.Conservative)
		}
		if warned := strings.Contains(strings.Join(report.Warnings, "; "), "unprotected"); warned != (report.Left.Conservative > 0) {
			t.Errorf("warnings %q", report.Warnings)
		}
		sum, referenceSum = sum+report.Left.Conservative, referenceSum+c.left
	}
	t.Logf("%d violators left over the eight, the reference leaves %d", sum, referenceSum)
}

// drawTable draws a small file of three or four key variables.
func drawTable(t *rapid.T, tb testing.TB) method.Input {
	width := rapid.IntRange(2, 4).Draw(t, "variables")
	letters := rapid.SampledFrom([]string{"ABC", "ABC ", "ABCDE"}).Draw(t, "letters")
	texts := rapid.SliceOfN(rapid.StringOfN(rapid.SampledFrom([]rune(letters)), width, width, -1), 4, 30).Draw(t, "rows")
	return table(tb, texts...)
}

// A budget is kept, its report is true, and the curve foretells it.
func TestBudgetCurve(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := drawTable(rt, t)
		m := &KAnonymity{K: rapid.IntRange(2, 4).Draw(rt, "k"), Algorithm: Minimal, Rule: "conservative"}
		if rapid.IntRange(0, 9).Draw(rt, "thorough") == 0 {
			m.Algorithm, m.Iterations = Thorough, 2
		}
		curve, err := m.Curve(t.Context(), in, nil)
		if err != nil {
			rt.Fatal(err)
		}
		whole, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(whole.Report.Suppression, curve.Whole()); diff != "" {
			rt.Fatalf("applied (-) and foretold (+):\n%s", diff)
		}
		points := curve.Points()
		if first, last := points[0], points[len(points)-1]; first.Cells != 0 || last != (BudgetPoint{whole.Report.Total, 0}) {
			rt.Fatalf("curve from %v to %v, %d cells in all", first, last, whole.Report.Total)
		}
		for _, p := range points {
			budget := float64(p.Cells)
			m.Budget = &budget
			out, err := m.Apply(t.Context(), in, nil)
			if err != nil {
				rt.Fatal(err)
			}
			account, err := curve.At(t.Context(), p.Cells)
			if err != nil {
				rt.Fatal(err)
			}
			if diff := cmp.Diff(out.Report.Suppression, account); diff != "" {
				rt.Fatalf("applied (-) and foretold (+) with %d cells:\n%s", p.Cells, diff)
			}
			left := golden.Violators(golden.Columns(out.Data, in.Scenario.Keys...), microdata.RuleConservative, 1, m.K)
			if out.Report.Total > p.Cells || left != p.Left || left != account.Left.Conservative {
				rt.Fatalf("%d cells of %d, %d violators left, the curve says %d, the account %+v", out.Report.Total, p.Cells, left, p.Left, account.Left)
			}
		}
	})
}

// Without missing values, no part of the solution protects more records.
func TestBudgetTakesTheBestPart(t *testing.T) {
	in := table(t, "AAA", "AAB", "AAC", "ABA", "ABB", "BBB", "BBB", "BBB", "CAB", "CCC", "CCA", "DBB")
	m := &KAnonymity{K: 3, Algorithm: Minimal, Rule: "conservative"}
	curve, err := m.Curve(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	before, dearest := curve.Points()[0], 0
	for _, p := range curve.Points()[1:] {
		cells, records := p.Cells-before.Cells, before.Left-p.Left
		if each := cells / records; each < dearest || cells%records != 0 {
			t.Errorf("from %v to %v: %d cells for %d records after %d for one", before, p, cells, records, dearest)
		} else {
			dearest = each
		}
		before = p
	}
}

func TestBudgetThatDoesNotFit(t *testing.T) {
	in := table(t, "AAA", "AAB", "AAC", "ABA")
	half, three := 0.5, 3.0
	shared := *in.Scenario
	shared.Household, shared.SameForHousehold = "a", []string{"b"}
	for i, c := range []struct {
		m        KAnonymity
		scenario *microdata.Scenario
	}{
		{KAnonymity{K: 2, Algorithm: Minimal, Rule: "conservative", Budget: &half}, in.Scenario},
		{KAnonymity{K: 2, Algorithm: Minimal, Rule: "own-category", Budget: &three}, in.Scenario},
		{KAnonymity{K: 2, Algorithm: SDCMicro, Rule: "default", Budget: &three}, in.Scenario},
		{KAnonymity{K: 2, Algorithm: Minimal, Rule: "conservative", Budget: &three}, &shared},
	} {
		_, err := c.m.Apply(t.Context(), method.Input{Data: in.Data, Scenario: c.scenario}, nil)
		if !errors.Is(err, method.ErrParam) || !strings.Contains(fmt.Sprint(err), "budget") {
			t.Errorf("%d: %v", i, err)
		}
	}
}
