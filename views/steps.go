package views

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// Steps is the pane of the session's history, the newest step on top, with the
// place where the session stands. Steps above it are undone.
type Steps struct {
	tablePane
	position int  // of the session when the cursor was last put on it; -1: never yet
	stands   bool // the step under the cursor was not undone
}

// NewSteps returns the pane of the session's history.
func NewSteps() *Steps {
	p := &Steps{tablePane: tablePane{id: "steps", title: "Steps", enter: "go there"}, position: -1}
	p.content, p.acts = p.table, p.keys
	return p
}

// keys are those of a step that stands.
func (p *Steps) keys() []act {
	if !p.stands {
		return nil
	}
	return []act{
		{bind("c", "change the step", "c"), func(_ tea.KeyPressMsg, s State) Action { return EditStep{p.stepAt(s, p.cursor.At) - 1} }},
		{bind("d", "remove the step", "d", "delete"), func(_ tea.KeyPressMsg, s State) Action { return RemoveStep{p.stepAt(s, p.cursor.At) - 1} }},
	}
}

// stepAt returns the position that a line stands for: the newest step stands
// first, the original data, 0, last.
func (p *Steps) stepAt(s State, row int) int { return len(s.Steps) - row }

// follow puts the cursor on the session's position whenever that has moved.
func (p *Steps) follow(s State) {
	if p.position != s.Position {
		p.position = s.Position
		p.cursor.At = len(s.Steps) - s.Position
	}
	p.cursor.clamp(len(s.Steps) + 1)
	step := p.stepAt(s, p.cursor.At)
	p.stands = step > 0 && step <= s.Position
}

// table has one row per step and one for the original data.
func (p *Steps) table(s State, _ int) Table {
	p.follow(s)
	count := 1
	for i := range s.Steps {
		count = max(count, Width(stepViolators(&s.Steps[i])))
	}
	return Table{
		Columns: []Column{
			{Kind: Values, Size: 1},
			{Size: len("original data"), Most: 64, Least: 24},
			{Most: 34, Rank: 3},
			{Rank: 1},
			{Kind: Values, Rank: 2},
			{Rank: 4},
			{Rank: 5},
		},
		Rows:   len(s.Steps) + 1,
		Row:    func(row int) []Cell { return stepCells(s, p.stepAt(s, row), count) },
		Indent: 2,
		Marked: func(row int) bool { return p.stepAt(s, row) == s.Position },
		Foot: func(width, _ int) []string {
			if len(s.Steps) > 0 {
				return nil
			}
			return []string{s.Theme.Faint.Render(Fit("    r recodes the selected variable, K makes the file k-anonymous; nothing is final", width))}
		},
		Open: func(row int) Action { return Jump{p.stepAt(s, row)} },
	}
}

// stepCells returns number, title, effect, violators in so many cells, their
// change, time, and whether the step is undone.
func stepCells(s State, position, count int) []Cell {
	theme, undone := s.Theme, position > s.Position
	// in returns the style of a meaning, faint where the step is undone.
	in := func(style *lipgloss.Style) *lipgloss.Style {
		if undone {
			return &theme.Faint
		}
		return style
	}
	plain := in(&theme.Plain)
	if position == s.Position {
		plain = &theme.Strong
	}
	if position == 0 {
		return []Cell{{}, {Text: "original data", Style: plain}, {}, {}, {}, {}, {}}
	}
	step, change := &s.Steps[position-1], &theme.Low
	if step.Change > 0 {
		change = &theme.High
	}
	cells := []Cell{
		{Text: strconv.Itoa(position), Style: plain},
		{Text: step.Title, Style: plain},
		{Text: step.Effect, Style: in(effectStyle(theme, step))},
		{Style: in(&theme.Plain)},
		{Style: in(change)},
		{Style: &theme.Faint},
		{Style: &theme.Faint},
	}
	if violators := stepViolators(step); violators != "" {
		cells[3].Text = "violators(" + strconv.Itoa(s.K) + ") " + FitRight(violators, count)
	}
	if step.Violators >= 0 && step.Change != 0 {
		cells[4].Text = "(" + signed(step.Change) + ")"
	}
	if !step.At.IsZero() {
		cells[5].Text = step.At.Local().Format("15:04")
	}
	if undone {
		cells[6].Text = "undone"
	}
	return cells
}

// stepViolators spells the violators after a step; "" where they are not known.
func stepViolators(step *Step) string {
	switch {
	case step.Violators >= 0:
		return Count(step.Violators)
	case step.NotApplicable:
		return noFigure
	}
	return ""
}

// effectStyle returns the colour of what a step did: suppressed cells or other
// changes.
func effectStyle(theme *Theme, step *Step) *lipgloss.Style {
	if step.Report != nil && step.Report.Suppression != nil {
		return &theme.Suppressed
	}
	return &theme.Changed
}

// noFigure stands where a figure does not apply.
const noFigure = "n/a"

// signed spells a change with its sign; the minus is a true one.
func signed(n int) string {
	switch {
	case n < 0:
		return "−" + Count(-n)
	case n > 0:
		return "+" + Count(n)
	default:
		return "0"
	}
}

// Figures explains the violators after the step under the cursor.
func (p *Steps) Figures(s State) []Figure {
	p.follow(s)
	position := p.stepAt(s, p.cursor.At)
	if position > 0 && s.Steps[position-1].NotApplicable {
		return inapplicableFigures(State{NotApplicable: "PRAM has been applied to a key variable"})
	}
	if position == 0 {
		return nil
	}
	step := &s.Steps[position-1]
	var figures []Figure
	if step.Violators >= 0 {
		figures = append(figures, Figure{
			Name:  "Violators of " + strconv.Itoa(s.K) + "-anonymity after step " + strconv.Itoa(position),
			Value: Count(step.Violators) + " (" + signed(step.Change) + ")",
			Definition: "Records that violate " + strconv.Itoa(s.K) + "-anonymity right after the step, under the rule of the scenario; " +
				"in brackets the change against the step before.",
			Formula: "number of records with f < " + strconv.Itoa(s.K),
			Values:  []string{Safe(shortened(step.Title)), Safe(shortened(step.Effect))},
			Source:  measure.SourceSwee + "; " + measure.SourceGuide,
		})
	}
	step.Figures.Shown(measure.History, func(e *measure.Entry, v *measure.Value) {
		figure := e.Measure.Explain(measure.What{Value: *v, Values: &e.Values})
		if figure.Name == "" {
			return
		}
		figure.Name += " after step " + strconv.Itoa(position)
		figure.Values = append(figure.Values, "after each step: "+historyOf(s, e.Spec.Name, v))
		figures = append(figures, figure)
	})
	return figures
}

// historyOf lists a number right after each step that stands.
func historyOf(s State, name string, of *measure.Value) string {
	var texts []string
	for i := range s.Steps[:max(0, min(s.Position, len(s.Steps)))] {
		text := "–"
		if v := s.Steps[i].Figures.Value(name, of.Name, of.K); v != nil {
			text = v.Text()
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "  ")
}
