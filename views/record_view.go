package views

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

func section(s State, text string, width int) string {
	return s.Theme.Title.Render(Fit(" "+text, width))
}

// run is a text in a style.
type run struct {
	style *lipgloss.Style
	text  string
}

// item is a line under the title of a section.
func item(width int, runs ...run) string {
	l := itemLine(width)
	for _, r := range runs {
		l.text(r.style, r.text)
	}
	return l.String()
}

func itemLine(width int) *line {
	l := newLine(width, nil)
	l.gap(3)
	return l
}

// paragraph draws a text in lines with an indent.
func paragraph(render func(...string) string, text string, width int) []string {
	return indented(render, text, 3, width)
}

// key lists the values of the key variables and what they were.
func (p *Record) key(s State, width int) []string {
	theme := s.Theme
	lines := []string{section(s, "The key", width)}
	longest := 0
	for _, name := range s.keys() {
		longest = max(longest, min(widest, Width(Safe(shortened(name)))))
	}
	for _, name := range s.keys() {
		column, ok := s.Current.Data.Column(name)
		if !ok {
			continue
		}
		l := itemLine(width)
		l.left(&theme.Faint, name, longest+2)
		l.cellStory(theme, column, p.record, "  ", "missing")
		lines = append(lines, l.String())
	}
	return lines
}

// frequency says how many records share the key, under which rule.
func (p *Record) frequency(s State, width int) []string {
	theme, a := s.Theme, s.Current.Assessment
	e, story := a.Explain(p.record), p.story(s)
	lines := []string{section(s, "How many share it", width)}
	row := func(name string, n int) {
		l := itemLine(width)
		l.left(&theme.Faint, name, 38)
		l.number(&theme.Plain, Count(n), 9)
		lines = append(lines, l.String())
	}
	row("identical key, itself included", e.Identical)
	if e.Complete+e.Incomplete > 0 {
		row("compatible, without missing values", e.Complete)
		row("compatible, with missing values", e.Incomplete)
	}
	style := &theme.Low
	if a.Violates(p.record, s.K) {
		style = &theme.High
	}
	lines = append(lines, item(width, run{&theme.Plain, "f = "}, run{style, wording.Frequency(e.Sample)},
		run{&theme.Plain, "   F = " + wording.Frequency(e.Population)}, run{&theme.Faint, "   rule " + string(e.Rule) + alphaOf(s)}))
	if e.Raised {
		lines = append(lines, paragraph(theme.Warning.Render, "The weights add up to less than f: F counts as f, since a population has no fewer units than its sample.", width)...)
	}
	if len(story.sharing) > 0 {
		names := make([]string, len(story.sharing))
		for i, record := range story.sharing {
			names[i] = Count(record + 1)
		}
		text := "The same key: records " + strings.Join(names, "  ")
		if more := e.Identical - 1 - len(names); more > 0 {
			text += "  and " + Count(more) + " more"
		}
		lines = append(lines, paragraph(theme.Faint.Render, text, width)...)
	}
	return lines
}

// risk shows the formula with the values put in.
func (p *Record) risk(s State, width int) []string {
	theme, a := s.Theme, s.Current.Assessment
	e := a.Explain(p.record)
	lines := []string{section(s, "The risk", width)}
	for i, text := range e.Steps() {
		style := &theme.Plain
		if i == 0 {
			style = &theme.Faint
		}
		lines = append(lines, item(width, run{style, text}))
	}
	lines = append(lines, item(width, run{&theme.Plain, "r = "}, run{dangerStyle(theme, e.Risk), fmt.Sprintf("%.6f", e.Risk)}))
	if households := a.HouseholdIndex(); households != nil {
		members, r := households.Members(households.Of(p.record)), a.HouseholdRiskOf(p.record)
		lines = append(lines, item(width, run{&theme.Faint, "household of " + wording.Counted(members, "member") + ": "},
			run{dangerStyle(theme, r), fmt.Sprintf("%.6f", r)}))
	}
	return append(lines, p.measures(s, width)...)
}

// measures are the figures of the record that the page does not tell in its own
// way.
func (p *Record) measures(s State, width int) []string {
	var lines []string
	for i := range s.Current.Figures {
		e := &s.Current.Figures[i]
		for c, column := range e.Spec.Columns {
			if figure := e.Values.Record(c); figure != nil && column.Title != "" {
				value := measure.Value{Number: figure(p.record), Unit: column.Unit}
				lines = append(lines, item(width, run{&s.Theme.Faint, column.Title + ": "}, run{&s.Theme.Plain, value.Text()}))
			}
		}
	}
	return lines
}

// protection lists what blanking one cell would do, the best first.
func (p *Record) protection(s State, width int) []string {
	theme, a := s.Theme, s.Current.Assessment
	lines := []string{section(s, "What would protect it", width)}
	if !a.Violates(p.record, s.K) {
		lines = append(lines, paragraph(theme.Low.Render, fmt.Sprintf("It does not violate %d-anonymity.", s.K), width)...)
	}
	story := p.story(s)
	lines = append(lines, recodeLines(s, story.recodes, width)...)
	if len(story.blanks) == 0 {
		return append(lines, paragraph(theme.Faint.Render, "No value is left that could be suppressed.", width)...)
	}
	lines = append(lines, blankLines(s, story.blanks, width)...)
	return append(lines, paragraph(theme.Faint.Render, "Each line: f of the record if this one cell were missing, under the rule of the scenario, the conservative rule and the rule own category. "+
		"✓: protected even where blanks protect nobody else.", width)...)
}

// blankLines is the table of single suppressions.
func blankLines(s State, blanks []blank, width int) []string {
	enough := fmt.Sprintf("✓ k = %d", s.K)
	t := Table{
		Columns: []Column{
			{Head: "blank in", Least: 8},
			{Head: "f", Kind: Counts, Size: 7},
			{Head: "conservative", Kind: Counts},
			{Head: "own category", Kind: Counts, Rank: 2},
			{Size: Width(enough) + 1, Rank: 1},
		},
		Rows: len(blanks), Indent: 3, Close: true,
		Row: func(row int) []Cell {
			b, style, verdict := &blanks[row], &s.Theme.Plain, ""
			if b.conservative >= s.K {
				style, verdict = &s.Theme.Low, enough
			}
			return []Cell{{Text: b.variable, Style: style}, {Text: wording.Frequency(b.scenario), Style: style}, {Text: Count(b.conservative), Style: style},
				{Text: Count(b.ownCategory), Style: style}, {Text: verdict, Style: style}}
		},
	}
	return t.Lines(State{Theme: s.Theme}, nil, width, len(blanks)+1, false)
}
