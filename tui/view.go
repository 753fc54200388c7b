package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// View draws the whole screen.
func (m *Model) View() tea.View {
	v := tea.NewView(m.frame())
	v.AltScreen = true
	if !m.mouseOff {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = "sdcdesk"
	if m.bench != nil {
		v.WindowTitle = "sdcdesk: " + draw.Safe(m.bench.doc.Name())
	}
	return v
}

// frame returns exactly height lines of width cells: the page or the workbench, the status line and the line of
// keys, and a dialog over them.
func (m *Model) frame() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	s := m.state()
	if m.height < 3 {
		return draw.Exactly(m.riskLine(s, m.width), m.width, m.height)
	}
	body := m.height - 2
	lines := []string{draw.Exactly(m.room(s, m.width, body), m.width, body),
		draw.Exactly(m.status(s, m.width), m.width, 1), draw.Exactly(m.keyLine(m.width), m.width, 1)}
	screen := strings.Join(lines, "\n")
	if m.dialog != nil && !m.typingDuringLesson() {
		screen = m.window(m.dialogState(), screen, body)
	}
	if lines := m.noticeLines(m.width, m.height/3); len(lines) > 1 {
		screen = draw.Overlay(screen, strings.Join(lines, "\n"), 0, m.height-1-len(lines))
	}
	return screen
}

// noticeLines returns the last message in up to most lines: the status line and those above it. The full text is
// in the list of messages.
func (m *Model) noticeLines(width, most int) []string {
	if m.notice.text == "" || m.work != nil && !m.work.opening {
		return nil
	}
	style := &m.theme.Changed
	if m.notice.isError {
		style = &m.theme.Error
	}
	if line := " " + m.notice.text; draw.Width(line) <= width {
		return []string{style.Fit(line, width)}
	}
	lines := style.Indented(m.notice.text, 1, width)
	if most = max(1, most); len(lines) > most {
		lines = lines[:most]
		lines[most-1] = draw.Ending(lines[most-1], &m.theme.Key, "…  : Messages", width)
	}
	for i := range lines {
		lines[i] = draw.Exactly(lines[i], width, 1)
	}
	return lines
}

// room draws the page or the workbench.
func (m *Model) room(s views.State, width, height int) string {
	switch {
	case m.opening():
		return m.openingPage(width)
	case m.page != nil:
		return m.page.View(s, width, height)
	case m.bench != nil:
		return m.workbench(s, width, height)
	default:
		return m.theme.Title.Fit("sdcdesk", width)
	}
}

// workbench draws the header and the panes.
func (m *Model) workbench(s views.State, width, height int) string {
	if height < 2 {
		return m.riskLine(s, width)
	}
	lines := make([]string, height)
	lines[0] = m.header(s, width)
	slots := m.slots()
	if m.small() && len(m.bench.drill) == 0 {
		lines[1] = m.riskLine(s, width)
	}
	slices.SortStableFunc(slots, func(a, b slot) int { return a.x - b.x })
	for _, place := range slots { // together they cover every line
		for i, line := range strings.Split(m.drawSlot(s, place), "\n") {
			if y := place.y + i; y < height {
				lines[y] += line
			}
		}
	}
	return strings.Join(lines, "\n")
}

// small reports whether the screen is too small for all panes of a tab.
func (m *Model) small() bool { return m.width < roomyWidth || m.height < roomyHeight }

// slots places the visible panes: below the header, and on a small screen below the risk line. A focused pane
// without a place among the others is shown alone.
func (m *Model) slots() []slot {
	b := m.bench
	area, names := rect{0, 1, m.width, max(0, m.height-3)}, b.names()
	if len(b.drill) > 0 {
		return []slot{{b.focused(), 0, area, true}}
	}
	if m.small() {
		area.y, area.height = 2, max(0, area.height-1)
	}
	focused := b.at()
	places := m.arrange(area)
	if b.zoom || focused >= len(places) || places[focused] == (rect{}) {
		return []slot{{b.focused(), focused + 1, area, true}}
	}
	var slots []slot
	for i, place := range places {
		if place != (rect{}) {
			slots = append(slots, slot{b.pane(names[i]), i + 1, place, false})
		}
	}
	return slots
}

// drawSlot draws one pane in its frame.
func (m *Model) drawSlot(s views.State, place slot) string {
	focused := place.pane == m.focused() && !m.covers()
	content := place.pane.View(s, max(0, place.width-2), max(0, place.height-2), focused)
	number, title := place.number, place.pane.TitleFor(s)
	if count := len(m.bench.names()); number > 0 && count > 1 && m.small() && place.alone {
		number, title = 0, fmt.Sprintf("%d of %d · %s", number, count, title)
	}
	return draw.Box(m.theme, number, title, content, place.width, place.height, focused)
}

// leastName is the minimum width of the file name in the header.
const leastName = 12

// hidesTabs reports whether the header has no room for the names of all tabs.
func (m *Model) hidesTabs() bool {
	names := 0
	for t := range tabs {
		names += draw.Width(tabs[t].name) + 2
	}
	return m.width-names < leastName
}

