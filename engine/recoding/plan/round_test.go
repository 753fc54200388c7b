package plan

import (
	"math"
	"strconv"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// A first round of little work computes few points, of which one is suppression alone;
// its progress is half done when all is tried, however much that was, and then follows
// the points.
func TestShortFirstRound(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"sex", "age", "educ", "ethnic"}
	s, err := New(t.Context(), generated.Survey(t, 600, 3, scenario.Keys...), &scenario, Options{K: 3, Work: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var meter progress.Meter
	meter.Start(2 * int64(s.options.Work))
	if err := s.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 12 {
		if work, err := s.expand(t.Context(), s.next(), &meter); err != nil || work < 5*s.options.Work ||
			meter.Fraction() > 0.5 {
			t.Fatalf("error %v; after %d of %d the progress is %v", err, work, s.options.Work, meter.Fraction())
		}
	}
	before := meter.Fraction()
	chosen := s.far()
	if err := s.evaluate(t.Context(), chosen, &meter); err != nil || meter.Fraction() < before+0.45 {
		t.Errorf("error %v; after %d points the progress is %v", err, len(chosen), meter.Fraction())
	}
	frontier := s.frontier()
	if most := DefaultPoints / 3; len(chosen) > most || len(frontier) < 2 || frontier[0].Recodes != 0 {
		t.Errorf("%d points computed, at most %d were wanted; %d on the frontier", len(chosen), most, len(frontier))
	}
}

// Categories without records that lie between those of a group go along, where the
// order counts.
func TestGroupsTakeWhatLiesBetween(t *testing.T) {
	for ordered, want := range map[bool]int{true: 3, false: 2} {
		levels := []microdata.Level{{Label: "low"}, {Label: "middle"}, {Label: "high"}}
		v := newVariable(microdata.NewCategorical("c", microdata.Category,
			&microdata.Categories{Levels: levels, Codes: microdata.CodesOf([]uint32{1, 3, 3}), Ordered: ordered}), false)
		steps := v.byGroups(v.list[v.all])
		taken := []string{"low", "middle", "high", "low+high", "low+middle+high"}
		if m := steps[0].Method.(*recode.Group); v.labelOf(m, taken, true) != "group 2" {
			t.Errorf("ordered %v: the label %q is taken", ordered, v.labelOf(m, taken, true))
		}
		if m := steps[0].Method.(*recode.Group); len(steps) != 1 || len(m.Levels) != want {
			t.Errorf("ordered %v: %q", ordered, m.Levels)
		}
	}
}

// Whole numbers that are too large for one more to be another number are cut where
// their groups end.
func TestIntervalsOfLargeNumbers(t *testing.T) {
	for _, first := range []float64{1 << 53, 1<<60 + 1<<20, -1<<54 - 64} {
		var levels []microdata.Level
		var codes []uint32
		for i := range 6 {
			value := first + float64(i)*math.Abs(math.Nextafter(first, math.Inf(1))-first)
			levels = append(levels, microdata.Level{Label: strconv.FormatFloat(value, 'f', -1, 64), Value: value})
			codes = append(codes, uint32(i+1))
		}
		column := microdata.NewCategorical("c", microdata.Whole, &microdata.Categories{Levels: levels,
			Codes: microdata.CodesOf(codes), Ordered: true})
		v := newVariable(column, false)
		for _, labels := range [][]uint32{{0, 1, 2, 2, 3, 3, 3}, {0, 1, 1, 2, 2, 3, 3}} {
			id := v.intern(labels)
			made, err := v.recodes(id)
			if err != nil || len(made.steps) != 1 || v.intern(made.mapping) != id {
				t.Errorf("%v from %v: %+v, error %v", labels, first, made, err)
			}
		}
	}
}
