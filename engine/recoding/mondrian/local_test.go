package mondrian

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// Every record shares all its values with k - 1 others, every new value includes the one it replaced, the loss is
// that of the labels, and households stay alike.
func TestLocalRecodingIsKAnonymous(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := generated.RandomHouseholds(t)
		if rapid.Bool().Draw(t, "no households") {
			in.Scenario.SameForHousehold = nil
		}
		in = ordered(t, in)
		m := LocalSpec().New().(*LocalRecoding)
		m.K = rapid.IntRange(2, min(6, in.Data.Len())).Draw(t, "k")
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		before, after := golden.Columns(in.Data, in.Scenario.Keys...), golden.Columns(out.Data, in.Scenario.Keys...)
		if n := golden.Violators(after, microdata.RuleOwnCategory, 0, m.K); n > 0 {
			t.Fatalf("%d violators", n)
		}
		groups, lost := map[string]int{}, 0.0
		for record := range in.Data.Len() {
			var key string
			for v := range after {
				key += after[v].Text(record) + "|"
				checkHolds(t, before[v], after[v], record)
				lost += lossOf(before[v], after[v].Text(record))
			}
			groups[key]++
		}
		checkRegions(t, out.Report, groups, in.Data.Len())
		cut, err := m.Mondrian.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if local, byMondrian := out.Report.Regions.Penalty, cut.Report.Regions.Penalty; local > byMondrian+1e-9 {
			t.Fatalf("certainty lost %v, by Mondrian %v", local, byMondrian)
		}
		if lost /= float64(in.Data.Len() * len(after)); lost-out.Report.Regions.Penalty > 1e-9 ||
			out.Report.Regions.Penalty-lost > 1e-9 {
			t.Fatalf("the loss is said to be %v, by the labels it is %v", out.Report.Regions.Penalty, lost)
		}
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

// By hand: pairs have the least total loss, even if these are not the nearest ones; the finest common level, a set
// if there is none, and missing values.
func TestLocalRecodingByHand(t *testing.T) {
	for _, test := range []struct {
		what   string
		values []string
		levels string
		k      int
		want   string
	}{
		// Joining the nearest first would join 4 and 5, and leave 1 and 9.
		{"numbers", []string{"1", "4", "5", "9"}, "", 2, "1-4 1-4 5-9 5-9"},
		{"records that have k keep their values", []string{"1", "1", "5", "6", "9", "9"}, "", 2, "1 1 5-6 5-6 9 9"},
		{"one is left and joins", []string{"1", "1", "3"}, "", 2, "1-3 1-3 1-3"},
		// 1 and 2 are a pair, and 3 would lose 97/99 with 100: it waits, and joins the pair.
		{"one is left and waits", []string{"1", "2", "3", "100", "100", "100"}, "", 3, "1-3 1-3 1-3 100 100 100"},
		// 2 and 5 are at level L, which also includes 9; 3 has no level, so the three get their range.
		{"a level and a code that has none", []string{"2", "9", "9", "9", "3", "5"}, "x,2,L;x,5,L;x,9,L", 3, "2-5 9 9 9 2-5 2-5"},
		{"pairs of pairs", []string{"1", "2", "11", "12"}, "", 3, "1-12 1-12 1-12 1-12"},
		{"missing", []string{"1", "1", "", "4", "5"}, "", 2, "1 1 4-5 or missing 4-5 or missing 4-5 or missing"},
		{"levels", []string{"a1", "a2", "b1", "b2"}, "x,a1,A,all;x,b2,B,all;x,b1,B,all;x,a2,A,all", 2, "A A B B"},
		{"a level above", []string{"a1", "b2", "c1", "c2"}, "x,a1,A,AB;x,b2,B,AB;x,c1,C,C;x,c2,C,C", 2, "AB AB C C"},
		{"no level in common", []string{"a1", "b2"}, "x,a1,A;x,b2,B", 2, "a1+b2 a1+b2"},
		{"a code that is not listed", []string{"a1", "b2"}, "x,a1,A", 2, "a1+b2 a1+b2"},
		{"a level and one below it", []string{"a1", "a2", "a3"}, "x,a1,A;x,a2,A;x,a3,A", 3, "A A A"},
		{"numbers and a missing one", []string{"1", "2", ""}, "x,1.0,low;x,2.0,low", 3,
			"low or missing low or missing low or missing"},
	} {
		data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "x", test.values)})
		if err != nil {
			t.Fatal(err)
		}
		scenario := microdata.NewScenario()
		scenario.Keys = []string{"x"}
		m := &LocalRecoding{Mondrian: Mondrian{K: test.k}}
		if err := m.Levels.Set(test.levels); err != nil {
			t.Fatal(err)
		}
		out, err := m.Apply(t.Context(), method.Input{Data: data, Scenario: &scenario}, nil)
		if err != nil {
			t.Fatal(test.what, err)
		}
		var got []string
		for record := range data.Len() {
			got = append(got, golden.Columns(out.Data, "x")[0].Text(record))
		}
		if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.what, diff)
		}
	}
}

