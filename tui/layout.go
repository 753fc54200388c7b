package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// rect is a rectangle of the screen in cells.
type rect struct{ x, y, width, height int }

func (r rect) contains(x, y int) bool {
	return x >= r.x && x < r.x+r.width && y >= r.y && y < r.y+r.height
}

// slot is a visible pane with its number in the tab, 0 for none, and its place.
type slot struct {
	pane   views.Pane
	number int
	rect
	alone bool // other panes of the tab have no place next to it
}

// tab is the index of a tab of the workbench.
type tab int

// tabs are the tabs of the workbench: the name in the header, the panes in the order of their numbers, and their
// places in an area. A large screen may have more panes, with their own layout. A screen too small for all of them
// shows those that stack places; the others, with an empty place, are shown one at a time.
var tabs = [...]struct {
	name  string
	words string // other names to find it in the palette
	panes []string
	place func(r rect) []rect
	large func(r rect) []rect
	more  []string // after panes, on a large screen
	stack func(r rect, keys int) []rect
}{
	{name: "Overview", words: "history undo branch branches back steps violators", panes: []string{"key-variables", "frequencies", "k-anonymity", "records-at-risk", "risk", "steps"},
		place: placeOverview, stack: stackOverview,
		more: []string{"distinct-keys", "history"}, large: placeLarge},
	{name: "Keys", words: "frequencies uniques combinations violators suppressed", panes: []string{"distinct-keys", "cross-table", "suppressions"}, place: placeKeys},
	{name: "PRAM", words: "matrix transitions", panes: []string{"pram-variables", "pram-matrix", "pram-frequencies", "pram-transitions"},
		place: placePRAM},
	{name: "Numeric", words: "numbers microaggregation noise rank swapping correlations scatter", panes: []string{"numeric-variables", "numeric-distribution", "numeric-scatter",
		"numeric-correlations", "numeric-groups", "numeric-risk"}, place: placeNumeric},
	{name: "Risk", words: "disclosure suda diversity inference measures", panes: []string{"risk-distribution", "risk", "suda", "diversity", "inference", "open-measures"},
		place: placeRisk},
	{name: "Utility", words: "loss information compare risk-utility map candidates candidate what-if trials", panes: []string{"utility", "ru-map", "trials"}, place: placeUtility},
	{name: "Data", words: "records rows cells filter search find sort", panes: []string{"data"}, place: func(r rect) []rect { return []rect{r} }},
	{name: "Tables", words: "magnitude cell suppression secondary dominance audit tau-argus", panes: []string{"table", "table-cell", "tables", "table-safety"},
		place: placeTables},
}

const tabCount = tab(len(tabs))

// On a smaller screen, a tab does not show all its panes at once.
const (
	roomyWidth  = 100
	roomyHeight = 30
)

// A screen of at least this size has room for more panes.
const (
	largeWidth  = 180
	largeHeight = 50
)

// names returns the panes of a tab on a screen, large or not.
func (t tab) names(large bool) []string {
	if large {
		return slices.Concat(tabs[t].panes, tabs[t].more)
	}
	return tabs[t].panes
}

// arrange places the panes of a tab; a pane with an empty place is not visible.
func (m *Model) arrange(area rect) []rect {
	t, b := &tabs[m.bench.tab], m.bench
	switch {
	case m.small() && t.stack != nil:
		return t.stack(area, len(b.scenario.Keys))
	case m.small():
		return nil
	case b.large && t.large != nil:
		return t.large(area)
	default:
		return t.place(area)
	}
}

// stackOverview keeps k-anonymity and risk visible below the key variables, or next to them on a wide screen; not
// on the smallest screens.
func stackOverview(r rect, keys int) []rect {
	const frame, least, rules = 2, 6, 8 // rules: the height of k-anonymity with all counts, without headings
	upper := max(least, keys+1+frame)   // headings and a row for each
	var places []rect                   // places of key variables, k-anonymity and risk
	switch {
	case r.width >= roomyWidth && r.height >= rules+frame:
		places = grid(r, band{0, []int{36, 30, 34}})
	case r.width >= 76 && r.height >= 2*(rules+frame)-2:
		places = grid(r, band{min(upper, r.height-rules-frame), full}, band{0, []int{50, 50}})
	case r.width >= 44 && r.width < 76 && r.height >= least+2*(rules+frame):
		places = grid(r, band{min(upper, r.height-2*(rules+frame)), full}, band{rules + frame, full}, band{0, full})
	default:
		return nil
	}
	return []rect{places[0], {}, places[1], {}, places[2], {}}
}

// placeOverview has three rows: key variables, frequencies and k-anonymity; records
// at risk and risk; steps.
func placeOverview(r rect) []rect {
	steps := max(5, min(9, r.height/5))
	upper := (r.height - steps) / 2
	return grid(r, band{upper, []int{33, 30, 37}}, band{r.height - steps - upper, []int{58, 42}}, band{0, full})
}

