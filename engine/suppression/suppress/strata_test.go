package suppress

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// strataOf returns the records of each stratum by comparing texts, under the names used in reports.
func strataOf(in method.Input, names []string) map[string][]int {
	columns := golden.Columns(in.Data, names...)
	strata := make(map[string][]int)
	for record := range in.Data.Len() {
		var labels []string
		for _, column := range columns {
			label := column.Text(record)
			if column.Missing(record) {
				label = "missing"
			}
			labels = append(labels, label)
		}
		name := strings.Join(labels, ", ")
		strata[name] = append(strata[name], record)
	}
	return strata
}

// subset returns some records of columns as a separate file.
func subset(columns []*microdata.Column, records []int) []*microdata.Column {
	out := make([]*microdata.Column, len(columns))
	for v, column := range columns {
		from := column.Categories()
		to := &microdata.Categories{Levels: from.Levels, Codes: microdata.NewCodes(len(records), len(from.Levels)),
			Ordered: from.Ordered}
		for i, record := range records {
			to.Codes.Set(i, from.Codes.At(record))
		}
		out[v] = microdata.NewCategorical(column.Name(), microdata.Category, to)
	}
	return out
}

// leftWithin counts violators within strata by comparing all records.
func leftWithin(after []*microdata.Column, strata map[string][]int, alpha float64, k int) (left method.ViolatorsLeft) {
	for _, records := range strata {
		file := subset(after, records)
		left.Default += golden.Violators(file, microdata.RuleDefault, alpha, k)
		left.Conservative += golden.Violators(file, microdata.RuleConservative, 0, k)
		left.OwnCategory += golden.Violators(file, microdata.RuleOwnCategory, 0, k)
	}
	return left
}

func TestMinimalInStrataOfReferenceCases(t *testing.T) {
	for _, c := range []struct {
		referenceCase
		data      string
		reference int // cells suppressed by sdcMicro, which leaves violators
	}{
		{referenceCase{KeyVars: []string{"urbrur", "sex", "age", "marital"}, K: 3, Alpha: 1, Strata: "region",
			Ages: []float64{-1, 4, 14, 24, 34, 44, 54, 64, 99}}, "survey", 313},
		{referenceCase{KeyVars: []string{"urbrur", "roof", "walls", "water", "electcon", "relat", "sex"}, K: 3, Alpha: 1,
			Strata: "hhcivil"}, "testdata", 394},
	} {
		t.Run(c.data, func(t *testing.T) {
			in := c.prepare(t, golden.Data(t, c.data))
			out, err := NewKAnonymity().Apply(t.Context(), in, nil)
			if err != nil {
				t.Fatal(err)
			}
			report := out.Report
			t.Logf("%d cells, bound %d, left %+v; the reference takes %d", report.Total, *report.Bound, report.Left, c.reference)
			strata := strataOf(in, []string{c.Strata})
			left := leftWithin(golden.Columns(out.Data, c.KeyVars...), strata, 1, c.K)
			if left != report.Left || left.Default != 0 || left.Conservative != 0 {
				t.Errorf("left %+v, by comparing all records %+v", report.Left, left)
			}
			if *report.Bound > report.Price || float64(report.Price) > 1.1*float64(*report.Bound) {
				t.Errorf("price %d, bound %d", report.Price, *report.Bound)
			}
			checkStrata(t, report, strata)
			whole, err := (&KAnonymity{K: c.K, Algorithm: Minimal, Rule: "conservative", Strata: []string{}}).Apply(t.Context(),
				in, nil)
			if err != nil || whole.Report.Strata != nil || whole.Report.Total >= report.Total {
				t.Errorf("without strata: %d cells, error %v", whole.Report.Total, err)
			}
		})
	}
}

// checkStrata compares the strata in a report with the expected ones and with the totals of the file.
func checkStrata(t rapid.TB, report method.Report, strata map[string][]int) {
	t.Helper()
	if len(report.Strata) != len(strata) {
		t.Fatalf("%d strata reported of %d", len(report.Strata), len(strata))
	}
	sum := make([]int, len(report.Cells))
	for _, stratum := range report.Strata {
		if stratum.Records != len(strata[stratum.Stratum.String()]) {
			t.Errorf("stratum %q has %d records, not %d", stratum.Stratum, len(strata[stratum.Stratum.String()]),
				stratum.Records)
		}
		for v, cells := range stratum.Cells {
			sum[v] += cells.Count
		}
	}
	for v, cells := range report.Cells {
		if sum[v] != cells.Count {
			t.Errorf("%s lost %d cells, by strata %d", cells.Name, cells.Count, sum[v])
		}
	}
}

