package combinations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// demodata reads REGION, SEX, AGE and MARSTAT of the sample file of mu-Argus: fixed-width fields with missing
// codes of nines. If recoded is set, regions and ages are recoded to tens as by Region.grc and Age.grc.
func demodata(tb testing.TB, recoded bool) method.Input {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(golden.Root(tb), "..", "shared", "data", "muargus", "Demodata.asc"))
	if err != nil {
		tb.Skip("Demodata.asc is not in ../shared/data/muargus")
	}
	fields := []struct {
		name     string
		from, to int
		missing  []string
		recode   func(x int) int
	}{
		{"REGION", 0, 4, []string{"9999", "9998"}, func(x int) int { return min(18, (x-1)/10+1) }},
		{"SEX", 4, 5, []string{"9"}, func(x int) int { return x }},
		{"AGE", 5, 7, []string{"99"}, func(x int) int { return min(6, max(1, (x-1)/10)) }},
		{"MARSTAT", 7, 8, []string{"9"}, func(x int) int { return x }},
	}
	cells := make([][]string, len(fields))
	for line := range strings.Lines(string(text)) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		for v, f := range fields {
			cell := strings.TrimSpace(line[f.from:f.to])
			if slices.Contains(f.missing, cell) {
				cell = ""
			} else if x, err := strconv.Atoi(cell); err == nil && recoded {
				cell = strconv.Itoa(f.recode(x))
			}
			cells[v] = append(cells[v], cell)
		}
	}
	scenario := microdata.NewScenario()
	columns := make([]*microdata.Column, len(fields))
	for v, f := range fields {
		columns[v] = golden.Column(tb, f.name, cells[v])
		scenario.Keys = append(scenario.Keys, f.name)
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		tb.Fatal(err)
	}
	return method.Input{Data: data, Scenario: &scenario}
}