// placeLarge has the key patterns next to the records at risk and the history next to the steps.
func placeLarge(r rect) []rect {
	steps := max(9, min(14, r.height/5))
	upper := (r.height - steps) / 2
	p := grid(r, band{upper, []int{33, 30, 37}}, band{r.height - steps - upper, []int{38, 35, 27}}, band{0, []int{58, 42}})
	return []rect{p[0], p[1], p[2], p[3], p[5], p[6], p[4], p[7]}
}

// placeKeys has the key patterns above, the cross table and the suppressions below.
func placeKeys(r rect) []rect { return grid(r, band{r.height / 2, full}, band{0, []int{64, 36}}) }

// placeRisk has the individual risks and the figures above, SUDA2 and diversity in the middle, attribute inference
// and the active measures below.
func placeRisk(r rect) []rect {
	return grid(r, band{r.height * 42 / 100, []int{58, 42}}, band{r.height * 30 / 100, []int{42, 58}}, band{0, []int{62, 38}})
}

// placeUtility has the measures and the map above, the candidates below.
func placeUtility(r rect) []rect {
	return grid(r, band{r.height * 64 / 100, []int{54, 46}}, band{0, full})
}

// placeTables has the table and its cell above, the list of tables and the safety of the selected one below.
func placeTables(r rect) []rect {
	return grid(r, band{r.height * 66 / 100, []int{64, 36}}, band{0, []int{50, 50}})
}

// placePRAM has the variables and the matrix above, frequencies and transitions
// below.
func placePRAM(r rect) []rect {
	return grid(r, band{(r.height + 1) / 2, []int{38, 62}}, band{0, []int{48, 52}})
}

// placeNumeric has the variables above, plots of one variable in the middle, and correlations, groups and risk
// below.
func placeNumeric(r rect) []rect {
	above := max(7, r.height*26/100)
	return grid(r, band{above, full}, band{(r.height - above) * 55 / 100, []int{45, 55}}, band{0, []int{30, 38, 32}})
}

// band is a row of a grid: its height, and the widths of its columns in percent; the last column takes the rest.
type band struct {
	height  int
	columns []int
}

// full is a single column.
var full = []int{100}

// grid divides a rectangle into bands from the top; the last band takes the rest.
func grid(r rect, bands ...band) (places []rect) {
	y := r.y
	for i, b := range bands {
		if i == len(bands)-1 {
			b.height = r.y + r.height - y
		}
		x := r.x
		for k, percent := range b.columns {
			width := r.width * percent / 100
			if k == len(b.columns)-1 {
				width = r.x + r.width - x
			}
			places = append(places, rect{x, y, width, b.height})
			x += width
		}
		y += b.height
	}
	return places
}

// click handles a click on a tab, a key in the bottom line, or a pane.
func (m *Model) click(x, y int) {
	if y == m.height-1 {
		m.clickKey(x)
		return
	}
	if m.dialog != nil && !m.clearOfLesson(x, y) {
		m.clickDialog(x, y)
		return
	}
	if m.page != nil || m.bench == nil {
		return
	}
	if y == 0 && m.hidesTabs() {
		return
	}
	if y == 0 {
		m.clickTab(x)
		return
	}
	pane, place := m.paneAt(x, y)
	if pane == nil {
		return
	}
	m.do(pane.Click(x-place.x-1, y-place.y-1, m.state()))
}

// clearOfLesson reports whether a cell of the screen belongs to the workbench outside the window of a lesson.
func (m *Model) clearOfLesson(x, y int) bool {
	return m.inLesson() && !m.dialogPlace(m.height-2).contains(x, y)
}

// clickDialog passes a click inside the window to the open dialog.
func (m *Model) clickDialog(x, y int) {
	dialog, ok := m.dialog.(dialogs.Clickable)
	place := m.dialogPlace(m.height - 2)
	inside := rect{x: place.x + 2, y: place.y + 1, width: place.width - 4, height: place.height - 2}
	if !ok || !inside.contains(x, y) {
		return
	}
	m.do(dialog.Click(x-inside.x, y-inside.y, m.dialogState()))
}

// paneAt moves the focus to the pane at a cell of the screen, and returns it with its frame.
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
func (m *Model) clickTab(x int) {
	end := m.width
	for t := tabCount - 1; t >= 0; t-- {
		start := end - len(tabs[t].name) - 2
		if x >= start && x < end {
			m.openTab(t)
			return
		}
		end = start
	}
}

// wheel scrolls the pane under the pointer, or the list of an open dialog.
func (m *Model) wheel(msg tea.MouseWheelMsg) {
	lines := 3
	name := "down"
	if msg.Button == tea.MouseWheelUp {
		lines, name = -3, "up"
	}
	if m.dialog != nil && !m.clearOfLesson(msg.X, msg.Y) || m.page != nil {
		m.key(draw.Press(name))
		return
	}
	if m.bench == nil {
		return
	}
	if pane, _ := m.paneAt(msg.X, msg.Y); pane != nil {
		m.do(pane.Wheel(lines, m.state()))
	}
}
