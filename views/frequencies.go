package views

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// Frequencies is the pane of the categories of the selected variable, with a
// bar and the number of records of each.
type Frequencies struct {
	list    list
	byCount bool
	filter  string
	typing  bool

	shown shownLevels // what the list holds, kept while nothing changes
}

// shownLevels are the codes a list shows: those of the filter, in its order.
type shownLevels struct {
	of      *microdata.Categories
	byCount bool
	filter  string
	codes   []uint32
	largest int
}

var (
	_ MousePane = (*Frequencies)(nil)
	_ Explained = (*Frequencies)(nil)
)

// ID returns "frequencies".
func (*Frequencies) ID() string { return "frequencies" }

// Title returns what stands in the frame.
func (*Frequencies) Title() string { return "Frequencies" }

// Typing reports whether a filter is being typed.
func (p *Frequencies) Typing() bool { return p.typing }

// Keys returns the keys of the pane.
func (p *Frequencies) Keys() []key.Binding {
	if p.typing {
		return []key.Binding{bind("enter", "keep the filter", "enter"), bind("esc", "no filter", "esc")}
	}
	return append(listKeys(), bind("enter", "records", "enter"), bind("s", "sort", "s"), bind("/", "filter", "/"))
}

// HandleKey moves, sorts, filters, and opens the records of a category.
func (p *Frequencies) HandleKey(msg tea.KeyPressMsg, s State) Action {
	if p.typing {
		p.typeFilter(msg)
		return Handled{}
	}
	codes := p.codes(s)
	switch pressed := msg.String(); {
	case len(codes) > 0 && p.list.move(pressed, len(codes)):
		return SelectLevel{codes[p.list.at]}
	case pressed == "enter" && len(codes) > 0:
		p.list.clamp(len(codes))
		return ShowRecords{s.Selected.Variable, codes[p.list.at]}
	case pressed == "s":
		p.byCount = !p.byCount
		p.list.at = 0
		return Handled{}
	case pressed == "/":
		p.typing = true
		return Handled{}
	case pressed == "esc" && p.filter != "":
		p.filter = ""
		return Handled{}
	}
	return nil
}

func (p *Frequencies) typeFilter(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "esc":
		p.typing, p.filter = false, ""
	case "enter":
		p.typing = false
	case "backspace":
		runes := []rune(p.filter)
		p.filter = string(runes[:max(0, len(runes)-1)])
	default:
		p.filter += msg.Text
	}
	p.list.at = 0
}

// codes returns the codes of the list; 0 stands for missing cells.
func (p *Frequencies) codes(s State) []uint32 {
	categories := categoriesOf(s.Current, s.Selected.Variable)
	if categories == nil {
		return nil
	}
	if p.shown.of == categories && p.shown.byCount == p.byCount && p.shown.filter == p.filter {
		return p.shown.codes
	}
	counts := categories.Counts()
	want := strings.ToLower(p.filter)
	p.shown = shownLevels{of: categories, byCount: p.byCount, filter: p.filter, largest: 1}
	for i := range categories.Levels {
		if want == "" || strings.Contains(strings.ToLower(categories.Levels[i].Label), want) {
			p.shown.codes = append(p.shown.codes, uint32(i+1))
		}
	}
	if p.byCount {
		slices.SortStableFunc(p.shown.codes, func(a, b uint32) int { return counts[b] - counts[a] })
	}
	if counts[0] > 0 && (want == "" || strings.Contains(missingLabel, want)) {
		p.shown.codes = append(p.shown.codes, 0)
	}
	p.shown.largest = max(1, slices.Max(append([]int{1}, counts...)))
	return p.shown.codes
}

// missingLabel stands where a value is missing.
const missingLabel = "(missing)"

// Click selects the category of a line.
func (p *Frequencies) Click(_, y int, s State) Action {
	codes := p.codes(s)
	row := y - 1 + p.list.first
	if y < 1 || row >= len(codes) {
		return nil
	}
	p.list.at = row
	return SelectLevel{codes[row]}
}

