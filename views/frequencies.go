package views

import (
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Frequencies is the pane of the categories of the selected variable, with a
// bar and the number of records of each, beside that of the original data.
type Frequencies struct {
	tablePane
	variable string // that the cursor belongs to
	byCount  bool
	filter   string
	shown    memo[nowAndBefore, shownLevels]
	codes    memo[listed, []uint32]
}

// NewFrequencies returns the pane of the categories of the selected variable.
func NewFrequencies() *Frequencies {
	p := &Frequencies{tablePane: tablePane{id: "frequencies", title: "Frequencies", enter: "records"}}
	p.content, p.acts, p.heard = p.table, p.keys, p.filtered
	return p
}

// TitleFor names the selected variable.
func (p *Frequencies) TitleFor(s State) string {
	categories := categoriesOf(s.Current, s.Selected.Variable)
	if categories == nil {
		return p.Title()
	}
	return s.Selected.Variable + " · " + Count(p.look(s, categories).occurring) + " categories"
}

func (p *Frequencies) keys() []act {
	keys := []act{
		{bind("s", "sort", "s"), does(func() { p.byCount, p.cursor.At = !p.byCount, 0 })},
		{bind("/", "filter", "/"), does(func() { p.typed.begin(p.filter, keyEnter("keep the filter"), bind("esc", "no filter", "esc")) })},
	}
	if p.filter != "" {
		keys = append(keys, act{bind("", "", "esc"), does(func() { p.filter = "" })})
	}
	return keys
}

// filtered filters with every key that is typed.
func (p *Frequencies) filtered(_ State, end typedEnd) Action {
	if end == typedLeft {
		p.typed.Set("")
	}
	p.filter, p.cursor.At = p.typed.Text(), 0
	return Handled{}
}

// table has one row per category in sight of the filter; missing is the last.
func (p *Frequencies) table(s State, _ int) Table {
	categories := categoriesOf(s.Current, s.Selected.Variable)
	if categories == nil {
		return Table{Instead: "Select a variable to see its categories."}
	}
	shown, meanings := p.look(s, categories), codeLabels(s, s.Selected.Variable)
	suppressed := suppressedCells(s, s.Selected.Variable) > 0
	records := "records"
	if p.byCount {
		records += "↓"
	}
	return Table{
		Columns: []Column{
			{Head: "category", Most: 40, Least: 6},
			{Kind: Bars},
			{Head: records, Short: "n" + records[len("records"):], Kind: Pairs, Size: 3, Yields: true},
			{Head: "%", Kind: Counts, Size: 5, Rank: 2},
		},
		Rows: len(shown.codes),
		Row: func(row int) []Cell {
			code := shown.codes[row]
			label := withCodeLabel(levelLabel(categories, code), meanings)
			return shown.row(s, code, label, suppressed)
		},
		None:   "no category contains " + p.filter,
		Banner: func(width int) string { return p.banner(s, width) },
		Choose: func(row int) Action { return SelectLevel{shown.codes[row]} },
		Open:   func(row int) Action { return ShowRecords{s.Selected.Variable, shown.codes[row]} },
	}
}

// banner shows the filter.
func (p *Frequencies) banner(s State, width int) string {
	switch {
	case p.typed.active:
		return p.typed.draw(s.Theme, "/", width)
	case p.filter != "":
		return s.Theme.Warning.Render(Fit(" only with "+p.filter+" · esc shows all", width))
	}
	return ""
}

// row returns label, bar, records and share of a category.
func (l *shownLevels) row(s State, code uint32, label string, suppressed bool) []Cell {
	theme, count, before := s.Theme, l.of.Counts()[code], l.original(code)
	style, bar := &theme.Plain, &theme.Bar
	switch {
	case code == 0 && before >= 0 && count > before && suppressed:
		style, bar = &theme.Suppressed, &theme.Suppressed
	case code == 0 || count == 0:
		style, bar = &theme.Faint, &theme.BarOriginal
	}
	was := ""
	if before >= 0 {
		was = Count(before)
	}
	share := func(n int) float64 { return float64(n) / float64(l.largest) }
	return []Cell{
		{Text: label, Style: style},
		{Share: share(count), Had: share(max(0, before)), Style: bar},
		{Text: Count(count), Was: was, Style: style},
		{Text: percent(count, l.of.Codes.Len()), Style: style},
	}
}

// Figures explains the count of the category under the cursor.
func (p *Frequencies) Figures(s State) []Figure {
	categories := categoriesOf(s.Current, s.Selected.Variable)
	if categories == nil || len(p.look(s, categories).codes) == 0 {
		return nil
	}
	codes := p.look(s, categories).codes
	p.cursor.clamp(len(codes))
	code, total := codes[p.cursor.At], categories.Codes.Len()
	count := categories.Counts()[code]
	figure := Figure{
		Name:       Safe(shortened(s.Selected.Variable + ": " + levelLabel(categories, code))),
		Value:      Count(count) + " records, " + wording.Percent(count, total),
		Definition: "The number of records of the file that have this category, and their share of all records. Weights play no part.",
		Formula:    "records with the category / all records",
		Values:     []string{Count(count) + " of " + Count(total)},
		Source:     measure.SourceGuide,
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
