package panes

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/views"
	dataview "github.com/sdcdesk/sdcdesk/views/data"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/pages"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
	"github.com/sdcdesk/sdcdesk/views/viewtest/nasty"
)

// nastyData draws a dataset with labels and names that are hard to display.
func nastyData(t *rapid.T) *microdata.Dataset {
	n := rapid.IntRange(0, 25).Draw(t, "records")
	columns := make([]*microdata.Column, rapid.IntRange(0, 6).Draw(t, "variables"))
	for i := range columns {
		name := fmt.Sprint(rapid.SampledFrom(nasty.Labels).Draw(t, "name"), i)
		if rapid.Bool().Draw(t, "number") {
			numbers := &microdata.Numbers{Values: make([]float64, n), Decimals: uint8(rapid.IntRange(0, 3).Draw(t, "decimals"))}
			for r := range n {
				numbers.Values[r] = rapid.SampledFrom([]float64{0, 1, -2.5, 123456789, 1e15, math.NaN(), 0.125}).Draw(t, "value")
			}
			columns[i] = microdata.NewNumeric(name, microdata.Number, numbers)
			continue
		}
		columns[i] = microdata.NewCategorical(name, microdata.Category, nastyCategories(t, n))
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func nastyCategories(t *rapid.T, n int) *microdata.Categories {
	labels := rapid.SliceOfNDistinct(rapid.SampledFrom(nasty.Labels), 0, 8, rapid.ID[string]).Draw(t, "labels")
	c := &microdata.Categories{Levels: make([]microdata.Level, len(labels)), Codes: microdata.NewCodes(n, len(labels)),
		Ordered: rapid.Bool().Draw(t, "ordered")}
	for i, label := range labels {
		c.Levels[i] = microdata.Level{Label: label, Value: math.NaN()}
	}
	for r := range n {
		c.Codes.Set(r, uint32(rapid.IntRange(0, len(labels)).Draw(t, "code")))
	}
	return c
}

// nastyState draws a state with such data, some cells suppressed, with or without figures.
func nastyState(t *rapid.T) views.State {
	data := nastyData(t)
	scenario := microdata.NewScenario()
	scenario.Rule = rapid.SampledFrom(microdata.Rules()).Draw(t, "rule")
	scenario.Alpha = rapid.SampledFrom([]float64{0, 0.7, 1}).Draw(t, "alpha")
	current := data
	for i, column := range data.Columns() {
		if i > 0 && column.Kind() == microdata.Number && rapid.Bool().Draw(t, "household") {
			scenario.Household = column.Name()
			continue
		}
		if rapid.Bool().Draw(t, "key") {
			scenario.Keys = append(scenario.Keys, column.Name())
			cells := microdata.NewBits(data.Len())
			for r := range data.Len() {
				if rapid.IntRange(0, 4).Draw(t, "suppress") == 0 {
					cells.Set(r)
				}
			}
			current = current.With(column.Suppress(cells))
		}
	}
	s := views.State{File: rapid.SampledFrom(nasty.Labels).Draw(t, "file"), Scenario: &scenario,
		K:        rapid.SampledFrom([]int{2, 3, 5, 7}).Draw(t, "k"),
		Original: views.Version{Data: data}, Current: views.Version{Data: current},
		Selected: views.Selection{Record: rapid.IntRange(-1, data.Len()).Draw(t, "record")},
		Look:     draw.Look{Theme: nastyTheme(t), Stale: rapid.Bool().Draw(t, "stale")}, Now: time.Now}
	if len(scenario.Keys) > 0 {
		s.Selected.Variable = rapid.SampledFrom(scenario.Keys).Draw(t, "variable")
	}
	if rapid.Bool().Draw(t, "figures") {
		s.Original, _ = viewtest.Measured(data, &scenario)
		s.Current, _ = viewtest.Measured(current, &scenario)
	}
	for range rapid.IntRange(0, 4).Draw(t, "steps") {
		s.Steps = append(s.Steps, nastyStep(t))
	}
	s.Position = rapid.IntRange(0, len(s.Steps)).Draw(t, "position")
	return s
}

func nastyTheme(t *rapid.T) *draw.Theme {
	return draw.NewTheme(rapid.Bool().Draw(t, "dark"), rapid.Bool().Draw(t, "colour"))
}

func nastyStep(t *rapid.T) views.Step {
	bound := 3
	step := views.Step{Title: rapid.SampledFrom(nasty.Labels).Draw(t, "title"),
		Effect:    rapid.SampledFrom(nasty.Labels).Draw(t, "effect"),
		Violators: rapid.IntRange(-1, 1_000_000).Draw(t, "violators"), Change: rapid.IntRange(-1000, 1000).Draw(t, "change")}
	if rapid.Bool().Draw(t, "suppression") {
		step.Report = &method.Report{Suppression: &method.Suppression{Total: 5, Price: 4, Bound: &bound}}
		step.At = time.Unix(1e9, 0)
	}
	return step
}

func everyPane(s views.State) []views.Pane {
	panes := append(All(), pages.NewRecord(max(0, s.Selected.Record)), pages.NewRecord(1<<30),
		pages.NewInspector(s.Selected.Variable), dataview.NewRecords(s.Selected.Variable, 1))
	return panes
}

var someKeys = []string{"up", "down", "left", "right", "home", "end", "pgup", "pgdown", "enter", "esc", "s", "/", "g",
	"a", "=", "1", "+", "-", "G", "宽", "'"}

// Whatever the data, the size and the keys, a pane has exactly its size, consists of text and styles, and never
// panics.
func TestPanesHaveExactlyTheirSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := nastyState(t)
		width, height := rapid.IntRange(1, 220).Draw(t, "width"), rapid.IntRange(1, 50).Draw(t, "height")
		if rapid.Bool().Draw(t, "small") {
			width, height = 1+width%30, 1+height%6
		}
		keys := rapid.SliceOfN(rapid.SampledFrom(someKeys), 0, 8).Draw(t, "keys")
		for _, pane := range everyPane(s) {
			what := pane.ID()
			viewtest.CheckFrame(t, what, pane.View(s, width, height, true), width, height)
			for _, name := range keys {
				viewtest.Apply(&s, pane.HandleKey(draw.Press(name), s))
				if seeker, ok := pane.(views.Seeker); ok {
					for piece := seeker.Seek(s); piece != nil; piece = seeker.Seek(s) {
						piece(context.Background(), time.Second)()
					}
				}
				viewtest.CheckFrame(t, what+" after "+name, pane.View(s, width, height, false), width, height)
			}
			viewtest.Apply(&s, pane.Click(width/2, height/2, s))
			viewtest.Apply(&s, pane.Wheel(3, s))
			for _, figure := range pane.Figures(s) {
				if figure.Name == "" || figure.Value == "" || figure.Definition == "" || figure.Source == "" {
					t.Fatalf("%s: a figure is not explained: %+v", what, figure)
				}
			}
			box := draw.Box(s.Theme, 3, pane.TitleFor(s), pane.View(s, max(0, width-2), max(0, height-2), true), width, height,
				true)
			viewtest.CheckFrame(t, "box of "+what, box, width, height)
		}
		viewtest.CheckFrame(t, "risk line", views.RiskLine(s, width), width, 1)
		viewtest.CheckFrame(t, "what-if", views.WhatIfBlock(s, nastyWhatIf(t, s), width, height), width, height)
	})
}

