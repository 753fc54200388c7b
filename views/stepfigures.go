package views

import (
	"fmt"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// FigureID identifies a figure of a measure.
type FigureID struct {
	Measure, Name, Part string
	K                   int
}

// IdOf returns the ID of a figure of a measure.
func IdOf(name string, v *measure.Value) FigureID { return FigureID{name, v.Name, v.Part, v.K} }

// In returns the figure with this ID in a set, or nil if it is unknown.
func (id FigureID) In(set measure.Set) *measure.Value {
	return set.Like(id.Measure, &measure.Value{Name: id.Name, Part: id.Part, K: id.K})
}

// StepFigure returns a figure of the data after the step with a node ID, or nil if it is unknown.
func (s State) StepFigure(node int, id FigureID) *measure.Value {
	return id.In(s.StepFigures[node])
}

// FigureName returns the name of a figure, to be shown with the name of its measure.
func FigureName(v *measure.Value) string {
	switch {
	case v.Title == "" && v.K > 0:
		return fmt.Sprintf("violators of k = %d", v.K)
	case v.K > 0:
		return fmt.Sprintf("k = %d, %s", v.K, v.Title)
	}
	return v.Title
}

// axisFallbacks are the default figures of the two axes of the map; the first known one is shown.
var axisFallbacks = [2][]FigureID{
	{{Measure: "linkage", Name: "linkage"}, {Measure: "score", Name: "dr"},
		{Measure: "numericrisk", Name: "interval_risk", Part: "k0.05"},
		{Measure: "risk", Name: "expected_reidentifications"}, {Measure: "kanonymity", Name: "violators", K: 3}},
	{{Measure: "loss", Name: "il1s_per_cell"}, {Measure: "score", Name: "il"},
		{Measure: "tableloss", Name: "hellinger", Part: "m1"},
		{Measure: "propensity", Name: "propensity"}, {Measure: "missing", Name: "missing"}},
}

// Axis returns the figure of an axis of the map, 0 for risk and 1 for information loss, with a value that has its
// unit, or nil if none is known.
func (s State) Axis(which int) (FigureID, *measure.Value) {
	ids := axisFallbacks[which]
	if chosen := s.Axes[which]; chosen != (FigureID{}) {
		ids = []FigureID{chosen}
	}
	for _, id := range ids {
		for _, set := range s.StepFigures {
			if v := id.In(set); v != nil {
				return id, v
			}
		}
	}
	return s.Axes[which], nil
}

// Number returns the number of a figure, NaN if v is nil.
func Number(v *measure.Value) float64 {
	if v == nil {
		return math.NaN()
	}
	return v.Number
}

// HistoryOf lists a figure after each applied step.
func HistoryOf(s State, name string, of *measure.Value) string {
	var texts []string
	for i := range s.Standing() {
		text := "–"
		if v := s.Steps[i].Figures.Like(name, of); v != nil {
			text = v.Text()
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "  ")
}

// Trial is a candidate: a step tried on the current data, with the figures of the result.
type Trial struct {
	Title    string
	Figures  measure.Set // nil if not known yet
	Err      error
	Meanings []method.Meaning // labels of what the title names
	Counting bool             // it is being tried
	Stale    bool             // it was tried on earlier data
}
