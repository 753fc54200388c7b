package lesson

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/session"
)

// State is what answers are checked by.
type State struct {
	Original, Current measure.Set
	Data              *microdata.Dataset
	Scenario          *microdata.Scenario
	Steps             []session.StepSpec // that stand
}

// Value returns a figure of the session; NaN where it does not have it.
func (s *State) Value(f *Figure) float64 {
	set := s.Current
	if f.Original {
		set = s.Original
	}
	entry := set.Find(f.Measure)
	if entry == nil {
		return math.NaN()
	}
	if f.Record > 0 {
		for c, column := range entry.Columns() {
			if figure := entry.Values.Record(c); column.Name == f.Name && figure != nil {
				return figure(f.Record - 1)
			}
		}
		return math.NaN()
	}
	if v := entry.Value(f.Name, f.K); v != nil {
		return v.Number
	}
	return math.NaN()
}

// Verdict is what is said of an answer.
type Verdict struct {
	Right bool
	Text  string
}

// Asked judges a number that was typed as the answer to a question. It may be rounded, to
// two digits at least, and given in percent.
func (p *Part) Asked(text string, s *State) Verdict {
	typed, exact, ok := number(text)
	if !ok {
		return Verdict{Text: "That is no number: type one such as 12, .025 or 2.5 %."}
	}
	want := s.Value(p.Figure)
	if near(typed, want, exact) {
		return Verdict{true, p.Because}
	}
	for _, m := range p.Wrong {
		value := math.NaN()
		switch {
		case m.Value != nil:
			value = *m.Value
		case m.Figure != nil:
			value = s.Value(m.Figure)
		}
		if near(typed, value, exact) {
			return Verdict{Text: m.Because}
		}
	}
	size := "too many, or too much"
	if typed < want {
		size = "too few, or too little"
	}
	return Verdict{Text: strings.TrimSpace("Not so: " + size + ". " + p.Hint)}
}

// near reports whether a typed number is another one, as exactly as it was typed.
func near(typed, want, exact float64) bool {
	if want == math.Trunc(want) && math.Abs(want) >= 1 {
		return typed == want // a count
	}
	return math.Abs(typed-want) <= min(exact*1.0001, 0.05*math.Abs(want)+1e-9)
}

// number reads what was typed, and how exactly: half a unit of its last digit.
func number(text string) (x, exact float64, ok bool) {
	text = strings.ReplaceAll(strings.TrimSpace(text), ",", "")
	bare, percent := strings.CutSuffix(text, "%")
	bare = strings.TrimSpace(bare)
	x = microdata.LabelNumber(bare)
	if strings.HasPrefix(bare, ".") {
		x = microdata.LabelNumber("0" + bare)
	}
	_, decimals, _ := strings.Cut(bare, ".")
	exact = 0.5 * math.Pow10(-len(decimals))
	if percent {
		x, exact = x/100, exact/100
	}
	return x, exact, !math.IsNaN(x)
}

// Chosen judges the answer of a number from 0.
func (p *Part) Chosen(answer int) Verdict {
	a := p.Answers[answer]
	return Verdict{a.Right, a.Because}
}

// Tried judges what the session is now: right where all that is wanted is so, else it
// says what is not.
func (p *Part) Tried(s *State) Verdict {
	for i := range p.Want {
		if w := &p.Want[i]; !w.met(s) {
			return Verdict{Text: "Not yet: " + w.Else}
		}
	}
	return Verdict{true, p.Because}
}

// met reports whether the session meets a condition.
func (w *Want) met(s *State) bool {
	number := math.NaN()
	switch {
	case w.Rule != "":
		return s.Scenario != nil && s.Scenario.Rule == w.Rule
	case w.Step != "":
		return slices.ContainsFunc(s.Steps, w.names)
	case w.Figure != nil:
		number = s.Value(w.Figure)
	case w.Categories != "":
		if column, ok := s.Data.Column(w.Categories); ok {
			number = float64(column.Categories().Occurring())
		}
	case w.Suppressed:
		number = float64(suppress.SuppressedCells(s.Data, suppress.Followed(s.Scenario)).Sum())
	}
	return !math.IsNaN(number) && (w.AtMost == nil || number <= *w.AtMost) && (w.AtLeast == nil || number >= *w.AtLeast)
}

// names reports whether a step is of the method, and of the variable where one is wanted.
func (w *Want) names(step session.StepSpec) bool {
	if step.Step != w.Step && !strings.HasPrefix(step.Step, w.Step+"-") {
		return false
	}
	if w.Variable == "" {
		return true
	}
	var params any
	if json.Unmarshal(step.Params, &params) != nil {
		return false
	}
	return strings.Contains(fmt.Sprint(params), w.Variable)
}