// inputTable returns the key table of an input.
func inputTable(t interface{ Fatal(...any) }, in method.Input) *keys.Table {
	table, err := keys.New(context.Background(), golden.Columns(in.Data, in.Scenario.Keys...), nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// The numbers of unsafe cells are those of mu-Argus, by variable and dimension, for threshold 1.
func TestUnsafeCellsOfMuArgus(t *testing.T) {
	for recoded, want := range map[bool][][]int{
		false: {{2, 2067, 5291, 3014}, {0, 15, 2979, 3014}, {0, 1970, 5136, 3014}, {0, 126, 2707, 3014}},
		true:  {{0, 1, 60, 114}, {0, 0, 10, 114}, {0, 0, 50, 114}, {0, 1, 60, 114}},
	} {
		in := demodata(t, recoded)
		u, err := CountUnsafeCells(t.Context(), inputTable(t, in), in.Scenario.Keys,
			&Combinations{Dimension: 4, Threshold: 1})
		if err != nil {
			t.Fatal(err)
		}
		for v, name := range in.Scenario.Keys {
			if diff := cmp.Diff(want[v], u.ByDimension(v)); diff != "" {
				t.Errorf("recoded %v, %s (-want +got):\n%s", recoded, name, diff)
			}
		}
	}
}

// The suppressed cells are those of mu-Argus when it writes the safe file, for threshold 1.
func TestSuppressionOfMuArgus(t *testing.T) {
	tests := map[string]struct {
		m    *Suppression
		want []int // REGION, SEX, AGE, MARSTAT
	}{
		"priority": {&Suppression{By: ByPriority, Priorities: map[string]int{"SEX": 100}},
			[]int{114, 0, 0, 0}},
		"entropy": {&Suppression{By: ByEntropy},
			[]int{0, 64, 0, 50}},
	}
	in := demodata(t, true)
	for name, test := range tests {
		test.m.Combinations = Combinations{Dimension: 4, Threshold: 1}
		for _, test.m.Repeat = range []bool{false, true} {
			out, err := test.m.Apply(t.Context(), in, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, cells := range out.Report.Cells {
				got = append(got, cells.Count)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s, repeat %v (-want +got):\n%s", name, test.m.Repeat, diff)
			}
		}
	}
	for v, want := range []float64{4.0654, 0.9997, 2.5202, 1.3106} {
		column, _ := in.Data.Column(in.Scenario.Keys[v])
		if got := column.Categories().Entropy(); math.Abs(got-want) > 5e-5 {
			t.Errorf("entropy of %s is %v, want %v", column.Name(), got, want)
		}
	}
}

// The numbers of risky cells are those of sdcMicro, with ages in eight intervals. sdcMicro counts missing values
// as a category, which affects only the row marital by educ.
func TestUnsafeCellsOfSDCMicro(t *testing.T) {
	var reference struct {
		RiskyCells struct {
			KeyVars []string `json:"keyVars"`
			Table   []struct {
				First     string  `json:"dim1"`
				Second    *string `json:"dim2"`
				Threshold int     `json:"threshold"`
				Cells     string  `json:"unsafe_cells"`
			} `json:"table"`
		} `json:"risky_cells"`
	}
	golden.Shared(t, "survey", &reference)
	scenario := microdata.NewScenario()
	scenario.Keys = reference.RiskyCells.KeyVars
	in := method.Input{Data: golden.Data(t, "survey"), Scenario: &scenario}
	cut, err := method.Apply(t.Context(),
		&recode.Intervals{Variable: "age", Breaks: []float64{-1, 4, 14, 24, 34, 44, 54, 64, 99}}, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	in.Data = cut.Data
	for _, row := range reference.RiskyCells.Table {
		listed := Threshold{Variables: []string{row.First}, Threshold: row.Threshold}
		want, err := strconv.Atoi(row.Cells)
		if err != nil {
			t.Fatal(err)
		}
		if row.Second != nil {
			listed.Variables = append(listed.Variables, *row.Second)
			if row.First == "marital" && *row.Second == "educ" {
				want = 0
			}
		}
		u, err := CountUnsafeCells(t.Context(), inputTable(t, in), scenario.Keys, &Combinations{List: []Threshold{listed}})
		if err != nil {
			t.Fatal(err)
		}
		if u.Cells != want {
			t.Errorf("%v: %d unsafe cells, want %d", listed.Variables, u.Cells, want)
		}
	}
}

// randomCombinations draws combinations in one of the forms.
func randomCombinations(t *rapid.T, names []string) Combinations {
	threshold := rapid.IntRange(1, 3).Draw(t, "threshold")
	switch rapid.IntRange(0, 3).Draw(t, "form") {
	case 3:
		thresholds := append([]int{threshold}, rapid.SliceOfN(rapid.IntRange(0, 3), 0, 3).Draw(t, "thresholds")...)
		return Combinations{Dimension: len(thresholds), Thresholds: thresholds}
	case 0:
		return Combinations{Dimension: rapid.IntRange(1, 4).Draw(t, "dimension"), Threshold: threshold}
	case 1:
		c := Combinations{Threshold: threshold, Levels: map[string]int{names[0]: 1}}
		for _, name := range names {
			c.Levels[name] = max(c.Levels[name], rapid.IntRange(0, 3).Draw(t, "level"))
		}
		return c
	}
	var c Combinations
	for range rapid.IntRange(1, 3).Draw(t, "listed") {
		c.List = append(c.List,
			Threshold{rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, len(names), rapid.ID).Draw(t, "variables"),
				rapid.IntRange(1, 3).Draw(t, "own threshold")})
	}
	return c
}

// naiveUnsafe returns, by comparing all records, the records in unsafe cells of each table and the number of these
// cells.
func naiveUnsafe(columns []*microdata.Column, tables []crosstable.Table) (records [][]bool, cells []int) {
	for _, table := range tables {
		in, count := make([]bool, columns[0].Len()), 0.0
		for i := range in {
			same := 0
			for j := range in {
				if sharesAll(columns, table.Set, i, j) {
					same++
				}
			}
			if in[i] = same > 0 && same <= table.Threshold; in[i] {
				count += 1 / float64(same)
			}
		}
		records, cells = append(records, in), append(cells, int(math.Round(count)))
	}
	return records, cells
}

// sharesAll reports whether two records have the same non-missing values.
func sharesAll(columns []*microdata.Column, set uint64, i, j int) bool {
	for ; set != 0; set &= set - 1 {
		c := columns[bits.TrailingZeros64(set)]
		if c.Missing(i) || c.Missing(j) || c.Text(i) != c.Text(j) {
			return false
		}
	}
	return true
}

// Counts equal those of comparing all records. In one round every record loses the cheapest possible variables,
// and with repeat no unsafe cell is left.
func TestCombinationsAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := generated.Random(t)
		m := &Suppression{Combinations: randomCombinations(t, in.Scenario.Keys),
			By: rapid.SampledFrom([]string{ByPriority, ByEntropy}).Draw(t, "by"), Priorities: map[string]int{}}
		for _, name := range in.Scenario.Keys {
			m.Priorities[name] = rapid.IntRange(0, 3).Draw(t, "priority")
		}
		tables, err := m.Combinations.tables(in.Scenario.Keys)
		if err != nil {
			t.Fatal(err)
		}
		columns := golden.Columns(in.Data, in.Scenario.Keys...)
		unsafe, cells := naiveUnsafe(columns, tables)
		u, err := CountUnsafeCells(t.Context(), inputTable(t, in), in.Scenario.Keys, &m.Combinations)
		if err != nil {
			t.Fatal(err)
		}
		for v := range columns {
			want := make([]int, len(u.ByDimension(0)))
			for i, table := range tables {
				if table.Set>>v&1 == 1 {
					want[bits.OnesCount64(table.Set)-1] += cells[i]
				}
			}
			if diff := cmp.Diff(want, u.ByDimension(v)); diff != "" {
				t.Fatalf("cells of variable %d in %v (-naive +got):\n%s", v, tables, diff)
			}
		}
		checkCategories(t, u, columns)
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkCovers(t, m, in, out, tables, unsafe)
		m.Repeat = true
		if out, err = m.Apply(t.Context(), in, nil); err != nil {
			t.Fatal(err)
		}
		if _, cells := naiveUnsafe(golden.Columns(out.Data, in.Scenario.Keys...), tables); slices.Max(cells) > 0 {
			t.Fatalf("cells %v are left", cells)
		}
	})
}

