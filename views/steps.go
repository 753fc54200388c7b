package views

import (
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// Steps is the pane of the session's history, the newest step on top, with the
// place where the session stands. Steps above it are undone.
type Steps struct {
	list     list
	position int // of the session when the cursor was last put on it
	known    bool
	stands   bool // the step under the cursor was not undone
}

var (
	_ MousePane = (*Steps)(nil)
	_ Explained = (*Steps)(nil)
)

// ID returns "steps".
func (*Steps) ID() string { return "steps" }

// Title returns what stands in the frame.
func (*Steps) Title() string { return "Steps" }

// Keys returns the keys of the pane.
func (p *Steps) Keys() []key.Binding {
	keys := append(listKeys(), keyEnter("go there"))
	if p.stands {
		keys = append(keys, keyChange(), keyRemove())
	}
	return keys
}

func keyChange() key.Binding { return bind("c", "change the step", "c") }
func keyRemove() key.Binding { return bind("d", "remove the step", "d", "delete") }

// rows returns the number of lines: the steps and the original data.
func (p *Steps) rows(s State) int { return len(s.Steps) + 1 }

// stepAt returns the position that a line stands for.
func (p *Steps) stepAt(s State, row int) int { return len(s.Steps) - row }

// follow puts the cursor on the session's position whenever that has moved.
func (p *Steps) follow(s State) {
	if !p.known || p.position != s.Position {
		p.position, p.known = s.Position, true
		p.list.at = len(s.Steps) - s.Position
	}
	step := p.stepAt(s, max(0, min(p.list.at, len(s.Steps))))
	p.stands = step > 0 && step <= s.Position
}

// HandleKey moves the cursor and goes to the step under it.
func (p *Steps) HandleKey(msg tea.KeyPressMsg, s State) Action {
	p.follow(s)
	switch {
	case p.list.move(msg, p.rows(s)):
		return Handled{}
	case key.Matches(msg, keyChange()) && p.stands:
		return EditStep{p.stepAt(s, p.list.at) - 1}
	case key.Matches(msg, keyRemove()) && p.stands:
		return RemoveStep{p.stepAt(s, p.list.at) - 1}
	case key.Matches(msg, keyEnter("")):
		p.list.clamp(p.rows(s))
		return Jump{p.stepAt(s, p.list.at)}
	}
	return nil
}

// Click puts the cursor on a line; on the cursor's line it goes there.
func (p *Steps) Click(_, y int, s State) Action {
	row := y + p.list.first
	if y < 0 || row >= p.rows(s) {
		return nil
	}
	if row == p.list.at {
		return Jump{p.stepAt(s, row)}
	}
	p.list.at = row
	return Handled{}
}

// Wheel scrolls.
func (p *Steps) Wheel(lines int, s State) Action {
	p.list.at += lines
	p.list.clamp(p.rows(s))
	return Handled{}
}

// stepSizes are the widths of the columns of the history.
type stepSizes struct{ number, title, effect, violators, change, at int }

// sizes fits the columns into a width; violators stay longer than effects, and
// those longer than the time.
func (p *Steps) sizes(s State, width int) stepSizes {
	z := stepSizes{number: len(strconv.Itoa(len(s.Steps))), violators: len("violators(") + len(strconv.Itoa(s.K)) + 2, at: 5}
	longest, count := 13, 1
	for i := range s.Steps {
		step := &s.Steps[i]
		longest = max(longest, min(64, Width(Safe(shortened(step.Title)))))
		z.effect = max(z.effect, min(34, Width(Safe(shortened(step.Effect)))))
		if step.NotApplicable {
			count = max(count, Width(noFigure))
		}
		if step.Violators >= 0 {
			count = max(count, Width(Count(step.Violators)))
			z.change = max(z.change, Width(signed(step.Change))+2)
		}
	}
	z.violators += count
	rest := func() int {
		sum := 3 + z.number
		for _, size := range []int{z.effect, z.violators, z.change, z.at} {
			if size > 0 {
				sum += size + 2
			}
		}
		return width - sum - 1
	}
	// The title gets what it needs before anything else stays.
	for _, size := range []*int{&z.at, &z.effect, &z.change, &z.violators} {
		if rest() < min(longest, 24) {
			*size = 0
		}
	}
	z.title = max(1, rest())
	if spare := z.title - longest; spare > 0 && z.effect > 0 {
		z.title -= spare / 2 // the rest of the line does not stand too far off
	}
	return z
}

// View draws one line per step and one for the original data.
func (p *Steps) View(s State, width, height int, focused bool) string {
	p.follow(s)
	sizes := p.sizes(s, width)
	var lines []string
	first, last := p.list.window(p.rows(s), height)
	for row := first; row < last; row++ {
		lines = append(lines, p.row(s, p.stepAt(s, row), sizes, focused && row == p.list.at, width))
	}
	if len(s.Steps) == 0 && height > 2 {
		lines = append(lines, s.Theme.Faint.Render(Fit("    r recodes the selected variable, K makes the file k-anonymous; nothing is final", width)))
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

func (p *Steps) row(s State, position int, z stepSizes, chosen bool, width int) string {
	theme := s.Theme
	plain, undone := &theme.Plain, position > s.Position
	switch {
	case undone:
		plain = &theme.Faint
	case position == s.Position:
		plain = &theme.Strong
	}
	l := newLine(width, cursor(theme, chosen, true))
	l.mark(&theme.Key, position == s.Position)
	l.gap(1)
	if position == 0 {
		l.gap(z.number + 1)
		l.text(plain, "original data")
		return l.String()
	}
	step := &s.Steps[position-1]
	l.right(plain, strconv.Itoa(position), z.number)
	l.gap(1)
	l.left(plain, step.Title, z.title)
	// in returns the style of a meaning, faint where the step is undone.
	in := func(style *lipgloss.Style) *lipgloss.Style {
		if undone {
			return &theme.Faint
		}
		return style
	}
	if z.effect > 0 {
		l.gap(2)
		l.left(in(effectStyle(theme, step)), step.Effect, z.effect)
	}
	p.figures(s, l, step, z, in)
	if z.at > 0 && !step.At.IsZero() {
		l.gap(2)
		l.left(&theme.Faint, step.At.Local().Format("15:04"), z.at)
	}
	if undone && l.rest() > 8 {
		l.left(&theme.Faint, "  undone", 8)
	}
	return l.String()
}

// figures appends the violators after a step and their change.
func (p *Steps) figures(s State, l *line, step *Step, z stepSizes, in func(*lipgloss.Style) *lipgloss.Style) {
	if z.violators == 0 {
		return
	}
	theme, text, change := s.Theme, "", ""
	name := "violators(" + strconv.Itoa(s.K) + ")"
	if step.NotApplicable {
		text = name + FitRight(noFigure, z.violators-len(name))
	}
	if step.Violators >= 0 {
		text = name + FitRight(Count(step.Violators), z.violators-len(name))
		if step.Change != 0 {
			change = "(" + signed(step.Change) + ")"
		}
	}
	l.gap(2)
	l.left(in(&theme.Plain), text, z.violators)
	if z.change == 0 {
		return
	}
	style := &theme.Low
	if step.Change > 0 {
		style = &theme.High
	}
	l.gap(2)
	l.right(in(style), change, z.change)
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
	p.list.clamp(p.rows(s))
	position := p.stepAt(s, p.list.at)
	if position > 0 && s.Steps[position-1].NotApplicable {
		return inapplicableFigures(State{NotApplicable: "PRAM has been applied to a key variable"})
	}
	if position == 0 || s.Steps[position-1].Violators < 0 {
		return nil
	}
	step := s.Steps[position-1]
	return []Figure{{
		Name:  "Violators of " + strconv.Itoa(s.K) + "-anonymity after step " + strconv.Itoa(position),
		Value: Count(step.Violators) + " (" + signed(step.Change) + ")",
		Definition: "Records that violate " + strconv.Itoa(s.K) + "-anonymity right after the step, under the rule of the scenario; " +
			"in brackets the change against the step before.",
		Formula: "number of records with f < " + strconv.Itoa(s.K),
		Values:  []string{Safe(shortened(step.Title)), Safe(shortened(step.Effect))},
		Source:  sourceSwee + "; " + sourceGuide,
	}}
}
