package mondrian

import (
	"errors"
	"fmt"
	"math"
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
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// Every record shares all its values with k - 1 others, with missing as a separate category, and every new value
// includes the one it replaced.
func TestMondrianIsKAnonymous(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := generated.RandomHouseholds(t)
		if rapid.Bool().Draw(t, "no households") {
			in.Scenario.SameForHousehold = nil
		}
		in = ordered(t, in)
		m := &Mondrian{K: rapid.IntRange(2, min(6, in.Data.Len())).Draw(t, "k")}
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		before, after := golden.Columns(in.Data, in.Scenario.Keys...), golden.Columns(out.Data, in.Scenario.Keys...)
		if n := golden.Violators(after, microdata.RuleOwnCategory, 0, m.K); n > 0 {
			t.Fatalf("%d violators", n)
		}
		groups := map[string]int{}
		for record := range in.Data.Len() {
			var key string
			for v := range after {
				key += after[v].Text(record) + "|"
				checkHolds(t, before[v], after[v], record)
			}
			groups[key]++
		}
		checkRegions(t, out.Report, groups, in.Data.Len())
		differences, err := suppress.Differing(out.Data, in.Scenario)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range differences {
			if d.Differing+d.PartlyMissing > 0 {
				t.Fatalf("households get different values: %+v", d)
			}
		}
	})
}

// ordered makes some variables of an input ordered.
func ordered(t *rapid.T, in method.Input) method.Input {
	for _, name := range in.Scenario.Keys {
		if column, _ := in.Data.Column(name); rapid.Bool().Draw(t, "ordered") {
			was := column.Categories()
			in.Data = in.Data.With(microdata.NewCategorical(name, microdata.Category,
				&microdata.Categories{Levels: was.Levels, Codes: was.Codes, Ordered: true}))
		}
	}
	return in
}

// checkHolds checks that each value is included in its replacement. Labels are single letters.
func checkHolds(t *rapid.T, before, after *microdata.Column, record int) {
	was, now := before.Text(record), after.Text(record)
	body, missing := strings.CutSuffix(now, " or missing")
	first, last, isRange := strings.Cut(body, "-")
	switch {
	case was == "" && (now == "" || missing):
	case was != "" && isRange && first < last && first <= was && was <= last && before.Categories().Ordered:
	case was != "" && !isRange && slices.Contains(strings.Split(body, "+"), was):
	default:
		t.Fatalf("%q became %q", was, now)
	}
}

func checkRegions(t *rapid.T, report method.Report, groups map[string]int, records int) {
	discernibility := 0
	for _, size := range groups {
		discernibility += size * size
	}
	r := report.Regions
	if r.Count < len(groups) || r.Mean != float64(records)/float64(r.Count) || r.Smallest > r.Largest || r.Penalty < 0 ||
		r.Penalty > 1 {
		t.Fatalf("%+v for %d groups", r, len(groups))
	}
	if r.Count == len(groups) && r.Discernibility != discernibility {
		t.Fatalf("discernibility %d, by all groups %d", r.Discernibility, discernibility)
	}
}