// checkCategories checks that the counts of a variable's categories add up to those of the variable.
func checkCategories(t *rapid.T, u *crosstable.UnsafeMeasure, columns []*microdata.Column) {
	for v, column := range columns {
		sum := make([]int, len(u.ByDimension(0)))
		for code := range column.Categories().Levels {
			for d, n := range u.ByCategory(v, uint32(code+1)) {
				sum[d] += n
			}
		}
		if !slices.Equal(sum, u.ByDimension(v)) {
			t.Fatalf("by category %v, by variable %v", sum, u.ByDimension(v))
		}
	}
}

// checkCovers tries all sets of variables for every record.
func checkCovers(t *rapid.T, m *Suppression, in method.Input, out method.Output, tables []crosstable.Table,
	unsafe [][]bool) {
	before, after := golden.Columns(in.Data, in.Scenario.Keys...), golden.Columns(out.Data, in.Scenario.Keys...)
	costs := m.costs(in.Scenario.Keys, before)
	costOf := func(set uint64) (cost int64) {
		for ; set != 0; set &= set - 1 {
			cost += costs[bits.TrailingZeros64(set)]
		}
		return cost
	}
	for record := range in.Data.Len() {
		var lost uint64
		for v := range before {
			if after[v].Missing(record) && !before[v].Missing(record) {
				lost |= 1 << v
			}
		}
		covers := func(set uint64) bool {
			for i, table := range tables {
				if unsafe[i][record] && table.Set&set == 0 {
					return false
				}
			}
			return true
		}
		for set := range uint64(1) << len(before) {
			if covers(set) && costOf(set) < costOf(lost) {
				t.Fatalf("record %d lost %b, %b is cheaper", record+1, lost, set)
			}
		}
		if !covers(lost) {
			t.Fatalf("record %d lost %b, which leaves an unsafe combination", record+1, lost)
		}
	}
}

// Members of a household lose cells together, and no unsafe cell is left.
func TestCombinationsOfHouseholds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := generated.RandomHouseholds(t)
		m := NewSuppression()
		m.Combinations = randomCombinations(t, in.Scenario.Keys)
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		differences, err := suppress.Differing(out.Data, in.Scenario)
		if err != nil ||
			slices.ContainsFunc(differences, func(d suppress.Difference) bool { return d.Differing+d.PartlyMissing > 0 }) {
			t.Fatalf("differences %+v, error %v", differences, err)
		}
		tables, _ := m.Combinations.tables(in.Scenario.Keys)
		if _, cells := naiveUnsafe(golden.Columns(out.Data, in.Scenario.Keys...), tables); slices.Max(cells) > 0 {
			t.Fatalf("cells %v are left", cells)
		}
	})
}

