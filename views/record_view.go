package views

import (
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

func section(s State, text string, width int) string {
	return s.Theme.Title.Render(Fit(" "+text, width))
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
		l := newLine(width, nil)
		l.gap(3)
		l.left(&theme.Faint, name, longest+2)
		text, style := cellText(theme, column, p.record)
		switch style {
		case &theme.Suppressed:
			text = "suppressed"
		case &theme.Faint:
			text = "missing"
		case &theme.Changed:
			if column.Missing(p.record) {
				text = "missing"
			}
		}
		l.text(style, shortened(text))
		if style == &theme.Suppressed || style == &theme.Changed {
			l.text(&theme.Faint, "  was "+shortened(column.Source().Text(p.record)))
		}
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
		l := newLine(width, nil)
		l.gap(3)
		l.left(&theme.Faint, name, 38)
		l.number(&theme.Plain, Count(n), 9)
		lines = append(lines, l.String())
	}
	row("identical key, itself included", e.Identical)
	if e.Complete+e.Incomplete > 0 {
		row("compatible, without missing values", e.Complete)
		row("compatible, with missing values", e.Incomplete)
	}
	l := newLine(width, nil)
	l.gap(3)
	l.text(&theme.Plain, "f = ")
	style := &theme.Low
	if a.Violates(p.record, s.K) {
		style = &theme.High
	}
	l.text(style, Frequency(e.Sample))
	l.text(&theme.Plain, "   F = "+Frequency(e.Population))
	l.text(&theme.Faint, "   rule "+string(e.Rule)+alphaOf(s))
	lines = append(lines, l.String())
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
	for i, text := range riskSteps(e) {
		l := newLine(width, nil)
		l.gap(3)
		style := &theme.Plain
		if i == 0 {
			style = &theme.Faint
		}
		l.text(style, text)
		lines = append(lines, l.String())
	}
	l := newLine(width, nil)
	l.gap(3)
	l.text(&theme.Plain, "r = ")
	l.text(dangerStyle(theme, e.Risk), fmt.Sprintf("%.6f", e.Risk))
	lines = append(lines, l.String())
	if households := a.HouseholdIndex(); households != nil {
		members := households.Members(households.Of(p.record))
		l := newLine(width, nil)
		l.gap(3)
		l.text(&theme.Faint, "household of "+wording.Counted(members, "member")+": ")
		l.text(dangerStyle(theme, a.HouseholdRiskOf(p.record)), fmt.Sprintf("%.6f", a.HouseholdRiskOf(p.record)))
		lines = append(lines, l.String())
	}
	return lines
}

// riskSteps writes the formula, and again with the values put in.
func riskSteps(e risk.Explanation) []string {
	p, q, f := e.P, 1-e.P, Frequency(e.Sample)
	values := fmt.Sprintf("p = f/F = %s/%s = %.6f,  q = 1 - p = %.6f", f, Frequency(max(e.Population, e.Sample)), p, q)
	switch e.Formula {
	case risk.FormulaWhole:
		return []string{"r = 1/f, since f = F or there are no weights", "r = 1/" + f}
	case risk.FormulaOne:
		return []string{"r = p/q ln(1/p) for f = 1", values, fmt.Sprintf("r = %.6f/%.6f × ln(%.4f)", p, q, 1/p)}
	case risk.FormulaTwo:
		return []string{"r = p/q - (p/q)² ln(1/p) for f = 2", values, fmt.Sprintf("r = %.6f - %.6f² × ln(%.4f)", p/q, p/q, 1/p)}
	case risk.FormulaApprox:
		return []string{"r = p/(f - q) for f > 2", values, fmt.Sprintf("r = %.6f/(%s - %.6f)", p, f, q)}
	default:
		return []string{"r = (p^f/f) 2F1(f, f; f+1; q)", values, fmt.Sprintf("r = %.6f^%s/%s × 2F1(%s, %s; %s+1; %.6f)", p, f, f, f, f, f, q)}
	}
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
			return []Cell{{Text: b.variable, Style: style}, {Text: Frequency(b.scenario), Style: style}, {Text: Count(b.conservative), Style: style},
				{Text: Count(b.ownCategory), Style: style}, {Text: verdict, Style: style}}
		},
	}
	return t.Lines(State{Theme: s.Theme}, nil, width, len(blanks)+1, false)
}

// recordFigures explains f, F and risk of a record.
func recordFigures(s State, record int) []Figure {
	a := s.Current.Assessment
	if a == nil || record < 0 || record >= a.Records {
		return nil
	}
	e := a.Explain(record)
	name := "record " + Count(record+1)
	figures := []Figure{
		{Name: "Individual risk of " + name, Value: fmt.Sprintf("%.6f", e.Risk),
			Definition: "The probability that an intruder who knows the key of this person, and that the person is in the population, links it to this record correctly.",
			Formula:    e.Formula.String() + ", p = f/F, q = 1 - p",
			Values:     riskSteps(e),
			Source:     sourceRiskAll},
		{Name: "Sample frequency f of " + name, Value: Frequency(e.Sample),
			Definition: "How many records of the file cannot be told from this one by the key variables. How missing values count is said by the rule of the scenario.",
			Formula:    "identical + compatible ones as the rule counts them",
			Values: []string{"identical, itself included: " + Count(e.Identical), "compatible without missing values: " + Count(e.Complete),
				"compatible with missing values: " + Count(e.Incomplete), "rule " + string(e.Rule) + alphaOf(s)},
			Source: sourceGuide + "; " + sourceTempl + ", section 3.2.2"},
		{Name: "Population frequency F of " + name, Value: Frequency(e.Population),
			Definition: "How many units of the population have this key, estimated by the sum of the weights of the records that f counts.",
			Formula:    "sum of weights",
			Values:     []string{"F = " + Frequency(e.Population), fmt.Sprintf("p = f/F = %.6f", e.P)},
			Source:     sourceGuide},
	}
	if a.Households != nil {
		figures = append(figures, Figure{Name: "Household risk of " + name, Value: fmt.Sprintf("%.6f", a.HouseholdRiskOf(record)),
			Definition: "The probability that at least one member of the household is re-identified; every member has it.",
			Formula:    "1 - product over the members of (1 - r_j)",
			Values:     []string{"members: " + Count(a.HouseholdIndex().Members(a.HouseholdIndex().Of(record)))},
			Source:     sourceGuide + "; " + sourceHundep + ", section 3.3"})
	}
	return figures
}
