package recoding

import (
	"math"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// wholeColumn returns an integer variable with the given values.
func wholeColumn(t *testing.T, values ...float64) *microdata.Column {
	t.Helper()
	column := microdata.NewNumeric("age", microdata.Whole, &microdata.Numbers{Values: values})
	return column
}

func ages(t *testing.T) *breaks {
	var values []float64
	for age := range 99 {
		for range age%3 + 1 {
			values = append(values, float64(age))
		}
	}
	values = append(values, math.NaN())
	return newBreaks(wholeColumn(t, values...))
}

func TestEqualWidthsOfAgesAreDecades(t *testing.T) {
	b := ages(t)
	want := []float64{9, 19, 29, 39, 49, 59, 69, 79, 89}
	if !slices.Equal(b.upper, want) {
		t.Errorf("upper ends %v, want %v", b.upper, want)
	}
	m := b.method("age")
	if m.Breaks[0] != -1 || m.Breaks[len(m.Breaks)-1] != 98 {
		t.Errorf("breaks %v do not include every value", m.Breaks)
	}
}

func TestCountsOfIntervalsAreThoseOfRecords(t *testing.T) {
	b := ages(t)
	b.set([]float64{4, 14, 64})
	sum := 0
	for i := range b.intervals() {
		sum += b.count(i)
	}
	if want := b.below[len(b.below)-1]; sum != want {
		t.Errorf("intervals hold %d records, want %d", sum, want)
	}
	if got, want := b.count(0), 1+2+3+1+2; got != want {
		t.Errorf("0-4 holds %d records, want %d", got, want)
	}
}

func TestMovingAnEndStopsAtItsNeighbours(t *testing.T) {
	b := ages(t)
	b.set([]float64{4, 14, 24})
	b.at = 1
	b.move(3)
	if b.upper[1] != 17 {
		t.Errorf("moved to %v, want 17", b.upper[1])
	}
	b.move(100)
	if b.upper[1] != 23 {
		t.Errorf("moved to %v, want 23, before the next end", b.upper[1])
	}
	b.move(-100)
	if b.upper[1] != 23 {
		t.Errorf("a move past the end before was carried out: %v", b.upper)
	}
}

// A label stays with its interval when an end moves, except one with digits, which applies only to its bounds.
func TestEditedLabelStaysWithItsInterval(t *testing.T) {
	b := ages(t)
	b.set([]float64{4, 14})
	b.labels[b.span(0)] = "infants"
	if got := b.method("age").Labels; !slices.Equal(got, []string{"infants", "5-14", "15+"}) {
		t.Errorf("labels %q", got)
	}
	b.at = 0
	if lost := b.move(1); lost != "" {
		t.Errorf("the label %q is lost", lost)
	}
	if got := b.method("age").Labels; !slices.Equal(got, []string{"infants", "6-14", "15+"}) {
		t.Errorf("after moving the end the labels are %q", got)
	}
	b.labels[b.span(2)] = "15+"
	b.at = 1
	if lost := b.move(1); lost != "15+" {
		t.Errorf("the label that is lost is %q", lost)
	}
	if got := b.method("age").Labels; !slices.Equal(got, []string{"infants", "6-15", "16+"}) {
		t.Errorf("labels %q", got)
	}
	b.move(-1)
	if got := b.method("age").Labels; !slices.Equal(got, []string{"infants", "6-14", "15+"}) {
		t.Errorf("labels %q", got)
	}
}

func TestAddAndRemoveEnds(t *testing.T) {
	b := ages(t)
	b.set([]float64{50})
	b.add()
	if len(b.upper) != 2 || b.upper[0] != 24 || b.upper[1] != 50 {
		t.Errorf("adding an end gave %v", b.upper)
	}
	b.remove()
	if !slices.Equal(b.upper, []float64{50}) {
		t.Errorf("removing it gave %v", b.upper)
	}
	b.remove()
	b.remove()
	b.add()
	if len(b.upper) != 1 {
		t.Errorf("an end can be added to a single interval: %v", b.upper)
	}
}

func TestTopAndBottomJoinWhatLiesBeyond(t *testing.T) {
	b := ages(t)
	b.set([]float64{4, 14, 64, 80})
	b.at = 2
	b.top()
	if !slices.Equal(b.upper, []float64{4, 14, 64}) {
		t.Errorf("top gave %v", b.upper)
	}
	b.at = 1
	b.bottom()
	if !slices.Equal(b.upper, []float64{14, 64}) {
		t.Errorf("bottom gave %v", b.upper)
	}
}

func TestBreaksOfOneValue(t *testing.T) {
	b := newBreaks(wholeColumn(t, 7, 7))
	b.add()
	b.move(5)
	b.remove()
	for _, way := range []string{recode.ByEqualAmounts, recode.ByEqualWidths, recode.ByLogarithms, roundWidths} {
		b.make(way, 4)
	}
	if len(b.upper) != 0 || b.count(0) != 2 {
		t.Errorf("ends %v, %d records", b.upper, b.count(0))
	}
}

// Values of an interval that is left out become missing, and are counted.
func TestLeavingOutTheEnds(t *testing.T) {
	b := ages(t)
	b.set([]float64{4, 14, 64})
	b.at = 1
	if b.leaveOut() == "" {
		t.Error("an interval in the middle can be left out")
	}
	b.at = 0
	first, last := b.count(0), b.count(3)
	if hint := b.leaveOut(); hint != "" || b.outside() != first {
		t.Errorf("%q, %d records outside", hint, b.outside())
	}
	b.at = 3
	b.leaveOut()
	m := b.method("age")
	if !slices.Equal(m.Breaks, []float64{4, 14, 64}) || m.IncludeLowest || b.outside() != first+last {
		t.Errorf("breaks %v, %d records outside", m.Breaks, b.outside())
	}
	again := ages(t)
	again.setBreaks(recode.Cut{Breaks: m.Breaks}, []string{"youth", "work"})
	if !again.withoutFirst || !again.withoutLast || !slices.Equal(again.upper, b.upper) {
		t.Errorf("the dialog opens with %v, %v and %v", again.upper, again.withoutFirst, again.withoutLast)
	}
	if got := again.method("age").Labels; !slices.Equal(got, []string{"youth", "work"}) {
		t.Errorf("the dialog opens with the labels %q", got)
	}
	b.labels[b.span(1)] = "youth"
	if got := b.method("age").Labels; !slices.Equal(got, []string{"youth", "15-64"}) {
		t.Errorf("labels %q", got)
	}
	b.make(recode.ByEqualWidths, 5)
	if b.outside() != 0 || b.intervals() != 5 {
		t.Errorf("%d intervals, %d records outside", b.intervals(), b.outside())
	}
}

// The outer intervals are open for other files, unless they are left out or begin at a natural minimum; opened
// again, the breaks are the same.
func TestOuterIntervalsAreOpen(t *testing.T) {
	for _, c := range []struct {
		values        []float64
		without, want string
		labels        []string
	}{
		{[]float64{0, 4, 14, 70}, "", recode.OpenAbove, []string{"0-4", "5-14", "15+"}},
		{[]float64{1, 4, 14, 70}, "", recode.OpenAbove, []string{"1-4", "5-14", "15+"}},
		{[]float64{3, 4, 14, 70}, "", recode.OpenBoth, []string{"<=4", "5-14", "15+"}},
		{[]float64{3, 4, 14, 70}, "first", recode.OpenAbove, []string{"5-14", "15+"}},
		{[]float64{3, 4, 14, 70}, "last", recode.OpenBelow, []string{"<=4", "5-14"}},
	} {
		column := wholeColumn(t, c.values...)
		b := newBreaks(column)
		b.set([]float64{4, 14})
		b.withoutFirst, b.withoutLast = c.without == "first", c.without == "last"
		m := b.method("age")
		cut, err := m.Cut(column)
		if err != nil {
			t.Fatal(err)
		}
		if got := cut.Labels(true); m.Open != c.want || !slices.Equal(got, c.labels) {
			t.Errorf("%v without %q: open %s, labels %q", c.values, c.without, m.Open, got)
		}
		again := newBreaks(column)
		again.setBreaks(cut, nil)
		if !slices.Equal(again.upper, b.upper) || again.withoutFirst != b.withoutFirst || again.withoutLast != b.withoutLast {
			t.Errorf("%v without %q: opened again the ends are %v", c.values, c.without, again.upper)
		}
	}
}

func TestCommasPartEndsWhereTheyAreNoDecimalPoints(t *testing.T) {
	b := ages(t)
	b.whole = false
	ends, err := b.readEnds("1,5 7", false)
	if err != nil || !slices.Equal(ends, []float64{1, 5, 7}) {
		t.Errorf("without decimal commas the ends are %v: %v", ends, err)
	}
}

// More and fewer intervals of round widths change the number of intervals, even if the next number has the same
// width.
func TestResizedRoundWidths(t *testing.T) {
	d := &recodeIntervals{breaks: ages(t), classes: 8, way: roundWidths}
	for _, more := range []bool{true, false, false} {
		was := d.breaks.intervals()
		if d.resize(map[bool]int{true: 1, false: -1}[more]); (d.breaks.intervals() > was) != more || d.breaks.intervals() == was {
			t.Errorf("more: %v, %d intervals become %d", more, was, d.breaks.intervals())
		}
	}
}

// If breaks belong to the upper interval, it has the records with that value; intervals of integers do not change,
// and the step counts like the rows.
func TestEndsOfTheUpperInterval(t *testing.T) {
	b := ages(t)
	b.set([]float64{4, 14, 97})
	labels, _ := b.allLabels()
	counts := func() (all []int) {
		for i := range b.intervals() {
			all = append(all, b.count(i))
		}
		return all
	}
	before := counts()
	b.flip()
	after, _ := b.allLabels()
	if !slices.Equal(b.upper, []float64{5, 15, 98}) || !slices.Equal(counts(), before) || !slices.Equal(labels, after) {
		t.Errorf("ends %v, records %v, labels %q", b.upper, counts(), after)
	}
	for _, whole := range []bool{true, false} {
		b.whole = whole
		b.set([]float64{5, 15, 50})
		m := b.method("age")
		r, err := m.Regroup(method.Input{}, b.column)
		if err != nil || !m.RightOpen {
			t.Fatalf("%+v: %v", m, err)
		}
		for i, level := range r.Table() {
			if level.Count != b.count(i) {
				t.Errorf("%s has %d records, the row %d", level.Name, level.Count, b.count(i))
			}
		}
		again := ages(t)
		cut, err := m.Cut(b.column)
		if again.setBreaks(cut, nil); err != nil || !again.lower || !slices.Equal(again.upper, b.upper) {
			t.Errorf("opened again: %v, %v", again.upper, err)
		}
	}
}

// Breaks and labels of an earlier recode outside the present values are dropped.
func TestBreaksOfOtherValues(t *testing.T) {
	b := ages(t)
	b.setBreaks(recode.Cut{Breaks: []float64{-1, 49, 199, 499}}, []string{"young", "old", "oldest"})
	if len(b.labels) != 0 || b.withoutLast || !slices.Equal(b.upper, []float64{49}) {
		t.Errorf("upper ends %v, labels %v", b.upper, b.labels)
	}
}

// The ends before the selected one are shown as far as there is room.
func TestEndsInSight(t *testing.T) {
	d := &recodeIntervals{breaks: ages(t)}
	for at, want := range map[int]int{0: 0, 8: 3} {
		d.breaks.at = at
		if got := d.firstEnd(34); got != want {
			t.Errorf("about the end %d from %d on, want %d", at, got, want)
		}
	}
}

// The records that change are counted, and the largest change includes values that become lower.
func TestChangesOfRounding(t *testing.T) {
	data, err := microdata.NewDataset([]*microdata.Column{wholeColumn(t, 11, 12, 14, 21, 30)})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	s := views.State{Scenario: &scenario, Current: views.Version{Data: data}}
	var p preview
	m := &recode.Round{Variable: "age", Base: 10}
	p.look(s, dialogs.StepOf("recode-round", m), m, s.Current.Column("age"))
	if p.changes != "4 records (80.0 %) change, each by at most 4" || len(p.levels) != 3 {
		t.Errorf("%q, %v", p.changes, p.levels)
	}
}

// Arrow keys move a threshold along the values that occur, and remove it at their end.
func TestThresholdMovesAlongTheValues(t *testing.T) {
	column := wholeColumn(t, 1, 4, 9, 20)
	var number *float64
	label := ""
	for _, c := range []struct {
		by   int
		want float64 // 0: none
	}{{-1, 9}, {-1, 4}, {1, 9}, {5, 0}, {-9, 1}} {
		moveThreshold(column, true, &number, &label, c.by)
		if c.want == 0 && number != nil || c.want > 0 && (number == nil || *number != c.want) {
			t.Fatalf("moved by %d to %v, want %v", c.by, number, c.want)
		}
	}
}

// A recode by intervals counts until its variable is reset.
func TestEarlierIntervals(t *testing.T) {
	intervals := views.Step{Name: "recode-intervals", Params: []byte(`{"variable":"age","breaks":[0,10,20]}`)}
	other := views.Step{Name: "recode-intervals", Params: []byte(`{"variable":"income","breaks":[0,5]}`)}
	s := views.State{Position: 2,
		Steps: []views.Step{intervals, other, {Name: "reset", Params: []byte(`{"variable":"age"}`)}}}
	if earlier := earlierIntervals(s, "age"); earlier == nil || len(earlier.Breaks) != 3 {
		t.Errorf("%+v", earlier)
	}
	if s.Position = 3; earlierIntervals(s, "age") != nil {
		t.Error("a recode stands that was taken back")
	}
}
