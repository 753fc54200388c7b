package mondrian

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// A second Mondrian, on ranges, sets and suppressed cells, labels source values again, and its loss is that of its
// labels.
func TestMondrianTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := ordered(t, generated.Random(t))
		before := in
		for _, k := range []int{2, rapid.IntRange(2, 4).Draw(t, "k")} {
			out, err := (&Mondrian{K: k}).Apply(t.Context(), in, nil)
			if err != nil {
				t.Fatal(err)
			}
			in.Data = out.Data
			after := golden.Columns(in.Data, in.Scenario.Keys...)
			if n := golden.Violators(after, microdata.RuleOwnCategory, 0, k); n > 0 {
				t.Fatalf("%d violators", n)
			}
			lost := 0.0
			for v, column := range golden.Columns(before.Data, in.Scenario.Keys...) {
				for record := range in.Data.Len() {
					checkHolds(t, column, after[v], record)
					lost += lossOf(column, after[v].Text(record))
				}
			}
			if lost /= float64(in.Data.Len() * len(after)); math.Abs(lost-out.Report.Regions.Penalty) > 1e-9 {
				t.Fatalf("the loss is said to be %v, by the labels it is %v", out.Report.Regions.Penalty, lost)
			}
		}
	})
}

// lossOf returns the share of a source variable with single letters that a label covers.
func lossOf(source *microdata.Column, label string) float64 {
	body, missing := strings.CutSuffix(label, " or missing")
	if missing {
		return 1
	}
	var occurring []string
	for i, level := range source.Categories().Levels {
		if source.Categories().Counts()[i+1] > 0 {
			occurring = append(occurring, level.Label)
		}
	}
	span := strings.Count(body, "+")
	if first, last, isRange := strings.Cut(body, "-"); isRange {
		span = slices.Index(occurring, last) - slices.Index(occurring, first)
	}
	return float64(span) / float64(max(1, len(occurring)-1))
}

// Categories merged by a recode count as the set of their sources, and stay as they are if nothing is added.
func TestMondrianOfARecode(t *testing.T) {
	in := generated.Rows(t, "AX", "AX", "BX", "BX", "CY", "DY", "EY", "EY")
	group := &recode.Group{Variable: "a", Levels: []string{"A", "B"}, Label: "north"}
	out, err := method.Apply(t.Context(), group, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	in.Data = out.Data
	if out, err = (&Mondrian{K: 4}).Apply(t.Context(), in, nil); err != nil {
		t.Fatal(err)
	}
	if got := spelled(out.Data, "a"); got != "north north north north C+D+E C+D+E C+D+E C+D+E" {
		t.Errorf("values %s", got)
	}
	// Of the five sources of a north covers two, one step of four, and the others three; b loses nothing.
	if want := (4*0.25 + 4*0.5) / 16; math.Abs(out.Report.Regions.Penalty-want) > 1e-9 {
		t.Errorf("loss %v, want %v", out.Report.Regions.Penalty, want)
	}
	in.Data = out.Data
	if out, err = (&Mondrian{K: 8}).Apply(t.Context(), in, nil); err != nil {
		t.Fatal(err)
	}
	if got := spelled(out.Data, "a"); !strings.HasPrefix(got, "A+B+C+D+E A+B+C+D+E") {
		t.Errorf("values %s", got)
	}
	if math.Abs(out.Report.Regions.Penalty-1) > 1e-9 {
		t.Errorf("one region loses %v of all", out.Report.Regions.Penalty)
	}
}

// spelled returns the cells of a variable as texts.
func spelled(data *microdata.Dataset, name string) string {
	column, _ := data.Column(name)
	cells := make([]string, data.Len())
	for record := range cells {
		cells[record] = column.Text(record)
	}
	return strings.Join(cells, " ")
}