// The weights of variables determine which records are similar.
func TestLocalRecodingWeighs(t *testing.T) {
	for _, heavy := range []string{"a", "b"} {
		in := generated.Rows(t, "AA", "AB", "BA", "BB")
		m := &LocalRecoding{Mondrian: Mondrian{K: 2}, Weights: map[string]int{heavy: 3}}
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if column := golden.Columns(out.Data, heavy)[0]; column.Text(0) != "A" || column.Text(3) != "B" {
			t.Errorf("with %s of weight 3 it becomes %q and %q", heavy, column.Text(0), column.Text(3))
		}
	}
}

func TestLocalRecodingErrors(t *testing.T) {
	in := generated.Rows(t, "A3S", "A3M", "B3S")
	table := func(text string) hierarchy.Table {
		var table hierarchy.Table
		if err := table.Set(text); err != nil {
			t.Fatal(err)
		}
		return table
	}
	for _, test := range []struct {
		m    LocalRecoding
		want error
		says string
	}{
		{LocalRecoding{Mondrian: Mondrian{K: 4}}, method.ErrUnreachable, "there are 3 records"},
		{LocalRecoding{Levels: table("a,A")}, method.ErrParam, "row 1 needs a variable"},
		{LocalRecoding{Levels: table("d,A,x")}, method.ErrParam, `row 1 is for "d", which is not one of the recoded variables`},
		{LocalRecoding{Levels: table("a,A,x;a,A,y")}, method.ErrParam, `hierarchy of a: parameter "levels": rows 1 and 2`},
		{LocalRecoding{Levels: table("a,A,x,all;a,B,x,none")}, method.ErrParam, `row 2 puts "x" into "none"`},
		{LocalRecoding{Table: "a"}, method.ErrParam, `"table": the table of levels, line 1`},
		{LocalRecoding{Table: "a,A,x", Levels: table("a,A,x")}, method.ErrParam, "only one of them"},
		{LocalRecoding{Weights: map[string]int{"d": 1}}, method.ErrParam, "not one of the recoded variables"},
		{LocalRecoding{Weights: map[string]int{"a": 0}}, method.ErrParam, "from 1 to 1000"},
	} {
		if test.m.K == 0 {
			test.m.K = 2
		}
		if _, err := test.m.Apply(t.Context(), in, nil); !errors.Is(err, test.want) ||
			!strings.Contains(err.Error(), test.says) {
			t.Errorf("%+v: error %v, want one that says %s", test.m, err, test.says)
		}
	}
}

// On the reference files the loss is less than Mondrian's, even if pairs are matched in parts.
func TestLocalRecodingLosesLessThanMondrian(t *testing.T) {
	for _, test := range []struct {
		file string
		keys []string
	}{
		{"testdata", []string{"urbrur", "water", "sex", "age", "relat"}},
		{"testdata", []string{"urbrur", "roof", "walls", "water", "electcon", "relat", "sex"}},
		{"survey", generated.Keys()},
	} {
		in := generated.Rows(t, "A")
		in.Data, in.Scenario.Keys = golden.Data(t, test.file), test.keys
		for _, k := range []int{3, 2, 5, 10} {
			if k != 3 && !longtests.Wanted() {
				break
			}
			m := &LocalRecoding{Mondrian: Mondrian{K: k}}
			local, err := m.Apply(t.Context(), in, nil)
			if err != nil {
				t.Fatal(err)
			}
			cut, err := m.Mondrian.Apply(t.Context(), in, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, %d key variables, k %d: %s %q; changed %d, by Mondrian %d", test.file, len(test.keys), k,
				local.Report.Effect, local.Report.Warnings, local.Report.Changed, cut.Report.Changed)
			if n := golden.Violators(golden.Columns(local.Data, test.keys...), microdata.RuleOwnCategory, 0, k); n > 0 {
				t.Errorf("%d violators of %d", n, k)
			}
			if local.Report.Regions.Penalty >= cut.Report.Regions.Penalty {
				t.Errorf("%s, k %d: certainty lost %v, by Mondrian %v", test.file, k, local.Report.Regions.Penalty,
					cut.Report.Regions.Penalty)
			}
		}
	}
}

func BenchmarkLocalRecoding(b *testing.B) {
	for _, persons := range []int{5000, 100_000} {
		b.Run(fmt.Sprintf("rows=%d", persons), func(b *testing.B) {
			in := generated.SurveyInput(b, persons)
			for b.Loop() {
				out, err := LocalSpec().New().(*LocalRecoding).Apply(b.Context(), in, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(out.Report.Regions.Mean, "records/group")
				b.ReportMetric(100*out.Report.Regions.Penalty, "%lost")
			}
		})
	}
}
