package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// click takes a click: on a tab, a key of the bottom line, or a pane.
func (m *Model) click(x, y int) tea.Cmd {
	if y == m.height-1 {
		return m.clickKey(x)
	}
	if m.dialog != nil {
		return m.clickDialog(x, y)
	}
	if m.page != nil || m.bench == nil {
		return nil
	}
	if y == 0 {
		return m.clickTab(x)
	}
	pane, place := m.paneAt(x, y)
	if pane == nil {
		return nil
	}
	return m.do(pane.Click(x-place.x-1, y-place.y-1, m.state()))
}

// clickDialog hands a click inside the window to the open dialog.
func (m *Model) clickDialog(x, y int) tea.Cmd {
	dialog, ok := m.dialog.(dialogs.Clickable)
	place := m.dialogPlace(m.height - 2)
	inside := rect{x: place.x + 2, y: place.y + 1, width: place.width - 4, height: place.height - 2}
	if !ok || !inside.contains(x, y) {
		return nil
	}
	return tea.Batch(m.obey(dialog.Click(x-inside.x, y-inside.y, m.dialogState())), m.ask())
}

// paneAt returns the pane at a cell of the screen and its frame; it gets the
// focus.
func (m *Model) paneAt(x, y int) (views.Pane, rect) {
	for _, place := range m.slots() {
		if place.contains(x, y) {
			m.bench.choose(place.number)
			return place.pane, place.rect
		}
	}
	return nil, rect{}
}

// clickTab opens the tab at a column of the header.
func (m *Model) clickTab(x int) tea.Cmd {
	end := m.width
	for t := tabCount - 1; t >= 0; t-- {
		start := end - len(tabs[t].name) - 2
		if x >= start && x < end {
			return m.openTab(t)
		}
		end = start
	}
	return nil
}

// wheel scrolls the pane under the pointer, or the list of an open dialog.
func (m *Model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	lines := 3
	name := "down"
	if msg.Button == tea.MouseWheelUp {
		lines, name = -3, "up"
	}
	if m.dialog != nil || m.page != nil {
		return m.key(dialogs.Press(name))
	}
	if m.bench == nil {
		return nil
	}
	if pane, _ := m.paneAt(msg.X, msg.Y); pane != nil {
		return m.do(pane.Wheel(lines, m.state()))
	}
	return nil
}