// Combinations by level are those of mu-Argus: one variable for each level that occurs, of that level or a more
// identifying one.
func TestCombinationsByLevel(t *testing.T) {
	c := Combinations{Levels: map[string]int{"a": 1, "b": 2, "c": 2, "d": 4, "e": 0}, Threshold: 1}
	tables, err := c.tables([]string{"a", "b", "c", "d", "e"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, table := range tables {
		name := ""
		for v := range 5 {
			if table.Set>>v&1 == 1 {
				name += string(rune('a' + v))
			}
		}
		got = append(got, name)
	}
	if diff := cmp.Diff([]string{"abc", "abd", "acd"}, got); diff != "" {
		t.Errorf("combinations (-want +got):\n%s", diff)
	}
}

func TestCombinationsWritten(t *testing.T) {
	for text, want := range map[string]Combinations{
		"3:1":                                {Dimension: 3, Threshold: 1},
		"1:5, 2:3, 3:1":                      {Dimension: 3, Thresholds: []int{5, 3, 1}},
		"3:1, 1:5":                           {Dimension: 3, Thresholds: []int{5, 0, 1}},
		"1:0, 3:1":                           {Dimension: 3, Thresholds: []int{0, 0, 1}},
		"region+sex:1, age:2":                {List: []Threshold{{[]string{"region", "sex"}, 1}, {[]string{"age"}, 2}}},
		"sex = 2, region=1 : 3":              {Levels: map[string]int{"region": 1, "sex": 2}, Threshold: 3},
		`"3":1`:                              {List: []Threshold{{[]string{"3"}, 1}}},
		`"a+b" + "say ""hi""" + year 1 : 12`: {List: []Threshold{{[]string{"a+b", `say "hi"`, "year 1"}, 12}}},
		`"x=1"=1:1`:                          {Levels: map[string]int{"x=1": 1}, Threshold: 1},
	} {
		var got Combinations
		if err := got.Set(text); err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("%q: error %v\n%s", text, err, cmp.Diff(want, got))
		}
		var again Combinations
		if err := again.Set(got.String()); err != nil || cmp.Diff(want, again) != "" {
			t.Errorf("%q is written as %q, error %v", text, got.String(), err)
		}
		var read Combinations
		if script, err := json.Marshal(got); err != nil || json.Unmarshal(script, &read) != nil ||
			cmp.Diff(want, read) != "" {
			t.Errorf("%q does not come back from %s, error %v", text, script, err)
		}
	}
	for _, text := range []string{"", "3", "3:", "3:0", "region", "region+:1", "+region:1", "a b", "a=1", "a=1:1, b:1",
		"3:1, 3:2", "3:1, 0:1", "1:0, 2:0", "3:1, 1000:1", "3:1, a:1", `"a:1`, "a:1,", "a=x:1", ":1", "a==1:1", "a:b"} {
		kept := Combinations{Dimension: 9, Threshold: 9}
		if err := kept.Set(text); err == nil || kept.Dimension != 9 {
			t.Errorf("%q was read as %+v", text, kept)
		}
	}
}

func FuzzCombinationsSet(f *testing.F) {
	for _, text := range []string{"3:1", "1:5, 3:2", "7:0,1:1", "1:0, 3:2", "a+b:1, c:2", "a=1, b=2: 1", `"a""b"+c:3`, `"a  b"+c:3`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var c, again Combinations
		if c.Set(text) != nil {
			return
		}
		if err := again.Set(c.String()); err != nil || cmp.Diff(c, again) != "" {
			t.Errorf("%q is written as %q: error %v", text, c.String(), err)
		}
	})
}

// Thresholds by number of variables have the same result as listing the combinations one by one.
func TestThresholdsByNumberOfVariables(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := generated.Random(rt)
		names := in.Scenario.Keys
		if len(names) < 2 {
			rt.Skip("nothing to combine")
		}
		given := Combinations{Thresholds: []int{rapid.IntRange(0, 3).Draw(rt, "one"), rapid.IntRange(1, 3).Draw(rt, "two")}}
		var listed Combinations
		for i, first := range names {
			if given.Thresholds[0] > 0 {
				listed.List = append(listed.List, Threshold{[]string{first}, given.Thresholds[0]})
			}
			for _, second := range names[i+1:] {
				listed.List = append(listed.List, Threshold{[]string{first, second}, given.Thresholds[1]})
			}
		}
		var outs [2]method.Output
		for i, c := range []Combinations{given, listed} {
			m := NewSuppression()
			m.Combinations = c
			var err error
			if outs[i], err = m.Apply(t.Context(), in, nil); err != nil {
				rt.Fatal(err)
			}
		}
		if outs[0].Data.Hash() != outs[1].Data.Hash() {
			rt.Fatalf("%d cells by thresholds, %d by the list", outs[0].Report.Total, outs[1].Report.Total)
		}
	})
}

