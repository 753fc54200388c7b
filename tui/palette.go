package tui

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// commandPalette finds a command by its name. Commands that cannot be used now
// stand there too, with the reason.
type commandPalette struct {
	reading
	entries []paletteEntry
	shown   []int // places of the entries that match what was typed, the best first
	input   *views.TextField
	at      int
	list    rowsShown
}

type paletteEntry struct {
	name, keys, reason string
	words              []string // that it is found by besides its name
	command            func() tea.Cmd
}

// filter keeps the entries that what was typed can stand for, the best first.
func (p *commandPalette) filter() {
	p.shown = p.shown[:0]
	scores := make([]int, len(p.entries))
	for i := range p.entries {
		score, matches := likeness(p.input.Text(), p.entries[i].name, p.entries[i].words)
		if scores[i] = score; matches {
			p.shown = append(p.shown, i)
		}
	}
	slices.SortStableFunc(p.shown, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	p.at = 0
}

// likeness says whether every typed word can stand for the name or is the
// beginning of one of the other words, and how well: the beginning of a word
// counts more than its middle, and that more than letters that only follow each
// other somewhere.
func likeness(typed, name string, others []string) (score int, matches bool) {
	name = strings.ToLower(name)
	for word := range strings.FieldsSeq(strings.ToLower(typed)) {
		switch at := strings.Index(name, word); {
		case at == 0 || at > 0 && name[at-1] == ' ':
			score += 3
		case at > 0 || slices.ContainsFunc(others, func(other string) bool { return strings.HasPrefix(other, word) }):
			score += 2
		case follows(word, name):
		default:
			return 0, false
		}
	}
	return score, true
}

// follows reports whether the letters of a word stand in the name in their
// order.
func follows(word, name string) bool {
	for _, r := range word {
		at := strings.IndexRune(name, r)
		if at < 0 {
			return false
		}
		name = name[at+len(string(r)):]
	}
	return true
}

func (p *commandPalette) Title() string { return "Commands" }

func (p *commandPalette) Typing() bool { return true }

func (p *commandPalette) Keys() []key.Binding {
	return []key.Binding{bind("↑↓", "choose", "up", "down"), bind("enter", "do it", "enter"), bind("esc", "close", "esc")}
}

func (p *commandPalette) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	switch pressed := msg.String(); pressed {
	case "esc":
		return Close{}
	case "up", "down", "pgup", "pgdown":
		p.at = moved(p.at, len(p.shown), pressed)
	case "enter":
		return p.do()
	default:
		before := p.input.Text()
		if p.input.Handle(msg); p.input.Text() != before {
			p.filter()
		}
	}
	return Stay{}
}

// do carries out the command under the cursor, if it can be used.
func (p *commandPalette) do() Effect {
	if len(p.shown) > 0 && p.entries[p.shown[p.at]].reason == "" {
		return Call{Command: p.entries[p.shown[p.at]].command}
	}
	return Stay{}
}

// Click carries out a command.
func (p *commandPalette) Click(x, y int, _ views.State) Effect {
	place, ok := p.list.at(x, y)
	if !ok {
		return Stay{}
	}
	p.at = place
	return p.do()
}

func (p *commandPalette) View(s views.State, width, height int) string {
	theme := s.Theme
	lines := []string{theme.Key.Render(": ") + p.input.View(theme, max(1, width-2)), ""}
	rows := max(1, height-len(lines))
	first := window(p.at, len(p.shown), rows)
	p.list = rowsShown{top: len(lines), first: first, rows: min(rows, len(p.shown)-first), width: width}
	for i := first; i < min(len(p.shown), first+rows); i++ {
		lines = append(lines, p.row(theme, p.entries[p.shown[i]], i == p.at, width))
	}
	if len(p.shown) == 0 {
		lines = append(lines, theme.Faint.Render(views.Fit(" no command is called like this", width)))
	}
	return strings.Join(lines, "\n")
}

func (p *commandPalette) row(theme *views.Theme, entry paletteEntry, chosen bool, width int) string {
	name, style := entry.name, theme.Plain
	if entry.reason != "" {
		name, style = name+" — "+entry.reason, theme.Faint
	}
	if chosen {
		style = theme.Selected
	}
	return style.Render(views.Fit(" "+name, max(1, width-11))) + theme.Key.Render(views.FitRight(entry.keys, min(10, width)))
}
