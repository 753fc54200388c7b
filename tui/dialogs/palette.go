package dialogs

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/glossary"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Palette finds a command by its name. Commands that cannot be used now are listed with the reason.
type Palette struct {
	Narrow
	heading string // "": Commands
	entries []PaletteEntry
	shown   []int // indices of the entries that match the typed text, the best first
	input   *draw.TextField
	at      int
	list    RowsShown
}

// NewPalette opens a palette; the default heading is that of commands.
func NewPalette(heading string, entries []PaletteEntry) *Palette {
	p := &Palette{heading: heading, entries: entries, input: draw.NewTextField("")}
	p.filter()
	return p
}

// PaletteEntry is one command of the palette. If Reason is set, it cannot be used now.
type PaletteEntry struct {
	Name, Keys, Reason string
	Words              []string // further words and phrases to find it
	Related            []string // likewise, but ranked after entries found by Words
	Term               bool     // explains a term: ranked after commands that match equally well
	Recent             int      // among equal matches the highest comes first; 0: not chosen yet
	Command            func()
}

// filter keeps the entries that match the typed text, the best first. Entries in which only the letters occur in
// that order are kept if there are no others.
func (p *Palette) filter() {
	p.shown = p.shown[:0]
	scores := make([]int, len(p.entries))
	var loose []int
	for i := range p.entries {
		entry := &p.entries[i]
		score, matches := likeness(p.input.Text(), entry.Name, entry.Words)
		if scores[i] = score; entry.Term {
			scores[i] -= beginning - 1
		}
		if score == 0 && p.input.Text() != "" {
			score, matches = likeness(p.input.Text(), entry.Name, slices.Concat(entry.Words, entry.Related))
			scores[i] = score - beginning
		}
		switch {
		case matches && (score > 0 || p.input.Text() == ""):
			p.shown = append(p.shown, i)
		case matches:
			loose = append(loose, i)
		}
	}
	if len(p.shown) == 0 {
		p.shown = loose
	}
	slices.SortStableFunc(p.shown, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(p.entries[b].Recent, p.entries[a].Recent))
	})
	p.at = 0
}

// beginning is the score of a word in the name that begins with the typed word.
const beginning = 4

// likeness reports whether every typed word matches the name or the beginning of one of the other words, and how
// well: the beginning of a word counts more than its middle, and that more than letters that only occur in that
// order.
func likeness(typed, name string, others []string) (score int, matches bool) {
	name = strings.ToLower(name)
	for word := range strings.FieldsSeq(strings.ToLower(typed)) {
		switch at := strings.Index(name, word); {
		case at == 0 || at > 0 && name[at-1] == ' ':
			score += beginning
		case phraseWith(others, func(other string) bool { return other == word }) != "":
			score += 3
		case at > 0 || phraseWith(others, func(other string) bool { return strings.HasPrefix(other, word) }) != "":
			score += 2
		case follows(word, name):
		default:
			return 0, false
		}
	}
	return score, true
}

// phraseWith returns the first phrase with a matching word, or "".
func phraseWith(phrases []string, is func(word string) bool) string {
	for _, phrase := range phrases {
		for word := range strings.FieldsSeq(phrase) {
			if is(word) {
				return phrase
			}
		}
	}
	return ""
}

// foundBy returns the phrase that an entry was found by, or "" if its name matches.
func (e *PaletteEntry) foundBy(typed string) string {
	name := strings.ToLower(e.Name)
	for word := range strings.FieldsSeq(strings.ToLower(typed)) {
		if !strings.Contains(name, word) {
			return phraseWith(slices.Concat(e.Words, e.Related), func(other string) bool { return strings.HasPrefix(other, word) })
		}
	}
	return ""
}

// matching shows the phrase that an entry was found by.
func matching(phrase string) string { return ` · matches "` + phrase + `"` }

// Synonyms returns the synonyms in the literature of the terms in a text, in lower case.
func Synonyms(text string) (all []string) {
	for _, term := range glossary.In(text) {
		all = append(all, Lower(term.Synonyms)...)
	}
	return all
}

// Lower joins lists of phrases in lower case.
func Lower(lists ...[]string) []string {
	all := slices.Concat(lists...)
	for i := range all {
		all[i] = strings.ToLower(all[i])
	}
	return all
}

// follows reports whether the letters of a word occur in the name in that order.
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

// Title returns the heading.
func (p *Palette) Title() string { return cmp.Or(p.heading, "Commands") }

// Typing returns true, because letters are always text here.
func (p *Palette) Typing() bool { return true }

// Keys returns the keys that choose a command.
func (p *Palette) Keys() []key.Binding {
	return []key.Binding{draw.Bind("↑↓", "move", "up", "down"), draw.Bind("enter", "choose"), draw.Bind("esc", "close")}
}

// HandleKey types, chooses, or executes.
func (p *Palette) HandleKey(msg tea.KeyPressMsg, _ views.State) draw.Action {
	switch pressed := msg.String(); pressed {
	case "esc":
		return Close{}
	case "up", "down", "pgup", "pgdown":
		p.at = Moved(p.at, len(p.shown), pressed)
	case "enter":
		return p.do()
	default:
		before := p.input.Text()
		if p.input.Handle(msg); p.input.Text() != before {
			p.filter()
		}
	}
	return nil
}

// do executes the command under the cursor, if it can be used.
func (p *Palette) do() draw.Action {
	if len(p.shown) > 0 && p.entries[p.shown[p.at]].Reason == "" {
		return Call(p.entries[p.shown[p.at]].Command)
	}
	return nil
}

// Click executes a command.
func (p *Palette) Click(x, y int, _ views.State) draw.Action {
	place, ok := p.list.At(x, y)
	if !ok {
		return nil
	}
	p.at = place
	return p.do()
}

// View draws the typed text and the commands found.
func (p *Palette) View(s views.State, width, height int) string {
	theme := s.Theme
	lines := []string{theme.Key.Render(": ") + p.input.View(theme, max(1, width-2)), ""}
	reason := p.reason(theme, width)
	if height < len(lines)+len(reason)+3 {
		reason = nil
	}
	p.list = RowsShown{}
	if n := len(p.shown); n > 0 {
		rows, shown := InSight(theme, n, p.at, width, height-len(lines)-len(reason), func(i int) string {
			return p.row(theme, p.entries[p.shown[i]], i == p.at, width)
		}, nil)
		shown.Top += len(lines)
		p.list, lines = shown, append(lines, rows...)
	}
	if len(p.shown) == 0 {
		lines = append(lines, theme.Faint.Fit(" no matching command", width))
	}
	return strings.Join(append(lines, reason...), "\n")
}

// reason shows in full why the entry under the cursor cannot be chosen, if its row has no room for that.
func (p *Palette) reason(theme *draw.Theme, width int) []string {
	if len(p.shown) == 0 {
		return nil
	}
	if entry := p.entries[p.shown[p.at]]; entry.Reason != "" && draw.Width(entry.Name+entry.Reason)+4 > width-11 {
		return theme.Faint.Append([]string{""}, draw.Safe(entry.Reason), width)
	}
	return nil
}

func (p *Palette) row(theme *draw.Theme, entry PaletteEntry, chosen bool, width int) string {
	name, style := entry.Name, theme.Plain
	if phrase := entry.foundBy(p.input.Text()); phrase != "" {
		name += matching(phrase)
	}
	if entry.Reason != "" {
		name, style = name+" — "+entry.Reason, theme.Faint
	}
	if chosen {
		style = theme.Selected
	}
	return style.Fit(" "+name, max(1, width-11)) + theme.Key.Render(draw.FitRight(entry.Keys, min(10, width)))
}