// Each stratum is treated as a separate file: no record violates k-anonymity within it, and cells, records and bounds
// add up.
func TestStrataAreFilesOfTheirOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomInput(t)
		m := randomMethod(t, in)
		m.Importance = map[string]int{} // otherwise the order depends on the categories of the whole file
		for i, name := range in.Scenario.Keys {
			m.Importance[name] = i + 1
		}
		names := rapid.SliceOfNDistinct(rapid.SampledFrom(in.Scenario.Keys), 1, 2, rapid.ID).Draw(t, "strata")
		if rapid.Bool().Draw(t, "no key") {
			names = []string{"half"}
			data, err := microdata.NewDataset(append(golden.Columns(in.Data, in.Scenario.Keys...), halves(in.Data.Len())))
			if err != nil {
				t.Fatal(err)
			}
			in.Data = data
		}
		in.Scenario.Strata = names
		strata := strataOf(in, names)
		out, err := m.Apply(t.Context(), in, nil)
		small := slices.ContainsFunc(slices.Collect(valuesOf(strata)), func(records []int) bool { return len(records) < m.K })
		if small != (err != nil) && !(m.Algorithm == SDCMicro && errors.Is(err, method.ErrUnreachable)) {
			t.Fatalf("strata %v, k = %d: error %v", strata, m.K, err)
		}
		if err != nil {
			if !errors.Is(err, method.ErrUnreachable) {
				t.Fatal(err)
			}
			return
		}
		checkStrata(t, out.Report, strata)
		after := golden.Columns(out.Data, in.Scenario.Keys...)
		if left := leftWithin(after, strata, in.Scenario.Alpha, m.K); left != out.Report.Left {
			t.Fatalf("left %+v, by comparing all records %+v", out.Report.Left, left)
		}
		checkEachStratum(t, in, m, after, out.Report, strata)
		empty := 0 // records that are missing everywhere
		for _, text := range texts(after) {
			if strings.TrimSpace(text) == "" {
				empty++
			}
		}
		for _, name := range names {
			if i := slices.Index(in.Scenario.Keys, name); i >= 0 && out.Report.Cells[i].Count > empty &&
				(m.Algorithm != SDCMicro || in.Scenario.Alpha == 1) {
				t.Fatalf("%s defines strata and lost %d cells, %d records are missing everywhere", name, out.Report.Cells[i].Count,
					empty)
			}
		}
	})
}

// halves is a variable that divides a file in two halves; in the first it is missing.
func halves(n int) *microdata.Column {
	categories := &microdata.Categories{Levels: []microdata.Level{{Label: "late"}}, Codes: microdata.NewCodes(n, 1)}
	for record := n / 2; record < n; record++ {
		categories.Codes.Set(record, 1)
	}
	return microdata.NewCategorical("half", microdata.Category, categories)
}

func valuesOf[K comparable, V any](m map[K]V) func(yield func(V) bool) {
	return func(yield func(V) bool) {
		for _, value := range m {
			if !yield(value) {
				return
			}
		}
	}
}

// checkEachStratum applies the method to every stratum separately.
func checkEachStratum(t *rapid.T, in method.Input, m *KAnonymity, after []*microdata.Column, report method.Report,
	strata map[string][]int) {
	scenario, alone := *in.Scenario, *m
	scenario.Strata = nil
	price, bound := 0, 0
	for name, records := range strata {
		data, err := microdata.NewDataset(subset(golden.Columns(in.Data, in.Scenario.Keys...), records))
		if err != nil {
			t.Fatal(err)
		}
		out, err := alone.Apply(t.Context(), method.Input{Data: data, Scenario: &scenario}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(texts(golden.Columns(out.Data, in.Scenario.Keys...)), texts(subset(after, records))); diff != "" {
			t.Fatalf("stratum %q alone (-) and with the others (+):\n%s", name, diff)
		}
		if n := golden.Violators(subset(after, records), microdata.Rule(m.Rule), in.Scenario.Alpha, m.K); n > 0 {
			t.Fatalf("%d violators under %s in stratum %q", n, m.Rule, name)
		}
		price += out.Report.Price
		if out.Report.Bound != nil {
			bound += *out.Report.Bound
		}
	}
	if price != report.Price || report.Bound != nil && bound != *report.Bound {
		t.Fatalf("price %d, bound %v; strata alone %d and %d", report.Price, report.Bound, price, bound)
	}
}

func TestStrataErrors(t *testing.T) {
	in := table(t, "A3S", "A3M", "A3M", "B3S", " 3W", " 3W")
	tests := map[string]struct {
		scenario, own []string
		want          error
		says          []string
	}{
		"strata of the scenario": {[]string{"a"}, nil, method.ErrUnreachable,
			[]string{"2 of the 3 strata of a", `"missing" has 2`, `"B" has 1`}},
		"strata of the step": {nil, []string{"c"}, method.ErrUnreachable,
			[]string{`"S" has 2`, `"M" has 2`, `"W" has 2`}},
		"combinations": {[]string{"b"}, []string{"a", "b"}, method.ErrUnreachable,
			[]string{"strata of a, b", `"B, 3" has 1`}},
		"no such variable": {[]string{"nowhere"}, nil, method.ErrInput, []string{`"nowhere"`}},
		"none after all":   {[]string{"a"}, []string{}, nil, nil},
		"one stratum":      {[]string{"b"}, nil, nil, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			in.Scenario.Strata = test.scenario
			for _, algorithm := range []string{Minimal, SDCMicro} {
				m := &KAnonymity{K: 3, Algorithm: algorithm, Rule: "default", Strata: test.own}
				_, err := m.Apply(t.Context(), in, nil)
				if !errors.Is(err, test.want) {
					t.Fatalf("error %v, want %v", err, test.want)
				}
				for _, text := range test.says {
					if !strings.Contains(err.Error(), text) {
						t.Errorf("error %q does not say %s", err, text)
					}
				}
			}
		})
	}
}