// By hand: ranges, sets, missing values, the order of levels and the loss.
func TestMondrianByHand(t *testing.T) {
	data, err := microdata.NewDataset([]*microdata.Column{
		golden.Column(t, "age",
			[]string{"15", "20", "34", "35", "60", "", "80", "61"}).WithDescription(&microdata.Description{Label: "Age",
			Missing: []string{"999"}}),
		golden.Column(t, "region",
			[]string{"n", "n", "s", "s", "s", "n", "n",
				"s"}).WithDescription(&microdata.Description{Labels: map[string]string{"n": "North", "s": "South"}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"age", "region"}
	out, err := (&Mondrian{K: 2}).Apply(t.Context(), method.Input{Data: data, Scenario: &scenario}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// A single missing age cannot be a region. Both variables cover their range: age comes first and is cut at 34,
	// below which there are four, including the missing one. Three of the lower half are in the north, one in the
	// south: it is cut by age again, with the missing one in the lower part; so is the upper half.
	var got []string
	for record := range data.Len() {
		got = append(got,
			golden.Columns(out.Data, "age")[0].Text(record)+" "+golden.Columns(out.Data, "region")[0].Text(record))
	}
	want := []string{"15 or missing n", "20-34 n+s", "20-34 n+s", "35-60 s", "35-60 s", "15 or missing n", "61-80 n+s",
		"61-80 n+s"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	t.Log(out.Report.Effect, out.Report.Regions)
	levels := golden.Columns(out.Data, "age")[0].Categories()
	if !levels.Ordered || levels.Levels[0].Label != "15 or missing" || levels.Levels[3].Label != "61-80" {
		t.Errorf("levels %v", levels.Levels)
	}
	if said := golden.Columns(out.Data, "age")[0].Described(); said.Label != "Age" || len(said.Missing) != 1 {
		t.Errorf("said of the variable: %+v", said)
	}
	if diff := cmp.Diff(map[string]string{"n": "North", "s": "South", "n+s": "North, South"},
		golden.Columns(out.Data, "region")[0].Described().Labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	if source := golden.Columns(out.Data, "age")[0].Unrecoded(); source.Text(0) != "15" {
		t.Errorf("a later recode starts from %q", source.Text(0))
	}
}

func TestMondrianOfTheSurvey(t *testing.T) {
	in := generated.Rows(t, "A")
	in.Data = golden.Data(t, "survey")
	in.Scenario.Keys, in.Scenario.Household = generated.Keys(), "hid"
	for _, households := range []bool{false, true} {
		if !households {
			in.Scenario.SameForHousehold = nil
		} else {
			in.Scenario.SameForHousehold = []string{"region", "urbrur"}
		}
		for _, k := range []int{2, 3, 5, 10} {
			out, err := (&Mondrian{K: k}).Apply(t.Context(), in, nil)
			if err != nil {
				t.Fatal(err)
			}
			if n := golden.Violators(golden.Columns(out.Data, in.Scenario.Keys...), microdata.RuleOwnCategory, 0, k); n > 0 {
				t.Errorf("%d violators of %d", n, k)
			}
			t.Logf("households %v, k %d: %s %+v", households, k, out.Report.Effect, *out.Report.Regions)
			if regions := out.Report.Regions; regions.Smallest < k || regions.Mean > 4*float64(k) {
				t.Errorf("k = %d: %+v", k, regions)
			}
			if testing.Short() {
				return
			}
		}
	}
}

func TestMondrianErrors(t *testing.T) {
	in := generated.Rows(t, "A3S", "A3M", "B3S")
	for _, test := range []struct {
		m    *Mondrian
		want error
		says string
	}{
		{&Mondrian{K: 4}, method.ErrUnreachable, "there are 3 records"},
		{&Mondrian{K: 1}, method.ErrParam, "at least 2"},
		{&Mondrian{K: 2, Variables: []string{}}, method.ErrParam, "is empty"},
		{&Mondrian{K: 2, Variables: []string{"nowhere"}}, method.ErrParam, "nowhere"},
		{&Mondrian{K: 2, Variables: []string{"a", "a"}}, method.ErrParam, "twice"},
	} {
		if _, err := test.m.Apply(t.Context(), in, nil); !errors.Is(err, test.want) ||
			!strings.Contains(err.Error(), test.says) {
			t.Errorf("%+v: error %v, want one that says %s", test.m, err, test.says)
		}
	}
}

// A file without records is left as it is, as by suppression.
func TestMondrianOfNothing(t *testing.T) {
	in := generated.Rows(t, "A3S")
	in.Data = in.Data.Select(nil)
	for _, same := range [][]string{nil, {"a"}} {
		if in.Scenario.SameForHousehold = same; same != nil {
			in.Scenario.Household = "b"
		}
		out, err := NewMondrian().Apply(t.Context(), in, nil)
		if err != nil || !out.Report.ChangesNothing() || out.Report.Regions.Count != 0 {
			t.Errorf("report %+v, error %v", out.Report, err)
		}
	}
}

// Labels that are already taken get a number.
func TestMondrianLabelsAreUnique(t *testing.T) {
	categories := &microdata.Categories{Ordered: true, Codes: microdata.NewCodes(6, 4)}
	for i, label := range []string{"a", "b", "a-b", "c"} {
		categories.Levels = append(categories.Levels, microdata.Level{Label: label, Value: math.NaN()})
		categories.Codes.Set(i, uint32(i+1))
	}
	categories.Codes.Set(4, 3)
	categories.Codes.Set(5, 4)
	data, err := microdata.NewDataset([]*microdata.Column{microdata.NewCategorical("x", microdata.Category, categories)})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"x"}
	out, err := (&Mondrian{K: 2}).Apply(t.Context(), method.Input{Data: data, Scenario: &scenario}, nil)
	if err != nil {
		t.Fatal(err)
	}
	column, _ := out.Data.Column("x")
	seen := map[string]bool{}
	for _, level := range column.Categories().Levels {
		if seen[level.Label] {
			t.Errorf("label %q is used twice", level.Label)
		}
		seen[level.Label] = true
	}
	if !seen["a-b (2)"] || !seen["a-b"] || !seen["c"] {
		t.Errorf("labels %v", seen)
	}
}

func BenchmarkMondrian(b *testing.B) {
	for _, persons := range []int{5000, 100_000, 1_000_000} {
		for _, same := range [][]string{nil, {"region", "urbrur"}} {
			b.Run(fmt.Sprintf("rows=%d/household=%d", persons, len(same)), func(b *testing.B) {
				in := generated.SurveyInput(b, persons, same...)
				for b.Loop() {
					out, err := NewMondrian().Apply(b.Context(), in, nil)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(out.Report.Regions.Mean, "records/region")
					b.ReportMetric(100*out.Report.Regions.Penalty, "%lost")
				}
			})
		}
	}
}

// Values whose range overflows have positions in it.
func TestMondrianOfHugeValues(t *testing.T) {
	cells := []string{"1e308", "-1e308", "0", "1e-308", "1e307", "-1e307"}
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "x", cells)})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"x"}
	out, err := (&Mondrian{K: 2}).Apply(t.Context(), method.Input{Data: data, Scenario: &scenario}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Regions of 3: from -1e308 to 0, from 1e-308 to 1e308: half of the range each.
	regions := out.Report.Regions
	if penalty := regions.Penalty; math.Abs(penalty-0.5) > 1e-9 || strings.Contains(out.Report.Effect, "NaN") {
		t.Errorf("penalty %v; %s", penalty, out.Report.Effect)
	}
}

// Counts of one use the singular.
func TestLinkedVariablesKeepTheirValues(t *testing.T) {
	in := generated.Rows(t, "AAA", "AAA")
	in.Scenario.Keys = []string{"a"}
	for says, linked := range map[string][]string{"b keeps its values": {"b"}, "b and c keep their values": {"b", "c"}} {
		in.Scenario.Linked = map[string][]string{"a": linked}
		out, err := (&Mondrian{K: 2}).Apply(t.Context(), in, nil)
		if err != nil || !strings.HasPrefix(out.Report.Warnings[0], says) {
			t.Errorf("warnings %q, error %v", out.Report.Warnings, err)
		}
	}
}

func TestNarrate(t *testing.T) {
	for want, got := range map[string]string{
		"Values of the key variables were replaced by ranges or sets of values that several records share.": NewMondrian().Narrate(nil),
		"Values of age, sex were replaced by ranges or sets of values that several records share.":          (&Mondrian{K: 5, Variables: []string{"age", "sex"}}).Narrate(nil),
	} {
		if got != want {
			t.Errorf("%q\nwant %q", got, want)
		}
	}
}

// Ranges of codes are labelled by the labels of the codes in them, including missing, if all have one.
func TestLabelsOfRanges(t *testing.T) {
	labels := map[string]string{"1": "one", "2": "two", "3": "three", "4": "four", "5": "five"}
	for _, known := range []bool{true, false} {
		if !known {
			delete(labels, "3")
		}
		levels := make([]microdata.Level, 5)
		for i := range levels {
			levels[i] = microdata.Level{Label: strconv.Itoa(i + 1), Value: float64(i + 1)}
		}
		x := microdata.NewCategorical("x", microdata.Whole, &microdata.Categories{Levels: levels,
			Codes: microdata.CodesOf([]uint8{1, 2, 3, 0, 5, 5}), Ordered: true}).
			WithDescription(&microdata.Description{Labels: labels})
		data, err := microdata.NewDataset([]*microdata.Column{x})
		if err != nil {
			t.Fatal(err)
		}
		scenario := microdata.NewScenario()
		scenario.Keys = []string{"x"}
		out, err := (&Mondrian{K: 4}).Apply(t.Context(), method.Input{Data: data, Scenario: &scenario}, nil)
		if err != nil {
			t.Fatal(err)
		}
		made := golden.Columns(out.Data, "x")[0]
		want := "one, two, three, five, missing"
		if !known {
			want = ""
		}
		if got := made.Described().Labels["1-5 or missing"]; got != want || made.Text(0) != "1-5 or missing" {
			t.Errorf("%q is called %q, want %q", made.Text(0), got, want)
		}
	}
}
