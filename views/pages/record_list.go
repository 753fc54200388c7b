package pages

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// optionList scrolls the page of a record and chooses among the options on it. A key down
// chooses the next one in sight, and scrolls where there is none.
type optionList struct {
	first  int   // the line on top
	chosen int   // of the options
	places []int // their lines, as they were drawn last
	lines  int   // of the page, the last time
	room   int   // for lines, the last time
	height int   // in sight, the last time: without the mark that says there are more
}

// scrolled returns the lines in sight.
func (l *optionList) scrolled(theme *draw.Theme, lines []string, width, height int) string {
	l.lines, l.room, l.height = len(lines), height, height
	l.first = max(0, min(l.first, len(lines)-height))
	lines = slices.Clone(lines[l.first:])
	if more := len(lines) - height; more > 0 && height > 3 {
		l.height = height - 1
		lines[l.height] = theme.Key.Fit(" ↓ "+wording.Counted(more+1, "more line"), width)
	}
	return draw.Exactly(strings.Join(lines, "\n"), width, height)
}

// sees reports whether an option is in sight.
func (l *optionList) sees(option int) bool {
	return option >= 0 && option < len(l.places) && l.places[option] >= l.first && l.places[option] < l.first+l.height
}

// scroll moves the page by lines. Where the chosen option is out of sight then, the one
// that came into sight first is chosen.
func (l *optionList) scroll(by int) {
	l.first = max(0, min(l.first+by, l.lines-l.room))
	if l.sees(l.chosen) {
		return
	}
	var inSight []int
	for option := range l.places {
		if l.sees(option) {
			inSight = append(inSight, option)
		}
	}
	switch {
	case len(inSight) == 0:
	case by > 0:
		l.chosen = inSight[0]
	default:
		l.chosen = inSight[len(inSight)-1]
	}
}

// step chooses the next option, or scrolls where it is not in sight.
func (l *optionList) step(by int) {
	if l.sees(l.chosen) && l.sees(l.chosen+by) {
		l.chosen += by
		return
	}
	l.scroll(by)
}

// Keys returns the keys of the page.
func (p *Record) Keys() []key.Binding {
	keys := []key.Binding{views.KeyRows()}
	if p.sees(p.chosen) {
		keys = append(keys, draw.KeyEnter("open the step"))
	}
	return keys
}

// HandleKey chooses and scrolls, or opens the chosen step.
func (p *Record) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	page := max(1, p.height-1)
	if by, ok := draw.Stepped(msg, []int{-1, 1}, []string{"up", "k"}, []string{"down", "j"}); ok {
		p.step(by)
		return draw.Handled{}
	}
	if by, ok := draw.Stepped(msg, []int{-page, page}, []string{"pgup", "ctrl+b"}, []string{"pgdown", "ctrl+f"}); ok {
		p.scroll(by)
		return draw.Handled{}
	}
	if by, ok := draw.Stepped(msg, []int{-p.lines, p.lines}, []string{"home", "g"}, []string{"end", "G"}); ok {
		p.chosen = max(0, min(by, len(p.places)-1))
		p.scroll(by)
		return draw.Handled{}
	}
	if key.Matches(msg, draw.KeyEnter("")) && p.sees(p.chosen) {
		return p.open(s)
	}
	return nil
}

// open opens the dialog of the chosen step; nil where it is not known what that is.
func (p *Record) open(s views.State) draw.Action {
	if !p.known(s) || s.Stale {
		return nil
	}
	if options := p.Analysis(s).options; p.chosen < len(options) {
		return views.OpenStep{Name: options[p.chosen].name, Method: options[p.chosen].method}
	}
	return nil
}

// Click chooses an option, and opens the one that is chosen.
func (p *Record) Click(_, y int, s views.State) draw.Action {
	option := slices.Index(p.places, p.first+y)
	switch {
	case !p.sees(option):
		return nil
	case option == p.chosen:
		return p.open(s)
	}
	p.chosen = option
	return draw.Handled{}
}

// Wheel scrolls.
func (p *Record) Wheel(lines int, _ views.State) draw.Action {
	p.scroll(lines)
	return draw.Handled{}
}
