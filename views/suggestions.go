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
	first := 0
	if rows := height - 1; len(all) > rows && rows > 0 {
		first = max(0, min(chosen-rows/2, len(all)-rows))
	}
	shown := all[first:min(len(all), first+max(1, height-1))]
	most := 1
	for i := range all {
		most = max(most, all[i].Removed())
	}
	fields := suggestionFields(all, width-1)
	s.Stale = s.Stale || pending
	lines := []string{headings(s, fields, 1, width)}
	for i := range shown {
		lines = append(lines, suggestionRow(s, &shown[i], fields, most, first+i == chosen, width))
	}
	return lines
}

// suggestionFields are the columns: variable, categories, violators, fewer,
// percent, a bar, bits.
func suggestionFields(all []suggest.Suggestion, width int) []field {
	fields := []field{
		{head: "variable", size: 8},
		{head: "group", size: 14},
		{head: "violators", right: true, size: 9},
		{head: "fewer", right: true, size: 6},
		{head: "%", right: true, size: 5, rank: 1},
		{head: "", size: 8, rank: 3},
		{head: "bits lost", right: true, size: 9, rank: 2},
	}
	several := false
	for i := range all {
		several = several || all[i].Variable != all[0].Variable
		fields[0].size = max(fields[0].size, min(14, Width(Safe(shortened(all[i].Variable)))))
		fields[1].size = max(fields[1].size, min(40, Width(Safe(suggestionText(&all[i])))))
		fields[2].size = max(fields[2].size, Width(Count(all[i].After)))
		fields[3].size = max(fields[3].size, Width(fewer(&all[i])))
	}
	fields[0].least, fields[1].least, fields[5].least = min(8, fields[0].size), min(22, fields[1].size), 3
	if !several {
		fields[0] = field{} // the title names it
	}
	arrange(fields, width)
	return fields
}

func suggestionRow(s State, one *suggest.Suggestion, fields []field, most int, chosen bool, width int) string {
	theme := s.Theme
	l := newLine(width, cursor(theme, chosen, true))
	l.mark(&theme.Strong, chosen)
	l.field(&theme.Plain, fields[0], one.Variable)
	l.field(&theme.Strong, fields[1], suggestionText(one))
	l.field(fresh(s, riskStyle(theme, one.After, s.records())), fields[2], Count(one.After))
	l.field(fresh(s, &theme.Low), fields[3], fewer(one))
	l.field(fresh(s, &theme.Plain), fields[4], fmt.Sprintf("%.1f", 100*float64(one.Removed())/float64(max(1, one.Before))))
	if l.next(fields[5]) {
		l.put(fresh(s, &theme.Bar), Bar(float64(one.Removed())/float64(most), fields[5].size), fields[5].size)
	}
	l.field(fresh(s, &theme.Plain), fields[6], fmt.Sprintf("%.4f", one.Lost))
	return l.String()
}

// fewer says how many violators a suggestion removes.
func fewer(one *suggest.Suggestion) string { return "−" + Count(one.Removed()) }

// groupText names the categories of a group in one line: two or three of them
// all, of more the first and the last.
func groupText(levels []string) string {
	short := make([]string, 0, 3)
	for i := range levels {
		if len(levels) <= 3 || i == 0 || i == len(levels)-1 {
			short = append(short, shortened(levels[i]))
		}
	}
	if len(levels) <= 3 {
		return strings.Join(short, " + ")
	}
	return strings.Join(short, " … ") + " (" + Count(len(levels)) + ")"
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
	lost := fmt.Sprintf("It loses %.4f of the %.3f bits that %s tells; %s violators fewer per bit.", one.Lost, one.Detail, one.Variable, Amount(one.Rate()))
	if one.Intervals != nil {
		return fmt.Sprintf("%s is cut into %s of the width %s. ", one.Variable, wording.Counted(len(one.Intervals.Breaks)-1, "interval"),
			strconv.FormatFloat(one.Width, 'f', -1, 64)) + lost
	}
	return fmt.Sprintf("%s categories of %s become one, %q: %s. ", Count(len(one.Recode.Levels)), one.Variable, shortened(one.Label),
		wording.Counted(one.Records, "record")) + lost
}