// header shows what is open, and the tabs, or only the open tab if there is no room.
func (m *Model) header(s views.State, width int) string {
	var line string
	for t := tab(0); t < tabCount; t++ {
		style := m.theme.Tab
		if t == m.bench.tab {
			style = m.theme.TabActive
		}
		line += style.Render(" " + tabs[t].name + " ")
	}
	if m.hidesTabs() {
		line = m.theme.TabActive.Render(fmt.Sprintf(" tab %d of %d · %s ", m.bench.tab+1, tabCount, tabs[m.bench.tab].name))
	}
	space := width - draw.Width(line)
	if space < leastName {
		return m.theme.Title.Fit(m.fileName(s), width)
	}
	const name = " sdcdesk "
	if space < len(name)+20 {
		name := m.fileName(s)
		if m.bench.called != "" {
			name = m.bench.called + ": " + name
		}
		return m.theme.Strong.Fit(" "+draw.Safe(name), space) + line
	}
	about, room := m.about(s), space-2
	if text := strings.Join(about, "  "); draw.Width(text) <= room-len(name) {
		return m.theme.Title.Render(name) + m.theme.Strong.Fit(" "+text, space-len(name)-1) + " " + line
	} // the file is more important than the name of the program
	return m.theme.Strong.Fit(" "+draw.Joined(room, "  ", about...), space-1) + " " + line
}

// about describes the file in the header; if records were removed, it includes the original number.
func (m *Model) about(s views.State) []string {
	records := wording.Counted(s.Current.Data.Records(), "record")
	if source := m.bench.doc.Base().Records(); source != s.Current.Data.Records() {
		records = draw.Count(s.Current.Data.Records()) + " of " + wording.Counted(source, "record")
	}
	parts := []string{draw.Safe(m.fileName(s))}
	if m.bench.called != "" {
		parts = append(parts, "scenario "+strings.TrimPrefix(draw.Safe(m.bench.called), "scenario "))
	}
	parts = append(parts, records, wording.Counted(len(s.Scenario.Keys), "key variable"))
	if s.Scenario.Weight != "" {
		parts = append(parts, "weight")
	}
	if s.Scenario.Household != "" {
		parts = append(parts, "household")
	}
	return parts
}

func (m *Model) riskLine(s views.State, width int) string {
	if m.bench == nil || m.page != nil {
		return draw.Fit("sdcdesk", width)
	}
	return views.RiskLine(s, width)
}

// status is the line above the keys: running work, or the last message.
func (m *Model) status(s views.State, width int) string {
	switch {
	case m.opening() && m.notice.text == "":
		return ""
	case m.work != nil && !m.work.opening:
		return m.progressLine(width)
	case m.notice.text != "":
		return m.noticeLines(width, 1)[0]
	case m.dialog != nil && m.bench != nil && m.page == nil && m.small() &&
		(len(m.bench.drill) > 0 || m.dialogPlace(m.height-2).y < 2):
		return views.RiskLine(s, width) // the dialog covers the risk line of the workbench
	case s.Stale && m.page == nil:
		if underway := views.Underway(s, m.figures.Meter, m.figures.Started, width); m.figures.Runs() && underway != "" {
			return underway
		}
		return m.theme.Faint.Fit(" counting …", width)
	case m.measuring.Runs() && m.page == nil:
		return m.measuringLine(s, width)
	case m.learning != nil && m.page == nil && m.dialog == nil:
		return m.lessonLine(width)
	default:
		return ""
	}
}

// window draws the dialog over the page.
func (m *Model) window(s views.State, screen string, body int) string {
	place := m.dialogPlace(body)
	width, height := place.width, place.height
	content := m.dialog.View(s, max(1, width-4), max(1, height-2))
	content = draw.Within(m.theme, strings.Split(content, "\n"), max(1, width-4), max(1, height-2))
	lines := strings.Split(draw.Exactly(content, max(1, width-4), max(1, height-2)), "\n")
	for i := range lines {
		lines[i] = " " + lines[i] + " "
	}
	title := m.dialog.Title()
	if m.editing != nil && m.covered == nil {
		title = "Step " + draw.Count(m.editing.step+1) + ": " + title
	}
	box := draw.Box(m.theme, 0, title, strings.Join(lines, "\n"), width, height, true)
	return draw.Overlay(screen, box, place.x, place.y)
}

// dialogPlace returns the place of the window of the open dialog, centred. It is small for a question, otherwise
// as large as the screen up to a comfortable size.
func (m *Model) dialogPlace(body int) rect {
	width, height := 126, 32
	if d, ok := m.dialog.(rowCounter); ok {
		height = max(16, min(40, d.Rows())) + 2
	}
	if m.width < dialogs.WideDialog+4 {
		height += dialogs.WhatIfHeight + 1 // the what-if is below
	}
	if d, ok := m.dialog.(fixedSize); ok {
		width, height = d.Size()
	}
	width, height = min(m.width, width), min(body, height)
	if _, low := m.dialog.(bottomDialog); low {
		return rect{x: (m.width - width) / 2, y: body - height, width: width, height: height}
	}
	return rect{x: (m.width - width) / 2, y: max(0, (body-height)/2), width: width, height: height}
}

// rowCounter is a dialog that reports how many lines it needs, so that its window is not larger than its content.
type rowCounter interface{ Rows() int }

// bottomDialog is a dialog at the bottom of the screen, so that its subject stays visible.
type bottomDialog interface{ Low() }

// fixedSize is a dialog whose window has a fixed size, at most that of the screen.
type fixedSize interface{ Size() (width, height int) }
