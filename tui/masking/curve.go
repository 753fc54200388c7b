package masking

import (
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	numericview "github.com/sdcdesk/sdcdesk/views/numeric"
)

// curve is risk and information loss over the strength parameter.
type curve struct {
	spec  method.Spec
	data  *microdata.Dataset // the data that steps are tried on
	of    session.StepSpec   // the step of the fields that the grades were made from
	param string             // name of the strength parameter; "": the method has none
	label string
	rows  []grade
	note  string
	known map[string]stepResult // results by step
	took  time.Duration         // total time of the steps tried
	count int                   // number of these
}

// grade is a step with a value of the strength parameter.
type grade struct {
	value string
	now   bool // the value in the fields
	step  session.StepSpec
}

// stepResult is the result of a step on all records; nil if it is not possible.
type stepResult struct{ figures *tradeoff.Figures }

// mostKnown is the number of results above which all are discarded.
const mostKnown = 400

func keyOf(step session.StepSpec) string { return step.Step + string(step.Params) }

// follow makes the grades of a step, if it is another one. If searches is set, the grades are the initial
// solutions of the search.
func (c *curve) follow(m method.Method, step session.StepSpec, searches bool) {
	if step.Same(c.of) && step.Seed == c.of.Seed && c.rows != nil {
		return
	}
	c.of, c.rows, c.note = step, nil, ""
	grades := c.spec.Grades(m)
	if c.param = grades.Param; c.param == "" || step.Problem != nil {
		return
	}
	for _, value := range within(grades) {
		g, label, ok := c.made(m, step, value, searches)
		if !ok {
			c.param, c.rows = "", nil
			return
		}
		if g.now = value == grades.Now; g.now && !searches {
			g.step = step
		}
		c.label, c.rows = label, append(c.rows, g)
	}
	if searches {
		c.note = "before any search"
	}
}

// made returns the step with another value of the parameter.
func (c *curve) made(m method.Method, step session.StepSpec, value string, searches bool) (g grade, label string, ok bool) {
	m = method.Clone(m)
	for _, p := range m.Params() {
		switch {
		case p.Name == c.param:
			label = p.Label()
			if p.Value.Set(value) != nil {
				return g, "", false
			}
		case p.Name == "iterations" && searches:
			_ = p.Value.Set("0") // 0 is always valid
		}
	}
	g = grade{value: value, step: dialogs.StepOf(step.Step, m)}
	g.step.Seed = step.Seed
	return g, label, g.step.Problem == nil
}

// within returns the values, including that of the fields.
func within(g method.Grades) []string {
	now, err := method.ParseNumber(g.Now)
	if slices.Contains(g.Values, g.Now) {
		return g.Values
	}
	if err != nil {
		return append([]string{g.Now}, g.Values...)
	}
	number := func(text string) float64 {
		x, _ := method.ParseNumber(text)
		return x
	}
	falling := number(g.Values[0]) > number(g.Values[1])
	at := slices.IndexFunc(g.Values, func(text string) bool { return (number(text) > now) != falling })
	if at < 0 {
		at = len(g.Values)
	}
	return slices.Insert(slices.Clone(g.Values), at, g.Now)
}

// on sets the data of the curve; results on other data are discarded.
func (c *curve) on(data *microdata.Dataset) {
	if c.data != data || len(c.known) > mostKnown {
		c.data, c.known, c.took, c.count = data, map[string]stepResult{}, 0, 0
	}
}

// wanted returns the first step that was not tried, or nil. The step of the fields is last, so that the others
// continue while a held key changes its value.
func (c *curve) wanted() *session.StepSpec {
	var last *session.StepSpec
	for i := range c.rows {
		if _, ok := c.known[keyOf(c.rows[i].step)]; ok {
			continue
		}
		if !c.rows[i].now {
			return &c.rows[i].step
		}
		last = &c.rows[i].step
	}
	return last
}

// take stores the result of a step.
func (c *curve) take(step session.StepSpec, figures *tradeoff.Figures, took time.Duration) {
	if c.known == nil {
		return
	}
	c.known[keyOf(step)] = stepResult{figures}
	if took > 0 {
		c.took, c.count = c.took+took, c.count+1
	}
}

// drawn returns the curve to draw; once is the estimated time per grade, used until one was tried.
func (c *curve) drawn(once time.Duration) *numericview.Curve {
	out := &numericview.Curve{Param: c.label, Note: c.note}
	if c.data != nil {
		out.Records = c.data.Records()
	}
	if c.count > 0 {
		once = c.took / time.Duration(c.count)
	}
	for _, g := range c.rows {
		found, ok := c.known[keyOf(g.step)]
		out.Grades = append(out.Grades, numericview.Grade{Value: g.value, Now: g.now, Figures: found.figures,
			Refused: ok && found.figures == nil})
		if !ok {
			out.Left += once
		}
	}
	return out
}

// figures returns the known figures of the grades, except that of the fields.
func (c *curve) figures() (known []*tradeoff.Figures) {
	for _, g := range c.rows {
		if found := c.known[keyOf(g.step)]; found.figures != nil && !g.now {
			known = append(known, found.figures)
		}
	}
	return known
}