// Wheel scrolls.
func (p *Frequencies) Wheel(lines int, s State) Action {
	p.list.at += lines
	p.list.clamp(len(p.codes(s)))
	return Handled{}
}

// View draws the categories that are in sight.
func (p *Frequencies) View(s State, width, height int, focused bool) string {
	categories := categoriesOf(s.Current, s.Selected.Variable)
	if categories == nil {
		return sentence(s, "Select a variable to see its categories.", width, height)
	}
	codes := p.codes(s)
	lines := []string{p.head(s, categories, width)}
	first, last := p.list.window(len(codes), height-1)
	labels := p.labelWidth(categories, codes[first:last], width)
	for i := first; i < last; i++ {
		lines = append(lines, p.row(s, categories, codes[i], labels, i == p.list.at, focused, width))
	}
	if len(codes) == 0 {
		lines = append(lines, s.Theme.Faint.Render(Fit(" no category has "+p.filter, width)))
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// head names the variable, or shows the filter.
func (p *Frequencies) head(s State, categories *microdata.Categories, width int) string {
	switch {
	case p.typing:
		return s.Theme.Key.Render(Fit("/"+p.filter+"▏", width))
	case p.filter != "":
		return s.Theme.Warning.Render(Fit(" "+s.Selected.Variable+" · only with "+p.filter, width))
	default:
		return s.Theme.Strong.Render(Fit(" "+s.Selected.Variable+" · "+Count(categories.Occurring())+" categories", width))
	}
}

// labelWidth returns the cells that the labels in sight need, up to half.
func (p *Frequencies) labelWidth(categories *microdata.Categories, codes []uint32, width int) int {
	size := 6
	for _, code := range codes {
		size = max(size, Width(Safe(shortened(levelLabel(categories, code)))))
	}
	return min(size, max(4, width/2))
}

func levelLabel(categories *microdata.Categories, code uint32) string {
	if code == 0 || int(code) > len(categories.Levels) {
		return missingLabel
	}
	return categories.Levels[code-1].Label
}

func (p *Frequencies) row(s State, categories *microdata.Categories, code uint32, labels int, chosen, focused bool, width int) string {
	count, total := categories.Counts()[code], categories.Codes.Len()
	const countWidth, shareWidth = 10, 8
	bar := width - labels - 2 - countWidth - shareWidth
	share := strings.TrimSuffix(Share(count, total), " %")
	if bar < 3 {
		bar, share = max(0, width-labels-2-countWidth), ""
	}
	label := " " + Fit(levelLabel(categories, code), labels) + " "
	figures := FitRight(Count(count), countWidth)
	if share != "" {
		figures += FitRight(share, shareWidth)
	}
	if chosen {
		style := rowStyle(s.Theme, true, focused)
		return style(label + Bar(float64(count)/float64(p.shown.largest), bar) + figures)
	}
	style := s.Theme.Plain
	if code == 0 {
		style = s.Theme.Suppressed
	}
	return style.Render(label) + s.Theme.Bar.Render(Bar(float64(count)/float64(p.shown.largest), bar)) + style.Render(figures)
}

// Figures explains the count of the category under the cursor.
func (p *Frequencies) Figures(s State) []Figure {
	categories := categoriesOf(s.Current, s.Selected.Variable)
	codes := p.codes(s)
	if categories == nil || len(codes) == 0 {
		return nil
	}
	p.list.clamp(len(codes))
	code := codes[p.list.at]
	count := categories.Counts()[code]
	return []Figure{{
		Name:       s.Selected.Variable + ": " + Safe(shortened(levelLabel(categories, code))),
		Value:      Count(count) + " records, " + Percent(count, categories.Codes.Len()),
		Definition: "The number of records of the file that have this category, and their share of all records. Weights play no part.",
		Formula:    "records with the category / all records",
		Values:     []string{Count(count) + " of " + Count(categories.Codes.Len())},
		Source:     "SDC practice guide, Measuring risk",
	}}
}
