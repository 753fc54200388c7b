package views

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// Frequencies is the pane of the categories of the selected variable, with a
// bar and the number of records of each, beside that of the original data.
type Frequencies struct {
	list     list
	variable string // that the cursor belongs to
	byCount  bool
	filter   string
	typed    typed
	shown    shownLevels
}

var (
	_ MousePane = (*Frequencies)(nil)
	_ Explained = (*Frequencies)(nil)
	_ Named     = (*Frequencies)(nil)
	_ Typist    = (*Frequencies)(nil)
)

// ID returns "frequencies".
func (*Frequencies) ID() string { return "frequencies" }

// Title returns what stands in the frame while no variable is selected.
func (*Frequencies) Title() string { return "Frequencies" }

// TitleFor names the selected variable.
func (p *Frequencies) TitleFor(s State) string {
	categories := categoriesOf(s.Current, s.Selected.Variable)
	if categories == nil {
		return p.Title()
	}
	return s.Selected.Variable + " · " + Count(p.look(s, categories).occurring) + " categories"
}

// Typing reports whether a filter is being typed.
func (p *Frequencies) Typing() bool { return p.typed.active }

func (*Frequencies) keySort() key.Binding   { return bind("s", "sort", "s") }
func (*Frequencies) keyFilter() key.Binding { return bind("/", "filter", "/") }

// Keys returns the keys of the pane.
func (p *Frequencies) Keys() []key.Binding {
	if p.typed.active {
		return []key.Binding{keyEnter("keep the filter"), bind("esc", "no filter", "esc")}
	}
	return append(listKeys(), keyEnter("records"), p.keySort(), p.keyFilter())
}

// HandleKey moves, sorts, filters, and opens the records of a category.
func (p *Frequencies) HandleKey(msg tea.KeyPressMsg, s State) Action {
	if p.typed.active {
		p.typeFilter(msg)
		return Handled{}
	}
	codes := p.codes(s)
	switch {
	case len(codes) > 0 && p.list.move(msg, len(codes)):
		return SelectLevel{codes[p.list.at]}
	case len(codes) > 0 && key.Matches(msg, keyEnter("")):
		p.list.clamp(len(codes))
		return ShowRecords{s.Selected.Variable, codes[p.list.at]}
	case key.Matches(msg, p.keySort()):
		p.byCount = !p.byCount
		p.list.at = 0
	case key.Matches(msg, p.keyFilter()):
		p.typed.begin(p.filter)
	case p.filter != "" && key.Matches(msg, keyEscape()):
		p.filter = ""
	default:
		return nil
	}
	return Handled{}
}

// typeFilter filters with every key that is typed.
func (p *Frequencies) typeFilter(msg tea.KeyPressMsg) {
	if p.typed.press(msg) == typedLeft {
		p.typed.text = ""
	}
	p.filter = p.typed.text
	p.list.at = 0
}

// codes returns the codes of the list; 0 stands for missing cells.
func (p *Frequencies) codes(s State) []uint32 {
	categories := categoriesOf(s.Current, s.Selected.Variable)
	if categories == nil {
		return nil
	}
	return p.look(s, categories).codes
}

// Click selects the category of a line; on the selected one it opens its
// records.
func (p *Frequencies) Click(_, y int, s State) Action {
	codes := p.codes(s)
	row := y - 1 + p.list.first
	switch {
	case y < 1 || row >= len(codes):
		return nil
	case row == p.list.at:
		return ShowRecords{s.Selected.Variable, codes[row]}
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

// Figures explains the count of the category under the cursor.
func (p *Frequencies) Figures(s State) []Figure {
	categories := categoriesOf(s.Current, s.Selected.Variable)
	codes := p.codes(s)
	if categories == nil || len(codes) == 0 {
		return nil
	}
	p.list.clamp(len(codes))
	code, total := codes[p.list.at], categories.Codes.Len()
	count := categories.Counts()[code]
	figure := Figure{
		Name:       Safe(shortened(s.Selected.Variable + ": " + levelLabel(categories, code))),
		Value:      Count(count) + " records, " + Percent(count, total),
		Definition: "The number of records of the file that have this category, and their share of all records. Weights play no part.",
		Formula:    "records with the category / all records",
		Values:     []string{Count(count) + " of " + Count(total)},
		Source:     sourceGuide,
	}
	if before := p.look(s, categories).original(code); before >= 0 {
		figure.Values = append(figure.Values, "in the original data, of the categories that became this one: "+Count(before))
	}
	return []Figure{figure}
}

func levelLabel(categories *microdata.Categories, code uint32) string {
	if code == 0 || int(code) > len(categories.Levels) {
		return missingLabel
	}
	return categories.Levels[code-1].Label
}

// missingLabel stands where a value is missing.
const missingLabel = "(missing)"
