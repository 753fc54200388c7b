package utility

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// RUMap is the risk-utility map: every state of the session and every candidate, by a figure of risk and one of
// information loss.
type RUMap struct {
	views.TablePane
	node, trial int // the point under the cursor: a trial counted from 1, or a node if trial is 0
	chosen      bool
	empty       bool // the last frame had no point
	focused     bool // the last frame had the focus
}

// NewRUMap returns the pane of the map.
func NewRUMap() *RUMap {
	p := &RUMap{TablePane: views.TablePane{PaneID: "ru-map", Heading: "Risk and information loss"}}
	p.Content, p.Explained = p.table, p.explain
	p.Actions = func() []views.KeyAction {
		count := views.Emits("c", "compute all states", views.MeasureAll{})
		if p.empty {
			return []views.KeyAction{count}
		}
		return []views.KeyAction{views.Presses("←→", "point", p.step, "left", "right", "up", "down", "h", "j", "k", "l"),
			views.EmitsFrom("enter", "go to state", p.enter), count}
	}
	return p
}

// mapPoint is a state or a candidate on the map.
type mapPoint struct {
	node, trial int
	x, y        float64
	title       string
	now         bool
}

// points returns the states and candidates with both figures, from left to right.
func (*RUMap) points(s views.State) []mapPoint {
	var points []mapPoint
	xID, _ := s.Axis(0)
	yID, _ := s.Axis(1)
	for _, n := range s.Nodes() {
		title := s.Beginning()
		if n.ID > 0 {
			title = fmt.Sprintf("step %d: %s", n.Position, n.Step.Title)
		}
		points = append(points, mapPoint{node: n.ID, x: views.Number(s.StepFigure(n.ID, xID)),
			y: views.Number(s.StepFigure(n.ID, yID)), title: title, now: n.ID == s.At()})
	}
	for i, t := range s.Trials {
		if !t.Stale {
			points = append(points, mapPoint{node: -1, trial: i + 1, x: views.Number(xID.In(t.Figures)),
				y: views.Number(yID.In(t.Figures)), title: "candidate " + t.Title})
		}
	}
	points = slices.DeleteFunc(points, func(p mapPoint) bool {
		return math.IsNaN(p.x) || math.IsInf(p.x, 0) || math.IsNaN(p.y) || math.IsInf(p.y, 0)
	})
	slices.SortStableFunc(points, func(a, b mapPoint) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	return points
}

// under returns the index of the point under the cursor, which is the current state until the user moves it.
func (p *RUMap) under(points []mapPoint) int {
	at := slices.IndexFunc(points, func(m mapPoint) bool { return m.node == p.node && m.trial == p.trial })
	if !p.chosen || at < 0 {
		at = slices.IndexFunc(points, func(m mapPoint) bool { return m.now })
	}
	return max(0, at)
}

// step goes to the next or to the previous point.
func (p *RUMap) step(msg tea.KeyPressMsg, s views.State) draw.Action {
	by, _ := draw.Stepped(msg, []int{-1, 1}, []string{"left", "up", "h", "k"}, []string{"right", "down", "l", "j"})
	return p.Wheel(by, s)
}

// enter goes to the state under the cursor, or applies the candidate.
func (p *RUMap) enter(s views.State) draw.Action {
	points := p.points(s)
	if len(points) == 0 {
		return nil
	}
	m := points[p.under(points)]
	if m.trial > 0 {
		return views.ApplyTrial{At: m.trial - 1}
	}
	return views.Jump{Node: m.node}
}

// Wheel goes from point to point.
func (p *RUMap) Wheel(lines int, s views.State) draw.Action {
	points := p.points(s)
	if len(points) == 0 {
		return nil
	}
	m := points[min(len(points)-1, max(0, p.under(points)+cmp.Compare(lines, 0)))]
	p.node, p.trial, p.chosen = m.node, m.trial, true
	return draw.Handled{}
}

// explain explains the two axes.
func (p *RUMap) explain(s views.State) []views.Figure {
	figures := []views.Figure{{Name: "Risk and information loss (risk-utility map)", Value: wording.Counted(len(p.points(s)), "point"),
		Definition: "Each state of the session is a point: risk to the right, information loss upwards. States to the lower left " +
			"are better in both; a state with another one to its lower left is dominated.",
		Formula: "the figures of both axes; X and Y in the measures pane choose them",
		Source:  "Duncan, Keller-McNulty and Stokes (2001), Disclosure risk vs. data utility: the R-U confidentiality map"}}
	for which := range 2 {
		id, v := s.Axis(which)
		for i := range s.Measures {
			if o := &s.Measures[i]; v != nil && o.Spec.Name == id.Measure && o.Current != nil {
				figures = append(figures,
					views.Explained(o.OriginalSet(), o.Current,
						func(other *measure.Value) bool { return views.IdOf(id.Measure, other) == id })...)
			}
		}
	}
	return figures
}

// View remembers whether the pane has the focus.
func (p *RUMap) View(s views.State, width, height int, focused bool) string {
	p.focused = focused
	return p.TablePane.View(s, width, height, focused)
}

// table has no rows: the map and the point under the cursor are above them.
func (p *RUMap) table(s views.State, _ int) draw.Table {
	_, x := s.Axis(0)
	_, y := s.Axis(1)
	points := p.points(s)
	p.empty = x == nil || y == nil || len(points) == 0
	switch {
	case x == nil:
		return draw.Table{Instead: "No risk figure yet: choose key variables, or activate a risk measure with m."}
	case y == nil:
		return draw.Table{Instead: "No figure of information loss yet: activate a measure with m, such as missing and suppressed cells, or information " +
			"loss of numeric variables. If one is active, press Y on its figure under Measures."}
	case p.empty:
		return draw.Table{Instead: "No state has both figures: c computes them for all states."}
	}
	at := p.under(points)
	m := points[at]
	value := func(v *measure.Value, x float64) string {
		copied := *v
		copied.Number = x
		return copied.Text()
	}
	figures := fmt.Sprintf("%s %s · %s %s", views.FigureName(x), value(x, m.x), views.FigureName(y), value(y, m.y))
	return draw.Table{Above: func(width, height int) []string {
		under := append([]string{s.Strong.Fit(" "+m.title, width)}, s.Plain.Indented(figures, 1, width)...)
		if missing := len(s.Nodes()) - countNodes(points); missing > 0 {
			under = append(under, s.Faint.Fit(" "+wording.Does(missing, "state", "have")+" no figures yet: c computes them",
				width))
		}
		return append(riskAndLoss(s, points, at, x, y, width, height-len(under), p.focused), under...)
	}}
}

func countNodes(points []mapPoint) int {
	count := 0
	for _, m := range points {
		if m.trial == 0 {
			count++
		}
	}
	return count
}

// spanOf returns the range of some values with padding at both ends, even if all are equal. Shares stay between 0
// and 1, and a figure that cannot be negative starts at 0.
func spanOf(values []float64, v *measure.Value) draw.Span {
	low, high := slices.Min(values), slices.Max(values)
	positive := low >= 0
	pad := (high - low) * 0.08
	if !(pad > 0) {
		pad = math.Max(math.Abs(low)*0.1, 0.01)
	}
	out := draw.Span{Low: low - pad, High: high + pad}
	if positive {
		out.Low = math.Max(0, out.Low)
	}
	if v.Unit == measure.Mean || v.Unit == measure.Probability {
		out.High = math.Min(1, out.High)
	}
	if !(out.High > out.Low) {
		out.Low = math.Max(0, out.High-0.1)
	}
	return out
}

// ticksOf returns the format of an axis for a figure.
func ticksOf(v *measure.Value) draw.TickText {
	if v.Unit == measure.Mean || v.Unit == measure.Probability {
		return draw.PercentTicks
	}
	return draw.AmountTicks
}

// riskAndLoss plots points in height lines, risk to the right and information loss upwards. It draws nothing on
// the smallest screens.
func riskAndLoss(s views.State, points []mapPoint, chosen int, xv, yv *measure.Value, width, height int,
	focused bool) []string {
	xs, ys := make([]float64, len(points)), make([]float64, len(points))
	for i, m := range points {
		xs[i], ys[i] = m.x, m.y
	}
	p := draw.NewPlot(spanOf(xs, xv), spanOf(ys, yv), width, height-4)
	if p == nil {
		return nil
	}
	for _, m := range points {
		sign := '●'
		switch {
		case m.trial > 0:
			sign = '+'
		case m.node == 0:
			sign = '○'
		}
		p.Mark(m.x, m.y, sign, nil)
	}
	for _, m := range points {
		if m.now {
			p.Mark(m.x, m.y, '◉', &s.Changed)
		}
	}
	here := &s.Changed
	if focused {
		here = &s.Theme.Selected
	}
	p.Mark(points[chosen].x, points[chosen].y, '◆', here)
	axis := func(name string, marks ...string) string {
		for i, text := range marks {
			marks[i] = name + "   " + text
		}
		return s.Heading.Fit(draw.Fitting(width, append(marks, name)...), width)
	}
	lines := append([]string{axis(" ↑ "+views.FigureName(yv), "◆ selected ● state + candidate", "◆ selected + candidate", "+ candidate")},
		p.Lines(s.Theme, ticksOf(xv), ticksOf(yv))...)
	return append(lines, axis(" → "+views.FigureName(xv), "○ original ◉ now"))
}
