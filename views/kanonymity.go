package views

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// KAnonymity is the pane of violators: how many records share their key with
// fewer than k-1 others, now and in the original data.
type KAnonymity struct{ now, before violatorCurve }

var (
	_ MousePane = (*KAnonymity)(nil)
	_ Explained = (*KAnonymity)(nil)
)

// ID returns "k-anonymity".
func (*KAnonymity) ID() string { return "k-anonymity" }

// Title returns what stands in the frame.
func (*KAnonymity) Title() string { return "k-anonymity" }

func (*KAnonymity) keyMore() key.Binding { return bind("+", "greater k", "+", "=", "down", "j") }
func (*KAnonymity) keyLess() key.Binding { return bind("-", "smaller k", "-", "up", "k") }

// Keys returns the keys of the pane.
func (*KAnonymity) Keys() []key.Binding {
	return []key.Binding{bind("+/-", "k of the lists", "+", "-", "=", "up", "down", "j", "k")}
}

// HandleKey changes the k whose violators are listed.
func (p *KAnonymity) HandleKey(msg tea.KeyPressMsg, s State) Action {
	switch {
	case key.Matches(msg, p.keyMore()):
		return nextK(s, 1)
	case key.Matches(msg, p.keyLess()):
		return nextK(s, -1)
	}
	return nil
}

// nextK goes up or down in the k of the scenario.
func nextK(s State, by int) Action {
	if s.Scenario == nil || len(s.Scenario.K) == 0 {
		return nil
	}
	at := 0
	for i, k := range s.Scenario.K {
		if k == s.K {
			at = i
		}
	}
	return SetK{s.Scenario.K[max(0, min(at+by, len(s.Scenario.K)-1))]}
}

// Click chooses the k of a line.
func (*KAnonymity) Click(_, y int, s State) Action {
	if a := s.Current.Assessment; a != nil && y >= 1 && y <= len(a.Violators) {
		return SetK{a.Violators[y-1].K}
	}
	return nil
}

// Wheel changes k.
func (*KAnonymity) Wheel(lines int, s State) Action { return nextK(s, max(-1, min(1, lines))) }

// View draws one line per k of the scenario, then the violators under the
// conservative and the own-category rule, and the history.
func (p *KAnonymity) View(s State, width, height int, _ bool) string {
	now, before := s.Current.Assessment, s.Original.Assessment
	if len(s.keys()) == 0 {
		return sentence(s, "Violators are counted as soon as key variables are chosen.", width, height)
	}
	if s.NotApplicable != "" {
		return inapplicable(s, width, height)
	}
	if now == nil || before == nil || len(before.Violators) != len(now.Violators) {
		return sentence(s, s.waiting(), width, height)
	}
	form := newViolatorForm(now.Violators, before.Violators, now.Records, width-6)
	head := newLine(width, nil)
	head.right(&s.Theme.Heading, "k", 4)
	figure := form.count
	if form.percent > 0 {
		figure += form.apart + form.percent
	}
	head.gap(1)
	head.right(&s.Theme.Heading, "violators", max(figure, 0))
	head.right(&s.Theme.Heading, "original", form.size()-figure)
	lines := []string{marked(s, head)}
	for i, v := range now.Violators {
		l := newLine(width, nil)
		l.mark(&s.Theme.Key, v.K == s.K)
		l.right(&s.Theme.Strong, strconv.Itoa(v.K), 3)
		l.gap(1)
		form.put(l, s.Theme, fresh(s, riskStyle(s.Theme, v.Count, now.Records)), v.Count, before.Violators[i].Count)
		lines = append(lines, l.String())
	}
	lines = append(lines, otherRules(s, width, height-len(lines))...)
	lines = append(lines, historyLines(s, width, height-len(lines))...)
	lines = append(lines, p.curveLines(s, width, height-len(lines))...)
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// otherRules counts the violators of the screen's k under the two rules that
// say how much of the protection rests on blanks.
func otherRules(s State, width, height int) []string {
	v, ok := violatorsOf(s.Current.Assessment, s.K)
	b, _ := violatorsOf(s.Original.Assessment, s.K)
	if !ok {
		return nil
	}
	row := func(name string, now, before int) string {
		l := newLine(width, nil)
		l.left(&s.Theme.Faint, "  "+name, 15)
		p := pair{Count(now), Count(before)}
		l.pair(s.Theme, fresh(s, riskStyle(s.Theme, now, s.records())), p, pairSize{max(7, Width(p.now)), max(7, Width(p.original))})
		return l.String()
	}
	lines := []string{
		s.Theme.Faint.Render(Fit(fmt.Sprintf(" k = %d under other rules", s.K), width)),
		row("conservative", v.Conservative, b.Conservative),
		row("own category", v.OwnCategory, b.OwnCategory),
	}
	if height > len(lines) {
		lines = append([]string{""}, lines...)
	}
	return lines
}

// riskStyle returns green for none, amber up to one record in ten, red above.
func riskStyle(theme *Theme, violators, records int) *lipgloss.Style {
	switch {
	case violators == 0:
		return &theme.Low
	case 10*violators <= records:
		return &theme.Middle
	default:
		return &theme.High
	}
}

// historyLines draws the violators of the screen's k from the original data
// over every step that stands.
func historyLines(s State, width, height int) []string {
	history := violatorHistory(s)
	if len(history) < 2 || height < 1 || width < 16 {
		return nil
	}
	const label = " history "
	room := width - len(label)
	rows := max(1, min(4, height-1))
	chart := Columns(history, room, rows)
	var lines []string
	if height > rows {
		lines = append(lines, "")
	}
	for i, text := range chart {
		l := newLine(width, nil)
		name := ""
		if i == len(chart)-1 {
			name = label
		}
		l.left(&s.Theme.Faint, name, len(label))
		l.left(fresh(s, &s.Theme.Bar), text, room)
		lines = append(lines, l.String())
	}
	return lines
}

// violatorHistory returns the violators of the screen's k, first in the
// original data, then after every step that stands.
func violatorHistory(s State) []float64 {
	if s.Original.Assessment == nil {
		return nil
	}
	first, ok := violatorsOf(s.Original.Assessment, s.K)
	if !ok {
		return nil
	}
	history := []float64{float64(first.Count)}
	for _, step := range s.Steps[:max(0, min(s.Position, len(s.Steps)))] {
		if step.Violators >= 0 {
			history = append(history, float64(step.Violators))
		}
	}
	return history
}

// Figures explains the violators under each rule.
func (*KAnonymity) Figures(s State) []Figure {
	e := s.Current.Figures.Find("kanonymity")
	if e == nil || s.Original.Figures == nil || s.Current.Assessment == nil {
		return inapplicableFigures(s)
	}
	return explained(s, e, func(*measure.Value) bool { return true })
}

// alphaOf names alpha where the rule has one.
func alphaOf(s State) string {
	if s.Scenario.Alpha == 1 || s.Scenario.Rule != "default" {
		return ""
	}
	return fmt.Sprintf(" with alpha %v", s.Scenario.Alpha)
}