func TestManySmallStrataAreNotAllNamed(t *testing.T) {
	var cells []string
	for i := range 9 {
		cells = append(cells, fmt.Sprintf("%dx", i))
	}
	in := table(t, cells...)
	in.Scenario.Strata = []string{"a"}
	_, err := NewKAnonymity().Apply(t.Context(), in, nil)
	if err == nil || !strings.Contains(err.Error(), `"4" has 1, …`) || strings.Contains(err.Error(), `"5"`) {
		t.Errorf("error %v", err)
	}
}

// The cells are the same without strata, with one stratum, and on any number of processors.
func TestStrataChangeNothingElse(t *testing.T) {
	in := method.Input{Data: golden.Data(t, "survey")}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "urbrur", "sex", "marital", "educ"}
	in.Scenario = &scenario
	for _, algorithm := range []string{Minimal, SDCMicro} {
		var reports []string
		for _, strata := range [][]string{nil, {"region"}} {
			for processors := 1; processors <= 2; processors++ {
				before := runtime.GOMAXPROCS(processors)
				out, err := (&KAnonymity{K: 3, Algorithm: algorithm, Rule: "default", Strata: strata}).Apply(t.Context(), in, nil)
				runtime.GOMAXPROCS(before)
				if err != nil {
					t.Fatal(err)
				}
				text, err := json.Marshal(out.Report)
				if err != nil {
					t.Fatal(err)
				}
				reports = append(reports, fmt.Sprintf("%s %x", text, out.Data.Hash()))
			}
		}
		if reports[0] != reports[1] || reports[2] != reports[3] || reports[0] == reports[2] {
			t.Errorf("%s: reports differ:\n%s", algorithm, strings.Join(reports, "\n"))
		}
	}
}

// The cells needed in strata according to the key table are those that the step suppresses.
func TestNeedInStrataIsWhatTheStepTakes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := randomInput(rt)
		strata := rapid.SampledFrom([][]string{{in.Scenario.Keys[0]}, {"s"}, {"s", in.Scenario.Keys[0]}}).Draw(rt, "strata")
		labels := make([]string, in.Data.Len())
		for i := range labels {
			labels[i] = rapid.SampledFrom([]string{"", "x", "y"}).Draw(rt, "s")
		}
		data, err := in.Data.Append(golden.Column(t, "s", labels))
		if err != nil {
			rt.Fatal(err)
		}
		in.Data = data
		m := NewKAnonymity()
		m.K, m.Strata = rapid.IntRange(2, 3).Draw(rt, "k"), strata
		m.Rule = string(rapid.SampledFrom(microdata.Rules()).Draw(rt, "rule"))
		out, failed := m.Apply(t.Context(), in, nil)
		names := in.Scenario.Keys
		var variables []StrataVariable
		for _, name := range strata {
			place := slices.Index(names, name)
			if place < 0 {
				place = len(names)
				names = append(names[:place:place], name)
			}
			column, _ := data.Column(name)
			variables = append(variables, StrataVariable{name, place, column.Categories().Levels})
		}
		table, err := keys.New(t.Context(), golden.Columns(data, names...), nil)
		if err != nil {
			rt.Fatal(err)
		}
		need, err := m.Need(t.Context(), table, in.Scenario, variables)
		if failed != nil {
			if err == nil || "k-anonymity: "+err.Error() != failed.Error() {
				rt.Fatalf("need: %v, step: %v", err, failed)
			}
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(out.Report.Suppression, need); diff != "" {
			rt.Fatalf("need (-step +need):\n%s", diff)
		}
	})
}

func TestStrataOfAStep(t *testing.T) {
	for text, want := range map[string][]string{`{}`: {"a"}, `{"strata":null}`: {"a"}, `{"strata":["b"]}`: {"b"},
		`{"strata":[]}`: {}} {
		var params map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &params); err != nil {
			t.Fatal(err)
		}
		m := NewKAnonymity()
		if err := method.Decode(m, params); err != nil {
			t.Fatal(err)
		}
		if got := m.strata(&microdata.Scenario{Strata: []string{"a"}}); !slices.Equal(got, want) {
			t.Errorf("%s: strata %q, want %q", text, got, want)
		}
	}
}