func nastyWhatIf(t *rapid.T, s views.State) views.WhatIf {
	answer := whatif.Answer{Pending: rapid.Bool().Draw(t, "pending"), NeedPending: rapid.Bool().Draw(t, "need old")}
	w := views.WhatIf{Answer: answer, NeedK: rapid.IntRange(0, 3).Draw(t, "need k"),
		Hint: rapid.SampledFrom(nasty.Labels).Draw(t, "hint")}
	if rapid.Bool().Draw(t, "known") {
		w.WhatIf = &whatif.Result{Figures: s.Original.Figures,
			Elapsed: time.Duration(rapid.IntRange(0, 1e9).Draw(t, "elapsed"))}
	}
	if rapid.Bool().Draw(t, "needs") {
		w.Need = &method.Suppression{Total: 131,
			Cells: method.Counts{{Name: rapid.SampledFrom(nasty.Labels).Draw(t, "variable"), Count: 97}, {Name: "b", Count: 0}}}
	}
	return w
}

func TestFramesOfEverySizeOfTheSurvey(t *testing.T) {
	for position := range 4 {
		s := viewtest.SurveyAt(t, position)
		for _, pane := range everyPane(s) {
			for width := 1; width < 130; width += 7 {
				for height := 1; height < 40; height += 6 {
					viewtest.CheckFrame(t, pane.ID(), pane.View(s, width, height, true), width, height)
				}
			}
		}
		for width := 1; width < 100; width++ {
			viewtest.CheckFrame(t, "risk line", views.RiskLine(s, width), width, 1)
		}
	}
}
