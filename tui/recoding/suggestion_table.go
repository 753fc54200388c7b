package recoding

import (
	"fmt"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// SuggestionTable lists suggested recodes: what is grouped, the violators left, how
// many fewer that is, also in percent and as a bar, and the detail lost, in percent
// of detail, which is that of all variables, and in bits. Rows that another one
// dominates are faint; named leaves the variables out, which the title names.
func SuggestionTable(s views.State, all []*suggest.Suggestion, detail float64, named bool,
	dominated func(row int) bool) draw.Table {
	from, most, group := 0, 1, 14
	if named {
		from = 1
	}
	for _, one := range all {
		most, group = max(most, one.Removed()), max(group, min(40, draw.Width(draw.Safe(views.SuggestionText(s, one)))))
	}
	columns := []draw.Column{
		{Head: "variable", Most: 14, Least: 8},
		{Head: "group", Size: group, Most: 40, Least: 22},
		{Head: "violators", Kind: draw.Counts},
		{Head: "fewer", Kind: draw.Counts, Size: 6},
		{Head: "%", Kind: draw.Counts, Size: 5, Rank: 1},
		{Kind: draw.Bars, Size: 8, Least: 3, Rank: 4},
		{Head: "detail lost", Short: "lost", Kind: draw.Counts, Size: 6, Rank: 2},
		{Head: "bits", Kind: draw.Counts, Rank: 3},
	}
	row := func(i int) []draw.Cell {
		one, style := all[i], &s.Theme.Strong
		if dominated(i) {
			style = &s.Theme.Faint
		}
		return []draw.Cell{
			{Text: one.Variable},
			{Text: views.SuggestionText(s, one), Style: style},
			{Text: draw.Count(one.After), Style: views.RiskStyle(s.Theme, one.After, s.Records())},
			{Text: fewer(one), Style: &s.Theme.Low},
			{Text: fmt.Sprintf("%.1f", 100*float64(one.Removed())/float64(max(1, one.Before)))},
			{Share: float64(one.Removed()) / float64(most), Style: &s.Theme.Bar},
			{Text: fmt.Sprintf("%.1f %%", 100*one.Lost/detail)},
			{Text: fmt.Sprintf("%.4f", one.Lost)},
		}[from:]
	}
	return draw.Table{Columns: columns[from:], Rows: len(all), Row: row}
}

// fewer says how many violators a suggestion removes.
func fewer(one *suggest.Suggestion) string { return "−" + draw.Count(one.Removed()) }

// SuggestionStory says in words what a suggestion does.
func SuggestionStory(s views.State, one *suggest.Suggestion) string {
	variable := one.Variable
	if label := s.VariableLabel(variable); label != "" {
		variable += " (" + draw.Shortened(label) + ")"
	}
	lost := fmt.Sprintf("It loses %.4f of the %.3f bits that %s tells; %s violators fewer per bit.", one.Lost,
		one.Detail, one.Variable, wording.Amount(one.Rate()))
	if one.Intervals != nil {
		return fmt.Sprintf("%s is cut into %s of the width %s. ", variable,
			wording.Counted(len(one.Intervals.Breaks)-1, "interval"),
			strconv.FormatFloat(one.Width, 'f', -1, 64)) + lost
	}
	return fmt.Sprintf("%s categories of %s become one, %q: %s. ", draw.Count(len(one.Recode.Levels)), variable,
		draw.Shortened(one.Label),
		wording.Counted(one.Records, "record")) + lost
}
