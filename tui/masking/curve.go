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

// curve is risk and loss over the parameter that says how much is masked.
type curve struct {
	spec  method.Spec
	data  *microdata.Dataset // that the steps are tried on
	of    session.StepSpec   // the step of the fields that the grades were made from
	param string             // its name; "": the method has none
	label string
	rows  []grade
	note  string
	known map[string]tried // by step
	took  time.Duration    // of all that were tried
	count int              // of these
}

// grade is a step with a value of the parameter.
type grade struct {
	value string
	now   bool // it is that of the fields
	step  session.StepSpec
}

// tried is what a step gave on all records; nil: it cannot be made.
type tried struct{ figures *tradeoff.Figures }

// mostKnown is the number of steps above which what was tried is forgotten.
const mostKnown = 400

func keyOf(step session.StepSpec) string { return step.Step + string(step.Params) }

// follow makes the grades of a step anew where it is another one. searches says that the
// method searches: its grades are what it begins with.
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
			_ = p.Value.Set("0") // it can always be 0
		}
	}
	g = grade{value: value, step: dialogs.StepOf(step.Step, m)}
	g.step.Seed = step.Seed
	return g, label, g.step.Problem == nil
}

// within returns the values with that of the fields among them.
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

// on makes the curve one of the data; what was tried on others is forgotten.
func (c *curve) on(data *microdata.Dataset) {
	if c.data != data || len(c.known) > mostKnown {
		c.data, c.known, c.took, c.count = data, map[string]tried{}, 0, 0
	}
}

// wanted returns the first step that was not tried, that of the fields last: while its
// value is changed by a held key the others go on. nil: none.
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

// take keeps what a step gave.
func (c *curve) take(step session.StepSpec, figures *tradeoff.Figures, took time.Duration) {
	if c.known == nil {
		return
	}
	c.known[keyOf(step)] = tried{figures}
	if took > 0 {
		c.took, c.count = c.took+took, c.count+1
	}
}

// drawn returns the curve to draw; once is how long one grade takes, about, where none was
// tried yet.
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

// figures are those of the grades that are known, but for that of the fields.
func (c *curve) figures() (known []*tradeoff.Figures) {
	for _, g := range c.rows {
		if found := c.known[keyOf(g.step)]; found.figures != nil && !g.now {
			known = append(known, found.figures)
		}
	}
	return known
}
