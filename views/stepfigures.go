package views

import (
	"fmt"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// FigureID names a figure of a measure.
type FigureID struct {
	Measure, Name, Part string
	K                   int
}

// IdOf names a number of a measure.
func IdOf(name string, v *measure.Value) FigureID { return FigureID{name, v.Name, v.Part, v.K} }

// In returns the figure as it is in a set; nil where it is not known.
func (id FigureID) In(set measure.Set) *measure.Value {
	return set.Like(id.Measure, &measure.Value{Name: id.Name, Part: id.Part, K: id.K})
}

// StepFigure returns a figure of the data after a step of the tree, by the step's number;
// nil where it is not known.
func (s State) StepFigure(node int, id FigureID) *measure.Value {
	return id.In(s.StepFigures[node])
}

// FigureName is the name of a figure beside that of its measure.
func FigureName(v *measure.Value) string {
	switch {
	case v.Title == "" && v.K > 0:
		return fmt.Sprintf("violators of k = %d", v.K)
	case v.K > 0:
		return fmt.Sprintf("k = %d, %s", v.K, v.Title)
	}
	return v.Title
}

// axisFallbacks are the figures that the axes of the map show before somebody chooses:
// the first that is known.
var axisFallbacks = [2][]FigureID{
	{{Measure: "linkage", Name: "linkage"}, {Measure: "score", Name: "dr"},
		{Measure: "numericrisk", Name: "interval_risk", Part: "k0.05"},
		{Measure: "risk", Name: "expected_reidentifications"}, {Measure: "kanonymity", Name: "violators", K: 3}},
	{{Measure: "loss", Name: "il1s_per_cell"}, {Measure: "score", Name: "il"},
		{Measure: "tableloss", Name: "hellinger", Part: "m1"},
		{Measure: "propensity", Name: "propensity"}, {Measure: "missing", Name: "missing"}},
}

// Axis returns the figure of an axis of the map, 0 the risk and 1 the loss, and a
// value of it that tells its unit; nil where none is known.
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

// Number returns what a figure is; NaN where it is not known.
func Number(v *measure.Value) float64 {
	if v == nil {
		return math.NaN()
	}
	return v.Number
}

// HistoryOf lists a number right after each step that stands.
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

// Trial is a candidate: a step that was tried on the current data, and what measures
// tell of the data after it.
type Trial struct {
	Title    string
	Figures  measure.Set // the numbers; nil: not known yet
	Err      error
	Meanings []method.Meaning // of what it names
	Counting bool             // it is being tried
	Stale    bool             // it was tried on other data than the current ones
}
