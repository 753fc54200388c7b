package data

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// switchKey goes from groups to single records, and back.
const switchKey = "d"

// Data is the pane of the tab Data: the grid of the records, or where these are not held in memory, that of their
// groups or pages of single ones.
type Data struct {
	views.Pane // that is shown
	rows       *Records
	pages      *Pages
	single     bool // the pages are shown
	held       bool // the records were, when it was drawn last
}

var (
	_ views.Seeker     = (*Data)(nil)
	_ views.OnVariable = (*Data)(nil)
)

// NewData returns the pane.
func NewData() *Data {
	rows := NewRecords("", 0)
	return &Data{Pane: rows, rows: rows, pages: NewPages("")}
}

// see looks whether there are pages.
func (p *Data) see(s views.State) views.Pane {
	p.held = s.Pages == nil
	p.show(p.single && !p.held)
	return p.Pane
}

// show shows the pages, or the rows.
func (p *Data) show(pages bool) {
	if p.single, p.Pane = pages, p.rows; pages {
		p.Pane = p.pages
	}
}

// ID returns the name that layout and tests use.
func (p *Data) ID() string { return p.rows.ID() }

// TitleFor says what is shown.
func (p *Data) TitleFor(s views.State) string { return p.see(s).TitleFor(s) }

// Keys returns the keys of what is shown, with that which shows the other.
func (p *Data) Keys() []key.Binding {
	keys := p.Pane.Keys()
	if p.held || p.Typing() {
		return keys
	}
	text := "single records"
	if p.single {
		text = "groups"
	}
	return slices.Insert(keys, min(1, len(keys)), draw.Bind(switchKey, text))
}

// HandleKey shows the other, or has what is shown take the key.
func (p *Data) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	shown := p.see(s)
	if !p.held && !p.Typing() && key.Matches(msg, draw.Bind(switchKey, "")) {
		p.show(!p.single)
		return draw.Handled{}
	}
	return shown.HandleKey(msg, s)
}

// Click has what is shown take a click.
func (p *Data) Click(x, y int, s views.State) draw.Action { return p.see(s).Click(x, y, s) }

// Wheel scrolls what is shown.
func (p *Data) Wheel(lines int, s views.State) draw.Action { return p.see(s).Wheel(lines, s) }

// View draws what is shown.
func (p *Data) View(s views.State, width, height int, focused bool) string {
	p.pages.height = p.pages.fitting(height)
	return p.see(s).View(s, width, height, focused)
}

// Figures explains the cell under the cursor.
func (p *Data) Figures(s views.State) []views.Figure { return p.see(s).Figures(s) }

// Seek looks for what is shown.
func (p *Data) Seek(s views.State) views.Piece { return p.see(s).(views.Seeker).Seek(s) }

// Variable returns the variable of the column under the cursor.
func (p *Data) Variable(s views.State) string { return p.see(s).(views.OnVariable).Variable(s) }

// Underway reports whether a page is being waited for.
func (p *Data) Underway() bool { return p.single && p.pages.Underway() }
