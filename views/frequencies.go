package views

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
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
	title := s.Selected.Variable + " · " + wording.CountedAs(p.look(s, categories).occurring, "category", "categories")
	if label := s.VariableLabel(s.Selected.Variable); label != "" {
		title += " · " + label
	}
	return title
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
	if categories == nil {
		return nil
	}
	l := p.look(s, categories)
	if p.cursor.clamp(len(l.codes)); len(l.codes) == 0 {
		return nil
	}
	code, total := l.codes[p.cursor.At], categories.Codes.Len()
	count := categories.Counts()[code]
	figure := Figure{
		Name:       Safe(shortened(s.Selected.Variable + ": " + s.withCode(s.Selected.Variable, levelLabel(categories, code)))),
		Value:      wording.Counted(count, "record") + ", " + wording.Percent(count, total),
		Definition: "The number of records of the file that have this category, and their share of all records. Weights play no part.",
		Formula:    "records with the category / all records",
		Values:     []string{Count(count) + " of " + Count(total)},
		Source:     measure.SourceGuide,
	}
	if before := l.original(code); before >= 0 {
		figure.Values = append(figure.Values, "in the original data, of the categories that became this one: "+Count(before))
	}
	return []Figure{figure}
}

// shownLevels are the codes that a list of categories shows and what takes a
// walk over levels or records to know.
type shownLevels struct {
	of        *microdata.Categories
	codes     []uint32
	occurring int
	largest   int   // number of records, now or in the original
	before    []int // records in the original by code; nil: not known
}

// listed is what decides which categories are listed.
type listed struct {
	of      *microdata.Categories
	byCount bool
	filter  string
}

// original returns the number of records of the original data whose category
// became the given one; -1 where it is not known.
func (l *shownLevels) original(code uint32) int {
	if int(code) >= len(l.before) {
		return -1
	}
	return l.before[code]
}

// look returns what is to show of the categories now.
func (p *Frequencies) look(s State, categories *microdata.Categories) *shownLevels {
	if p.variable != s.Selected.Variable {
		p.variable, p.filter, p.cursor = s.Selected.Variable, "", Cursor{}
	}
	of := s.categories(s.Selected.Variable)
	l := p.shown.look(of, func() shownLevels {
		_, before := fates(of.now, of.before)
		largest := slices.Max(slices.Concat([]int{1}, categories.Counts(), before))
		return shownLevels{of: categories, occurring: categories.Occurring(), before: before, largest: largest}
	})
	l.codes = *p.codes.look(listed{categories, p.byCount, p.filter}, func() []uint32 {
		return matchingCodes(categories, strings.ToLower(p.filter), p.byCount)
	})
	return l
}

// matchingCodes returns the codes whose label contains a text, in the order of
// the levels or by falling number of records; missing last.
func matchingCodes(categories *microdata.Categories, want string, byCount bool) []uint32 {
	counts := categories.Counts()
	codes := make([]uint32, 0, 16)
	for i := range categories.Levels {
		if want == "" || strings.Contains(strings.ToLower(categories.Levels[i].Label), want) {
			codes = append(codes, uint32(i+1))
		}
	}
	if byCount {
		slices.SortStableFunc(codes, func(a, b uint32) int { return counts[b] - counts[a] })
	}
	if counts[0] > 0 && strings.Contains(missingLabel, want) {
		codes = append(codes, 0)
	}
	return codes
}
