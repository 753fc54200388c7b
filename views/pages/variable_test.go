package pages

import (
	"math"
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// Current values are matched with the original ones: numbers by value however they are spelled, words and numbers
// that became words by label.
func TestValuesAreMatchedWithTheOriginal(t *testing.T) {
	numbers := func(values ...float64) *profile.Values {
		v := &profile.Values{}
		for _, x := range values {
			v.All = append(v.All, profile.Value{Label: draw.FigureText(x), Number: x})
		}
		return v
	}
	words := func(labels ...string) *profile.Values {
		v := &profile.Values{}
		for _, label := range labels {
			v.All = append(v.All, profile.Value{Label: label, Number: math.NaN()})
		}
		return v
	}
	for i, c := range []struct {
		now, before *profile.Values
		want        []int32
	}{
		{numbers(1, 3, 7), numbers(0, 1, 2, 3), []int32{1, 3, -1}},
		{words("b", "a or c", "d"), words("d", "a", "b", "c"), []int32{2, -1, 0}},
		{words(draw.FigureText(2), "other"), numbers(1, 2), []int32{1, -1}},
		{numbers(1, 2), words(draw.FigureText(2)), []int32{-1, 0}},
		{numbers(1), numbers(), []int32{-1}},
		{numbers(1), nil, nil},
	} {
		if got := matched(c.now, c.before); !slices.Equal(got, c.want) {
			t.Errorf("case %d: %v, want %v", i, got, c.want)
		}
	}
}

// Weights are offered if the scenario has one.
func TestInspectorOffersWeights(t *testing.T) {
	s := viewtest.SurveyAt(t, 0)
	bare := s.Scenario.Clone()
	bare.Weight = ""
	for _, scenario := range []*microdata.Scenario{s.Scenario, &bare} {
		p := NewInspector("age")
		s.Scenario = scenario
		viewtest.Sees(t, p, s, 120, 30)
		offered := slices.ContainsFunc(p.Keys(), func(b key.Binding) bool { return key.Matches(draw.Press("w"), b) })
		if offered != (scenario.Weight != "") {
			t.Errorf("with the weight %q, w is offered: %v", scenario.Weight, offered)
		}
	}
}

// Requested weights are shown however narrow the table is.
func TestWeightsThatAreAskedForAreShown(t *testing.T) {
	s := viewtest.SurveyAt(t, 3)
	p := NewValues("age")
	frame := func(width int) string { return viewtest.Sees(t, p, s, width, 20) }
	if got := frame(22); strings.Contains(got, "weighted") {
		t.Errorf("records gave way to weights that nobody asked for: %s", got)
	}
	viewtest.Typing(p, &s, "w")
	for _, width := range []int{22, 34, 60, 90} {
		if got := frame(width); !strings.Contains(got, " weighted ") {
			t.Errorf("%d cells: %s", width, got)
		}
	}
}
