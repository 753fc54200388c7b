package views

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Steps is the pane of the session's history, the newest step on top, with the
// place where the session stands.
type Steps struct {
	list     list
	position int // of the session when the cursor was last put on it
	known    bool
}

var _ MousePane = (*Steps)(nil)

// ID returns "steps".
func (*Steps) ID() string { return "steps" }

// Title returns what stands in the frame.
func (*Steps) Title() string { return "Steps" }

// Keys returns the keys of the pane.
func (*Steps) Keys() []key.Binding {
	return append(listKeys(), bind("enter", "go there", "enter"))
}

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
}

// HandleKey moves the cursor and goes to the step under it.
func (p *Steps) HandleKey(msg tea.KeyPressMsg, s State) Action {
	p.follow(s)
	if p.list.move(msg.String(), p.rows(s)) {
		return Handled{}
	}
	if msg.String() == "enter" {
		return Jump{p.stepAt(s, p.list.at)}
	}
	return nil
}

// Click puts the cursor on a line; on the cursor's line it goes there.
func (p *Steps) Click(_, y int, s State) Action {
	row := y + p.list.first
	if row >= p.rows(s) {
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

// View draws one line per step and one for the original data.
func (p *Steps) View(s State, width, height int, focused bool) string {
	p.follow(s)
	var lines []string
	first, last := p.list.window(p.rows(s), height)
	for row := first; row < last; row++ {
		lines = append(lines, p.row(s, p.stepAt(s, row), focused && row == p.list.at, width))
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

func (p *Steps) row(s State, position int, chosen bool, width int) string {
	mark := "  "
	if position == s.Position {
		mark = "▸ "
	}
	text := mark + "  original data"
	if position > 0 {
		text = p.stepText(s, mark, position, width)
	}
	style := s.Theme.Plain
	switch {
	case chosen:
		style = s.Theme.Selected
	case position > s.Position:
		style = s.Theme.Faint
	case position == s.Position:
		style = s.Theme.Strong
	}
	return style.Render(Fit(text, width))
}

// stepText lays out number, title, effect, violators and time.
func (p *Steps) stepText(s State, mark string, position, width int) string {
	step := s.Steps[position-1]
	text := mark + fmt.Sprintf("%d ", position)
	right := ""
	if step.Violators >= 0 {
		right = fmt.Sprintf("violators(%d) %s", s.K, Count(step.Violators))
		if step.Change != 0 {
			right += " (" + signed(step.Change) + ")"
		}
	}
	right = Fit(right, 32)
	if !step.At.IsZero() && width >= 90 {
		right += step.At.Local().Format("15:04")
	}
	if position > s.Position {
		right = "undone  " + right
	}
	space := width - Width(text) - Width(right) - 1
	if space < 16 {
		return text + step.Title
	}
	title, effect := space, 0
	if space > 60 {
		effect = min(34, space/3)
		title = space - effect
	}
	text += Fit(step.Title, title)
	if effect > 0 {
		text += Fit(" "+step.Effect, effect)
	}
	return text + " " + right
}

// signed spells a change with its sign; the minus is a true one.
func signed(n int) string {
	if n < 0 {
		return "−" + Count(-n)
	}
	return "+" + Count(n)
}
