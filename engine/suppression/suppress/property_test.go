package suppress

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// randomInput draws up to 25 records with up to 4 key variables, few categories and some missing values.
func randomInput(t *rapid.T) method.Input {
	return generated.Random(t)
}

// randomMethod draws a method whose k the file can reach.
func randomMethod(t *rapid.T, in method.Input) *KAnonymity {
	m := NewKAnonymity()
	m.K = rapid.IntRange(2, min(4, in.Data.Len())).Draw(t, "k")
	m.Rule = string(rapid.SampledFrom(microdata.Rules()).Draw(t, "rule"))
	if rapid.Bool().Draw(t, "reference") {
		m.Algorithm, m.Rule = SDCMicro, string(microdata.RuleDefault)
	}
	if rapid.Bool().Draw(t, "alpha") {
		in.Scenario.Alpha = 0.5
	}
	if rapid.Bool().Draw(t, "importance") {
		m.Importance = map[string]int{rapid.SampledFrom(in.Scenario.Keys).Draw(t, "important"): 1}
	}
	return m
}

// After suppression no record violates k-anonymity under the rule for suppression, the report is correct, and no cell
// suppressed by minimal can be restored alone.
func TestNoViolatorAndNothingToRestore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomInput(t)
		m := randomMethod(t, in)
		out, err := method.Apply(t.Context(), m, in, nil)
		if err != nil {
			if m.Algorithm == SDCMicro && errors.Is(err, method.ErrUnreachable) {
				return // its order can end with nothing left to suppress
			}
			t.Fatal(err)
		}
		after := golden.Columns(out.Data, in.Scenario.Keys...)
		if n := golden.Violators(after, microdata.Rule(m.Rule), in.Scenario.Alpha, m.K); n > 0 {
			t.Fatalf("%d violators under %s", n, m.Rule)
		}
		checkReport(t, in, m, out.Report, after)
		if m.Algorithm == Minimal {
			checkNothingToRestore(t, in, m, after)
		}
	})
}

func checkReport(t *rapid.T, in method.Input, m *KAnonymity, report method.Report, after []*microdata.Column) {
	left := method.ViolatorsLeft{
		Default:      golden.Violators(after, microdata.RuleDefault, in.Scenario.Alpha, m.K),
		Conservative: golden.Violators(after, microdata.RuleConservative, 0, m.K),
		OwnCategory:  golden.Violators(after, microdata.RuleOwnCategory, 0, m.K),
	}
	if report.Left != left {
		t.Fatalf("left %+v, by comparing all records %+v", report.Left, left)
	}
	touched := map[int]bool{}
	for v, name := range in.Scenario.Keys {
		before, _ := in.Data.Column(name)
		lost := 0
		for record := range before.Len() {
			if after[v].Missing(record) && !before.Missing(record) {
				lost++
				touched[record] = true
			} else if after[v].Text(record) != before.Text(record) {
				t.Fatal("a cell has another value")
			}
		}
		if report.Cells[v].Count != lost {
			t.Fatalf("%s lost %d cells, the report says %d", name, lost, report.Cells[v].Count)
		}
	}
	if report.Touched != len(touched) || report.Bound != nil && *report.Bound > report.Price {
		t.Fatalf("%d records touched; report %+v", len(touched), report.Suppression)
	}
}

// checkNothingToRestore restores every cell alone and expects a violator. Records without any value are ignored:
// their frequency is the whole file, but a suppression may rely on that only if k records do.
func checkNothingToRestore(t *rapid.T, in method.Input, m *KAnonymity, after []*microdata.Column) {
	if slices.Contains(texts(after), strings.Repeat(" ", len(after))) {
		return
	}
	for v, name := range in.Scenario.Keys {
		before, _ := in.Data.Column(name)
		for record := range before.Len() {
			if !after[v].Missing(record) || before.Missing(record) {
				continue
			}
			restored := append([]*microdata.Column{}, after...)
			others := microdata.NewBits(before.Len())
			for other := range before.Len() {
				if other != record && after[v].Missing(other) {
					others.Set(other)
				}
			}
			restored[v] = before.Suppress(others)
			if golden.Violators(restored, microdata.Rule(m.Rule), in.Scenario.Alpha, m.K) == 0 {
				t.Fatalf("record %d could have %s back: %q, from %q", record+1, name, texts(after),
					texts(golden.Columns(in.Data, in.Scenario.Keys...)))
			}
		}
	}
}

// texts returns the records, one character per cell.
func texts(columns []*microdata.Column) []string {
	texts := make([]string, columns[0].Len())
	for record := range texts {
		for _, column := range columns {
			texts[record] += (column.Text(record) + " ")[:1]
		}
	}
	return texts
}

// inputTable returns the key table of an input.
func inputTable(t interface{ Fatal(...any) }, in method.Input) *keys.Table {
	return inputFile(t, in).table
}

// inputFile returns an input without strata.
func inputFile(t interface{ Fatal(...any) }, in method.Input) *file {
	f, err := fileOf(context.Background(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
