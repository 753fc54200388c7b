package utility

import (
	"math"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// The axes have padding at both ends, even if all values are equal; shares stay between 0 and 100 %, and figures
// that are not negative start at 0 or above.
func TestAxesOfTheMap(t *testing.T) {
	amount, share := &measure.Value{}, &measure.Value{Unit: measure.Mean}
	for _, c := range []struct {
		values    []float64
		of        *measure.Value
		low, high float64
	}{
		{[]float64{10, 20}, amount, 9.2, 20.8},
		{[]float64{5, 5, 5}, amount, 4.5, 5.5},
		{[]float64{0}, amount, 0, 0.01},
		{[]float64{-4, -4}, amount, -4.4, -3.6},
		{[]float64{0.5, 1}, share, 0.46, 1},
		{[]float64{1, 1}, share, 0.9, 1},
		{[]float64{0, 0}, share, 0, 0.01},
	} {
		got := spanOf(c.values, c.of)
		if math.Abs(got.Low-c.low) > 1e-12 || math.Abs(got.High-c.high) > 1e-12 {
			t.Errorf("%v: from %v to %v, want %v to %v", c.values, got.Low, got.High, c.low, c.high)
		}
		for _, x := range c.values {
			if at := got.Place(x, 20); at < 0 || at > 19 {
				t.Errorf("%v: %v is at %d", c.values, x, at)
			}
		}
		if at, texts := got.Ticks(ticksOf(c.of), 5); len(at) != len(texts) || len(at) == 0 {
			t.Errorf("%v: ticks %v", c.values, texts)
		}
	}
}

// The map has exactly its size; the cursor goes from point to point, and enter goes to the state under it.
func TestMapOfStates(t *testing.T) {
	s := viewtest.SurveyAt(t, 2)
	entry := func(name string, v measure.Value) measure.Set {
		return measure.Set{{Spec: measure.Spec{Name: name, Title: name}, Values: measure.Values{Numbers: []measure.Value{v}}}}
	}
	copied := func(risk, loss float64) measure.Set {
		return entry("linkage", measure.Value{Name: "linkage", Title: "distance-based linkage", Unit: measure.Mean, Number: risk}).
			With(entry("loss", measure.Value{Name: "il1s_per_cell", Title: "IL1s per cell", Number: loss}))
	}
	s.Tree = []views.Node{{ID: 0, Stands: true}, {ID: 1, Position: 1, Stands: true, Current: true,
		Step: views.Step{Title: "first"}}, {ID: 2, Position: 2, Stands: true, Current: true,
		Step: views.Step{Title: "second"}}}
	s.StepFigures = map[int]measure.Set{0: copied(0.9, 0), 1: copied(0.5, 0.2)}
	p := NewRUMap()
	for width := 1; width <= 130; width += 3 {
		for height := 1; height <= 40; height += 3 {
			checkSize(t, p.View(s, width, height, true), width, height)
		}
	}
	if frame := p.View(s, 70, 20, true); !strings.Contains(frame, "1 state has no figures yet") || !strings.Contains(frame,
		"step 1: first") || !strings.Contains(frame, "50.0 %") || !strings.Contains(frame, "◆ selected ● state") {
		t.Error(frame)
	}
	p.HandleKey(tea.KeyPressMsg{Code: tea.KeyRight}, s)
	if frame := p.View(s, 70, 20, true); !strings.Contains(frame, "original data") {
		t.Error(frame)
	}
	if action := p.HandleKey(tea.KeyPressMsg{Code: tea.KeyEnter}, s); action != (views.Jump{Node: 0}) {
		t.Errorf("enter does %v", action)
	}
}

func checkSize(t *testing.T, frame string, width, height int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != height {
		t.Fatalf("%d lines at %d x %d", len(lines), width, height)
	}
	for _, line := range lines {
		if draw.Width(line) != width {
			t.Fatalf("a line of %d cells at %d x %d: %q", draw.Width(line), width, height, line)
		}
	}
}
