package overview

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Frequencies is the pane of the categories of the selected variable, with a bar and the number of records of
// each, now and in the original.
type Frequencies struct {
	views.TablePane
	variable string // the variable the cursor refers to
	byCount  bool
	shown    views.Cache[views.NowAndBefore, levelRows]
	codes    views.Cache[categoryFilter, []uint32]
}

// NewFrequencies returns the pane of the categories of the selected variable.
func NewFrequencies() *Frequencies {
	p := &Frequencies{TablePane: views.TablePane{PaneID: "frequencies", Heading: "Frequencies", Enter: "list records"}}
	p.Content, p.Actions, p.OnTyped, p.OfRow = p.table, p.keys, p.Searched, p.explain
	return p
}

// TitleFor names the selected variable.
func (p *Frequencies) TitleFor(s views.State) string {
	categories := views.CategoriesOf(s.Current, s.Selected.Variable)
	if categories == nil {
		return p.Title()
	}
	title := s.Selected.Variable + " · " + wording.CountedAs(p.look(s, categories).occurring, "category", "categories")
	if label := s.VariableLabel(s.Selected.Variable); label != "" {
		title += " · " + label
	}
	return title
}

func (p *Frequencies) keys() []views.KeyAction {
	sort := views.Handles("s", "sort", func() { p.byCount, p.Cursor.At = !p.byCount, 0 })
	return append([]views.KeyAction{sort}, p.Searches()...)
}

// table has one row per category that matches the filter; missing is the last.
func (p *Frequencies) table(s views.State, _ int) draw.Table {
	categories := views.CategoriesOf(s.Current, s.Selected.Variable)
	if categories == nil {
		return draw.Table{Instead: "Select a variable to see its categories."}
	}
	shown := p.look(s, categories)
	suppressed := views.SuppressedCells(s, s.Selected.Variable) > 0
	records := "records"
	if p.byCount {
		records += "↓"
	}
	return draw.Table{
		Columns: []draw.Column{
			{Head: "category", Most: 40, Least: 6},
			{Kind: draw.Bars},
			{Head: records, Kind: draw.Pairs, Size: 3, Yields: true},
			{Head: "%", Kind: draw.Percents, Size: 5, Rank: 2},
		},
		Rows: len(shown.codes),
		Row: func(row int) []draw.Cell {
			code := shown.codes[row]
			return shown.row(s, code, s.WithCode(s.Selected.Variable, views.LevelLabelOf(s, s.Selected.Variable, categories, code)), suppressed)
		},
		None:   "no category contains " + p.Search,
		Banner: func(width int) string { return p.FilterBanner(s, "/", p.Search, width) },
		Choose: func(row int) draw.Action { return views.SelectLevel{Level: shown.codes[row]} },
		Open: func(row int) draw.Action {
			return views.ShowRecords{Variable: s.Selected.Variable, Level: shown.codes[row]}
		},
	}
}

// row returns label, bar, records and share of a category.
func (l *levelRows) row(s views.State, code uint32, label string, suppressed bool) []draw.Cell {
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
		was = draw.Count(before)
	}
	share := func(n int) float64 { return float64(n) / float64(l.largest) }
	return []draw.Cell{
		{Text: label, Style: style},
		{Share: share(count), Had: share(max(0, before)), Style: bar},
		{Text: draw.Count(count), Was: was, Style: style},
		{Share: float64(count) / float64(l.of.Records()), Style: style},
	}
}

// explain explains the count of the category under the cursor.
func (p *Frequencies) explain(s views.State) []views.Figure {
	categories := views.CategoriesOf(s.Current, s.Selected.Variable)
	l := p.look(s, categories)
	code, total := l.codes[p.Cursor.At], categories.Records()
	count := categories.Counts()[code]
	figure := views.Figure{
		Name:       s.Selected.Variable + ": " + s.WithCode(s.Selected.Variable, views.LevelLabelOf(s, s.Selected.Variable, categories, code)),
		Value:      wording.Counted(count, "record") + ", " + wording.PercentOf(count, total),
		Definition: "Number of records with this category and their share of all records, without weights.",
		Formula:    "records with the category / all records",
		Values:     []string{draw.Count(count) + " of " + draw.Count(total)},
		Source:     measure.SourceGuide,
	}
	if before := l.original(code); before >= 0 {
		figure.Values = append(figure.Values,
			"original, sum of the merged categories: "+draw.Count(before))
	}
	return []views.Figure{figure}
}

// levelRows are the codes to list, with figures that take a pass over levels or records.
type levelRows struct {
	of        *microdata.Categories
	codes     []uint32
	occurring int
	largest   int   // largest number of records, now or in the original
	before    []int // records in the original by code; nil: not known
}

// categoryFilter determines which categories are listed.
type categoryFilter struct {
	of      *microdata.Categories
	byCount bool
	filter  string
}

// original returns the number of original records that became the category, or -1 if unknown.
func (l *levelRows) original(code uint32) int {
	if int(code) >= len(l.before) {
		return -1
	}
	return l.before[code]
}

// look returns what to show of the current categories.
func (p *Frequencies) look(s views.State, categories *microdata.Categories) *levelRows {
	if p.variable != s.Selected.Variable {
		p.variable, p.Search, p.Cursor = s.Selected.Variable, "", draw.Cursor{}
	}
	of := s.Categories(s.Selected.Variable)
	l := p.shown.Look(of, func() levelRows {
		before := of.Now.OriginalCounts(of.Before)
		largest := slices.Max(slices.Concat([]int{1}, categories.Counts(), before))
		return levelRows{of: categories, occurring: categories.Occurring(), before: before, largest: largest}
	})
	l.codes = *p.codes.Look(categoryFilter{categories, p.byCount, p.Search}, func() []uint32 {
		return matchingCodes(categories, views.LevelLabelOf(s, p.variable, categories, 0), strings.ToLower(p.Search), p.byCount)
	})
	return l
}

// matchingCodes returns the codes whose label contains a text, in the order of the levels or by descending number
// of records; missing is last.
func matchingCodes(categories *microdata.Categories, missing, want string, byCount bool) []uint32 {
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
	if counts[0] > 0 && strings.Contains(missing, want) {
		codes = append(codes, 0)
	}
	return codes
}
