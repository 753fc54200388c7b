package lesson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/session"
)

// State is the state of the session that answers are checked against.
type State struct {
	Original, Current measure.Set
	Data              *microdata.Dataset
	Scenario          *microdata.Scenario
	Steps             []session.StepSpec    // the applied ones
	Opened            []session.MeasureSpec // parameters set by the lesson; other measures have their defaults
	// Tables returns those of the session; nil if they cannot be evaluated.
	Tables func() []*publish.Table
}

// Value returns a figure of the session, or NaN.
func (s *State) Value(f *Figure) float64 {
	if f.Table != "" {
		return s.ofTable(f)
	}
	set := s.Current
	if f.Original {
		set = s.Original
	}
	entry := set.Find(f.Measure)
	if entry == nil || !s.asOpened(entry) {
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

// asOpened reports whether a measure was computed with the parameters set by the lesson, or with its defaults:
// with others its figures are not those that the lesson asks for.
func (s *State) asOpened(e *measure.Entry) bool {
	if e.Measure == nil {
		return true
	}
	opened := session.MeasureSpec{}
	if at := slices.IndexFunc(s.Opened, func(o session.MeasureSpec) bool { return o.Name == e.Spec.Name }); at >= 0 {
		opened = s.Opened[at]
	}
	given, err := session.DecodeMeasure(e.Spec, opened.Params)
	if err != nil {
		return false
	}
	is, err := method.Encode(e.Measure)
	want, without := method.Encode(given)
	return err == nil && without == nil && bytes.Equal(is, want)
}

// Verdict is the result of checking an answer.
type Verdict struct {
	Right bool
	Text  string
}

// Asked checks a number typed as the answer to the question of a part, counted from 0. It may be rounded, to at
// least two digits, and given in percent. What the lesson sets up must be unchanged.
func (l *Lesson) Asked(at int, text string, s *State) Verdict {
	if other := l.departure(at, s); other != "" {
		return Verdict{Text: "The question asks something else: " + other}
	}
	return l.Parts[at].asked(text, s)
}

func (p *Part) asked(text string, s *State) Verdict {
	typed, exact, ok := number(text)
	if !ok {
		return Verdict{Text: "That is not a number. Type a number such as 12, 0.025 or 2.5 %."}
	}
	want := s.Value(p.Figure)
	if math.IsNaN(want) {
		return Verdict{Text: p.lacks(s)}
	}
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
	size := "lower"
	if typed < want {
		size = "higher"
	}
	return Verdict{Text: strings.TrimSpace("No: the correct value is " + size + ". " + p.Hint)}
}

// lacks returns why there is no figure to compare with: the measure is not active, or has no such figure, which is
// an error of the lesson.
func (p *Part) lacks(s *State) string {
	if p.Figure.Table != "" {
		return fmt.Sprintf("The figure is not available: the table %s has changed, or cannot be evaluated. u undoes a change.",
			wording.Excerpt(p.Figure.Table))
	}
	entry := s.Current.Find(p.Figure.Measure)
	if entry == nil || len(entry.Values.Numbers) == 0 || !s.asOpened(entry) {
		return fmt.Sprintf("The figure is not available: activate the measure %s with m, with the parameters of the lesson.", title(p.Figure.Measure))
	}
	var names []string
	for i := range entry.Values.Numbers {
		if name := entry.Values.Numbers[i].Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return fmt.Sprintf("The lesson has an error in line %d: the measure %s has no figure %q here, but %s.", p.line,
		p.Figure.Measure, wording.Excerpt(p.Figure.Name), wording.Listed(names))
}

// title returns the title of a measure on the screen.
func title(name string) string {
	spec, _ := catalog.Measures().Find(name)
	return cmp.Or(spec.Title, name)
}

// near reports whether a typed number equals another one at the precision it was typed with.
func near(typed, want, exact float64) bool {
	if want == math.Trunc(want) && math.Abs(want) >= 1 {
		return typed == want // a count
	}
	return math.Abs(typed-want) <= min(exact*1.0001, 0.05*math.Abs(want)+1e-9)
}

// number parses the typed text, and its precision: half a unit of its last digit.
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

// Chosen checks the answer with an index.
func (p *Part) Chosen(answer int) Verdict {
	a := p.Answers[answer]
	return Verdict{a.Right, a.Because}
}

// Tried checks the exercise of a part, counted from 0. It is right if what the lesson sets up is unchanged and all
// conditions are met; otherwise the verdict says what is missing.
func (l *Lesson) Tried(at int, s *State) Verdict {
	if other := l.departure(at, s); other != "" {
		return Verdict{Text: "Not yet: " + other}
	}
	for i := range l.Parts[at].Want {
		if w := &l.Parts[at].Want[i]; !w.met(s) {
			return Verdict{Text: "Not yet: " + w.Else}
		}
	}
	return Verdict{true, l.Parts[at].Because}
}

// met reports whether the session meets a condition.
func (w *Requirement) met(s *State) bool {
	number := math.NaN()
	switch {
	case w.Rule != "":
		return s.Scenario != nil && s.Scenario.Rule == w.Rule
	case w.Step != "":
		return slices.ContainsFunc(s.Steps, w.names)
	case w.Without != "":
		return !slices.ContainsFunc(s.Steps, func(step session.StepSpec) bool { return ofMethod(step.Step, w.Without) })
	case w.Figure != nil:
		number = s.Value(w.Figure)
	case w.Categories != "":
		if column, ok := s.Data.Column(w.Categories); ok {
			number = float64(column.Categories().Occurring())
		}
	case w.Changed != "":
		number = changed(w.Changed, s)
	case w.Missing:
		number = float64(suppress.BecameMissing(s.Data, suppress.Followed(s.Scenario)).Sum())
	}
	return !math.IsNaN(number) && (w.AtMost == nil || number <= *w.AtMost) && (w.AtLeast == nil || number >= *w.AtLeast)
}

// changed returns the number of cells of a variable that differ from the original, or NaN if there is no such
// variable.
func changed(variable string, s *State) float64 {
	now, ok := s.Data.Column(variable)
	if !ok {
		return math.NaN()
	}
	cells := 0
	for row := range now.Len() {
		if was := now.Source(); was != now && was.Text(row) != now.Text(row) {
			cells += now.RecordsAt(row)
		}
	}
	return float64(cells)
}

// names reports whether a step has the wanted method and, if one is wanted, the variable.
func (w *Requirement) names(step session.StepSpec) bool {
	if !ofMethod(step.Step, w.Step) {
		return false
	}
	if w.Variable == "" {
		return true
	}
	var params any
	return json.Unmarshal(step.Params, &params) == nil && mentions(params, w.Variable)
}

// ofMethod reports whether a step has a method, or one of a family of methods.
func ofMethod(step, method string) bool {
	return step == method || strings.HasPrefix(step, method+"-")
}

// mentions reports whether a text occurs in parameters as a value or as a name.
func mentions(params any, text string) bool {
	switch p := params.(type) {
	case string:
		return p == text
	case []any:
		return slices.ContainsFunc(p, func(one any) bool { return mentions(one, text) })
	case map[string]any:
		for name, one := range p {
			if name == text || mentions(one, text) {
				return true
			}
		}
	}
	return false
}