func TestThresholdErrors(t *testing.T) {
	in := generated.Rows(t, "A3S", "A3M", "A3M", "B3S")
	for text, says := range map[string]string{
		`{"dimension":3,"thresholds":[5,3]}`:               "2 thresholds for dimension 3",
		`{"dimension":2,"thresholds":[5,3],"threshold":1}`: "either threshold",
		`{"thresholds":[0,0]}`:                             "not all 0",
		`{"thresholds":[1,-1]}`:                            "at least 1",
		`{"thresholds":[0,0,0,1]}`:                         "3 key variables cannot",
		`{"thresholds":[1],"levels":{"a":1}}`:              "identification levels take a single threshold",
	} {
		m := NewSuppression()
		if err := json.Unmarshal([]byte(text), &m.Combinations); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Apply(t.Context(), in, nil); !errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want one that says %q", text, err, says)
		}
	}
}

// A script may contain the typed form; it is written in JSON form.
func TestTypedTextInScripts(t *testing.T) {
	for _, test := range []struct {
		m          method.Method
		text, want string
	}{
		{NewSuppression(), `{"combinations":"3:1"}`, `"combinations":{"dimension":3,"threshold":1}`},
		{NewSuppression(), `{"combinations":"1:5, 2:3"}`, `"combinations":{"dimension":2,"thresholds":[5,3]}`},
		{NewSuppression(), `{"combinations":"a+b:2"}`, `"combinations":[{"variables":["a","b"],"threshold":2}]`},
	} {
		var params map[string]json.RawMessage
		if err := json.Unmarshal([]byte(test.text), &params); err != nil {
			t.Fatal(err)
		}
		if err := method.Decode(test.m, params); err != nil {
			t.Errorf("%s: %v", test.text, err)
		}
		if got, err := method.Encode(test.m); err != nil || !strings.Contains(string(got), test.want) {
			t.Errorf("%s is written out as %s, error %v", test.text, got, err)
		}
	}
}

func TestCombinationErrors(t *testing.T) {
	in := generated.Rows(t, "A3S", "A3M", "A3M", "B3S")
	for text, says := range map[string]string{
		`{"combinations":{"dimension":0,"threshold":1}}`:            "at least 1",
		`{"combinations":{"dimension":2}}`:                          "at least 1",
		`{"combinations":{"dimension":2,"threshold":1,"colour":1}}`: `has no part "colour"`,
		`{"combinations":{"levels":{"a":6},"threshold":1}}`:         "level 6",
		`{"combinations":{"levels":{"nowhere":1},"threshold":1}}`:   "nowhere",
		`{"combinations":{"levels":{"a":0},"threshold":1}}`:         "level of at least 1",
		`{"combinations":{"levels":{"a":1}}}`:                       "threshold is 0",
		`{"combinations":[{"variables":["a","a"],"threshold":1}]}`:  "is repeated",
		`{"combinations":[{"variables":["z"],"threshold":1}]}`:      `"z"`,
		`{"combinations":[{"variables":["a"]}]}`:                    "a threshold of at least 1",
		`{"combinations":null}`:                                     "cannot be read as an object",
		`{"by":"chance"}`:                                           "must be one of",
		`{"priorities":{"a":101}}`:                                  "from 0 to 100",
		`{"priorities":{"z":1}}`:                                    "not a key variable",
	} {
		var params map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &params); err != nil {
			t.Fatal(err)
		}
		m := NewSuppression()
		err := method.Decode(m, params)
		if err == nil {
			_, err = m.Apply(t.Context(), in, nil)
		}
		if !errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want one that says %s", text, err, says)
		}
	}
}

func BenchmarkCombinations(b *testing.B) {
	for _, persons := range []int{5000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", persons), func(b *testing.B) {
			in := generated.SurveyInput(b, persons)
			for b.Loop() {
				out, err := NewSuppression().Apply(b.Context(), in, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(out.Report.Total), "cells")
			}
		})
	}
}

func TestNarrate(t *testing.T) {
	one := &method.Suppression{Total: 1, Cells: method.Counts{{Name: "age", Count: 1}, {Name: "sex"}}}
	if got, want := NewSuppression().Narrate(&method.Report{Suppression: one}), "Cells were suppressed in records with rare combinations of values."; got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}
