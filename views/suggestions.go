package views

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/suggest"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// SuggestionRows draws suggested recodes as a table of at most height lines, the
// chosen one in sight: what is grouped, the violators left, how many fewer that
// is, with a bar, and the detail lost. Figures of an older search are faint and
// marked.
func SuggestionRows(s State, all []suggest.Suggestion, chosen int, pending bool, width, height int) []string {
	if len(all) == 0 || height < 1 {
		return nil
	}
	t := suggestionTable(s, all)
	c := Cursor{At: chosen, first: max(0, chosen-(height-1)/2)}
	s.Stale = s.Stale || pending
	return t.Lines(s, &c, width, height, true)
}

// suggestionTable has the columns variable, categories, violators, fewer,
// percent, a bar, bits.
func suggestionTable(s State, all []suggest.Suggestion) Table {
	from, most, group := 1, 1, 14 // the title names the variable where there is one only
	for i := range all {
		most, group = max(most, all[i].Removed()), max(group, min(40, Width(Safe(suggestionText(&all[i])))))
		if all[i].Variable != all[0].Variable {
			from = 0
		}
	}
	columns := []Column{
		{Head: "variable", Most: 14, Least: 8},
		{Head: "group", Size: group, Most: 40, Least: 22},
		{Head: "violators", Kind: Counts},
		{Head: "fewer", Kind: Counts, Size: 6},
		{Head: "%", Kind: Counts, Size: 5, Rank: 1},
		{Kind: Bars, Size: 8, Least: 3, Rank: 3},
		{Head: "bits lost", Kind: Counts, Rank: 2},
	}
	row := func(i int) []Cell {
		one := &all[i]
		return []Cell{
			{Text: one.Variable},
			{Text: suggestionText(one), Style: &s.Theme.Strong},
			{Text: Count(one.After), Style: riskStyle(s.Theme, one.After, s.records())},
			{Text: fewer(one), Style: &s.Theme.Low},
			{Text: fmt.Sprintf("%.1f", 100*float64(one.Removed())/float64(max(1, one.Before)))},
			{Share: float64(one.Removed()) / float64(most), Style: &s.Theme.Bar},
			{Text: fmt.Sprintf("%.4f", one.Lost)},
		}[from:]
	}
	return Table{Columns: columns[from:], Rows: len(all), Row: row}
}

// fewer says how many violators a suggestion removes.
func fewer(one *suggest.Suggestion) string { return "−" + Count(one.Removed()) }

// groupText names the categories of a group in one line: two or three of them
// all, of more the first and the last.
func groupText(levels []string) string {
	if n := len(levels); n > 3 {
		return shortened(levels[0]) + " … " + shortened(levels[n-1]) + " (" + Count(n) + ")"
	}
	return shortened(strings.Join(levels, " + "))
}

// suggestionText names what a suggestion does, in one line.
func suggestionText(one *suggest.Suggestion) string {
	if one.Intervals != nil {
		return fmt.Sprintf("intervals of %s (%s)", strconv.FormatFloat(one.Width, 'f', -1, 64), Count(len(one.Intervals.Breaks)-1))
	}
	return groupText(one.Recode.Levels)
}

// SuggestionStory says in words what a suggestion does.
func SuggestionStory(one *suggest.Suggestion) string {
	lost := fmt.Sprintf("It loses %.4f of the %.3f bits that %s tells; %s violators fewer per bit.", one.Lost, one.Detail, one.Variable, wording.Amount(one.Rate()))
	if one.Intervals != nil {
		return fmt.Sprintf("%s is cut into %s of the width %s. ", one.Variable, wording.Counted(len(one.Intervals.Breaks)-1, "interval"),
			strconv.FormatFloat(one.Width, 'f', -1, 64)) + lost
	}
	return fmt.Sprintf("%s categories of %s become one, %q: %s. ", Count(len(one.Recode.Levels)), one.Variable, shortened(one.Label),
		wording.Counted(one.Records, "record")) + lost
}
