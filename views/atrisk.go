package views

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// AtRisk is the pane of the violators of the screen's k, the riskiest first.
type AtRisk struct {
	list     list
	shown    violators
	widths   columnWidths
	decimals [2]bool // whether fk and Fk of the records in sight have decimals
}

// violators are the violators of one assessment. Those further down are looked
// up when they are wanted.
type violators struct {
	of      *risk.Assessment
	k       int
	count   int   // of all
	records []int // the first ones
}

var (
	_ MousePane = (*AtRisk)(nil)
	_ Explained = (*AtRisk)(nil)
	_ Named     = (*AtRisk)(nil)
)

// ID returns "records-at-risk".
func (*AtRisk) ID() string { return "records-at-risk" }

// Title returns what stands in the frame.
func (*AtRisk) Title() string { return "Records at risk" }

// TitleFor says how many records violate which k.
func (p *AtRisk) TitleFor(s State) string {
	if s.Current.Assessment == nil {
		return p.Title()
	}
	return fmt.Sprintf("%s · %s violate k = %d", p.Title(), Count(p.look(s, 0).count), s.K)
}

// Keys returns the keys of the pane.
func (*AtRisk) Keys() []key.Binding {
	return append(listKeys(), keyEnter("why"))
}

// firstViolators is the number of violators that are looked up at first.
const firstViolators = 512

// look returns the violators, at least up to a place where there are so many.
func (p *AtRisk) look(s State, place int) *violators {
	a, v := s.Current.Assessment, &p.shown
	if a == nil {
		p.shown = violators{}
		return v
	}
	if v.of != a || v.k != s.K {
		p.shown = violators{of: a, k: s.K, count: a.Table().Violators(a.KeyFrequencies(), s.K)}
	}
	if place >= len(v.records) && len(v.records) < v.count {
		// Eight times as many at each time: a walk over the file costs the same
		// for few and for many.
		limit := max(firstViolators, 8*len(v.records), place+1)
		v.records = a.RecordsAtRisk(limit, s.K)
	}
	return v
}

// HandleKey moves the cursor and opens the page of a record.
func (p *AtRisk) HandleKey(msg tea.KeyPressMsg, s State) Action {
	count := p.look(s, 0).count
	if count == 0 {
		return nil
	}
	switch {
	case p.list.move(msg, count):
		return SelectRecord{p.look(s, p.list.at).records[p.list.at]}
	case key.Matches(msg, keyEnter("")):
		p.list.clamp(count)
		return ShowRecord{p.look(s, p.list.at).records[p.list.at]}
	}
	return nil
}

// Click selects a record; on the cursor's line it opens it.
func (p *AtRisk) Click(_, y int, s State) Action {
	row := y - 1 + p.list.first
	v := p.look(s, max(0, row))
	if y < 1 || row >= len(v.records) {
		return nil
	}
	if row == p.list.at {
		return ShowRecord{v.records[row]}
	}
	p.list.at = row
	return SelectRecord{v.records[row]}
}

// Wheel scrolls.
func (p *AtRisk) Wheel(lines int, s State) Action {
	p.list.at += lines
	p.list.clamp(p.look(s, 0).count)
	return Handled{}
}

// View draws one line per record: number, key, fk, Fk and risk.
func (p *AtRisk) View(s State, width, height int, focused bool) string {
	a := s.Current.Assessment
	switch {
	case len(s.keys()) == 0:
		return sentence(s, "Records at risk are listed as soon as key variables are chosen.", width, height)
	case s.NotApplicable != "":
		return inapplicable(s, width, height)
	case a == nil:
		return sentence(s, s.waiting(), width, height)
	}
	count := p.look(s, 0).count
	if count == 0 {
		return sentence(s, p.nobody(s), width, height)
	}
	first, last := p.list.window(count, height-1)
	records := p.look(s, last-1).records
	columns, fields := p.fields(s, a, records[min(first, len(records)):min(last, len(records))], width)
	lines := []string{headings(s, fields, 1, width)}
	for i := first; i < min(last, len(records)); i++ {
		lines = append(lines, p.row(s, records[i], columns, fields, i == p.list.at, focused, width))
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// nobody says that there is no violator, and how many there are when blanks
// protect nobody else.
func (*AtRisk) nobody(s State) string {
	text := fmt.Sprintf("No record violates %d-anonymity under the rule %s.", s.K, s.Scenario.Rule)
	if v, ok := violatorsOf(s.Current.Assessment, s.K); ok && v.Conservative > 0 {
		text += fmt.Sprintf(" Under the conservative rule %s would, under the rule own category %s.", Count(v.Conservative), Count(v.OwnCategory))
	}
	return text
}

// fields returns the columns of the key variables, and of the whole table:
// record, key variables, fk, Fk, risk.
func (p *AtRisk) fields(s State, a *risk.Assessment, records []int, width int) (columns []*microdata.Column, fields []field) {
	fields = append(fields, field{head: "record", right: true, size: max(6, Width(Count(a.Records)))})
	for i, name := range s.keys() {
		column, ok := s.Current.Data.Column(name)
		if !ok {
			continue
		}
		size := max(min(12, Width(Safe(shortened(name)))), p.widths.of(column))
		columns = append(columns, column)
		fields = append(fields, field{head: name, right: column.Numeric(), size: min(18, size), least: min(5, size), rank: i + 2})
	}
	sample, population := 2, 2
	p.decimals = [2]bool{}
	for _, record := range records {
		f, F := a.Frequency(record)
		p.decimals[0], p.decimals[1] = p.decimals[0] || fractional(f), p.decimals[1] || fractional(F)
	}
	for _, record := range records {
		f, F := a.Frequency(record)
		sample = max(sample, Width(aligned(f, p.decimals[0])))
		population = max(population, Width(aligned(F, p.decimals[1])))
	}
	fields = append(fields, field{head: "fk", right: true, size: sample}, field{head: "Fk", right: true, size: population, rank: 1},
		field{head: "risk", right: true, size: 5})
	arrange(fields, width-2)
	spread(fields, width-2)
	return columns, fields
}

func (p *AtRisk) row(s State, record int, columns []*microdata.Column, fields []field, chosen, focused bool, width int) string {
	theme, a := s.Theme, s.Current.Assessment
	l := newLine(width, cursor(theme, chosen && focused, focused))
	plain := fresh(s, &theme.Plain)
	l.mark(plain, chosen)
	l.field(plain, fields[0], Count(record+1))
	for i, column := range columns {
		text, style := cellText(theme, column, record)
		if style == &theme.Changed {
			style = plain // a recoded variable differs in every cell
		}
		l.field(fresh(s, style), fields[i+1], text)
	}
	figures := fields[len(columns)+1:]
	sample, population := a.Frequency(record)
	l.field(plain, figures[0], aligned(sample, p.decimals[0]))
	l.field(plain, figures[1], aligned(population, p.decimals[1]))
	l.field(fresh(s, dangerStyle(theme, a.Risk(record))), figures[2], Probability(a.Risk(record)))
	return l.String()
}

// dangerStyle returns green up to a risk of 0.01, amber up to 0.1, red above.
func dangerStyle(theme *Theme, risk float64) *lipgloss.Style {
	switch {
	case risk > 0.1:
		return &theme.High
	case risk > 0.01:
		return &theme.Middle
	default:
		return &theme.Low
	}
}

// Figures explains the risk of the record under the cursor.
func (p *AtRisk) Figures(s State) []Figure {
	if s.NotApplicable != "" {
		return inapplicableFigures(s)
	}
	v := p.look(s, p.list.at)
	if p.list.clamp(v.count); v.count == 0 || p.list.at >= len(v.records) {
		return nil
	}
	return recordFigures(s, v.records[p.list.at])
}
