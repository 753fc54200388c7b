package views

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Record is the page of one record: its key, who shares it, why its risk is
// what it is, and which single suppression would protect it.
type Record struct {
	record int
	list   list
	shown  recordStory
}

// recordStory is what takes a walk over the key table, kept per assessment.
type recordStory struct {
	of      *risk.Assessment
	sharing []int // the first records with the identical key, others than this
	blanks  []blankStory
}

// blankStory says how many complete records would agree with the record if one
// of its cells were blank.
type blankStory struct {
	variable string
	complete int
}

var (
	_ Pane      = (*Record)(nil)
	_ Explained = (*Record)(nil)
)

// NewRecord returns the page of a record.
func NewRecord(record int) *Record { return &Record{record: record} }

// ID returns "record".
func (*Record) ID() string { return "record" }

// Title returns what stands in the frame.
func (p *Record) Title() string { return "Record " + Count(p.record+1) }

// Keys returns the keys of the page.
func (*Record) Keys() []key.Binding { return listKeys() }

// HandleKey scrolls.
func (p *Record) HandleKey(msg tea.KeyPressMsg, _ State) Action {
	if p.list.move(msg.String(), 1<<20) {
		return Handled{}
	}
	return nil
}

// story walks over the key table once per assessment.
func (p *Record) story(a *risk.Assessment, variables []string) *recordStory {
	if p.shown.of == a {
		return &p.shown
	}
	t := a.Table()
	p.shown = recordStory{of: a}
	own := t.Key(p.record)
	for record, other := range t.RecordKeys() {
		if other == own && record != p.record {
			if p.shown.sharing = append(p.shown.sharing, record); len(p.shown.sharing) == 8 {
				break
			}
		}
	}
	for v, variable := range variables {
		if t.Codes(v)[own] != 0 {
			p.shown.blanks = append(p.shown.blanks, blankStory{variable, agreeing(t, own, v)})
		}
	}
	slices.SortStableFunc(p.shown.blanks, func(a, b blankStory) int { return b.complete - a.complete })
	return &p.shown
}

// agreeing returns the number of complete records that agree with a key on all
// its values but that of the variable `without`. The record itself counts
// where its key is complete.
func agreeing(t *keys.Table, own uint32, without int) int {
	complete := 0
next:
	for key, count := range t.Counts() {
		for v := range t.Variables() {
			code := t.Codes(v)[key]
			if mine := t.Codes(v)[own]; code == 0 || v != without && mine != 0 && mine != code {
				continue next
			}
		}
		complete += int(count)
	}
	return complete
}

// View draws the page, scrolled.
func (p *Record) View(s State, width, height int, _ bool) string {
	a := s.Current.Assessment
	if a == nil || p.record >= s.Current.Data.Len() {
		return sentence(s, "The record's risk is known as soon as key variables are chosen.", width, height)
	}
	lines := p.lines(s, a, width)
	p.list.at = max(0, min(p.list.at, len(lines)-height))
	return Exactly(strings.Join(lines[p.list.at:], "\n"), width, height)
}

func (p *Record) lines(s State, a *risk.Assessment, width int) []string {
	theme := s.Theme
	e, story := a.Explain(p.record), p.story(a, s.Scenario.Keys)
	heading := func(text string) string { return theme.Title.Render(Fit(" "+text, width)) }
	lines := []string{heading("Its key")}
	for _, variable := range s.Scenario.Keys {
		lines = append(lines, theme.Plain.Render(Fit("   "+Fit(variable, 16)+" "+keyText(s, variable, p.record), width)))
	}
	lines = append(lines, "", heading("How many share it"))
	for _, text := range p.frequencyStory(s, e) {
		lines = append(lines, wrapped(theme.Plain.Render, "   "+text, width)...)
	}
	if len(story.sharing) > 0 {
		var numbers []string
		for _, record := range story.sharing {
			numbers = append(numbers, Count(record+1))
		}
		lines = append(lines, wrapped(theme.Faint.Render, "the same key: records "+strings.Join(numbers, ", "), width)...)
	}
	lines = append(lines, "", heading("Its risk"))
	for _, text := range riskStory(a, p.record, e) {
		lines = append(lines, wrapped(theme.Plain.Render, "   "+text, width)...)
	}
	lines = append(lines, "", heading("What would protect it"))
	return append(lines, p.protection(s, a, story, width)...)
}

func (p *Record) frequencyStory(s State, e risk.Explanation) []string {
	texts := []string{
		fmt.Sprintf("f = %s: %s with the identical key, itself included; %s complete and %s incomplete ones agree as far as their values go",
			Frequency(e.Sample), records(e.Identical), Count(e.Complete), Count(e.Incomplete)),
		fmt.Sprintf("rule %s, alpha %v", e.Rule, e.Alpha),
		"F = " + Frequency(e.Population) + ": so many persons of the population are estimated to have this key",
	}
	if e.Raised {
		texts = append(texts, "F is below f and counts as f: a population has no fewer persons than its sample")
	}
	return texts
}

func records(n int) string {
	if n == 1 {
		return "1 record"
	}
	return Count(n) + " records"
}

func riskStory(a *risk.Assessment, record int, e risk.Explanation) []string {
	texts := []string{fmt.Sprintf("r = %.6f by %s, with p = f/F = %.6f", e.Risk, e.Formula, e.P)}
	if a.Households != nil {
		texts = append(texts, fmt.Sprintf("of its household: %.6f, that at least one member is re-identified", a.HouseholdRiskOf(record)))
	}
	return texts
}

// protection lists what blanking one cell would do, the best first.
func (p *Record) protection(s State, a *risk.Assessment, story *recordStory, width int) []string {
	if !a.Violates(p.record, s.K) {
		return []string{s.Theme.Low.Render(Fit(fmt.Sprintf("   it does not violate %d-anonymity", s.K), width))}
	}
	var lines []string
	for _, b := range story.blanks {
		text := fmt.Sprintf("   blank %s: %s complete with these values", Safe(b.variable), records(b.complete))
		style := s.Theme.Faint
		if b.complete-1 >= s.K {
			text, style = text+fmt.Sprintf(", enough for k = %d", s.K), s.Theme.Low
		}
		lines = append(lines, style.Render(Fit(text, width)))
	}
	return lines
}

// Figures explains the record's risk.
func (p *Record) Figures(s State) []Figure {
	a := s.Current.Assessment
	if a == nil || p.record >= s.Current.Data.Len() {
		return nil
	}
	e := a.Explain(p.record)
	return []Figure{{
		Name: "Individual risk of record " + Count(p.record+1), Value: fmt.Sprintf("%.6f", e.Risk),
		Definition: "The probability that an intruder who knows the key of this person in the population links it to this record correctly.",
		Formula:    e.Formula.String(),
		Values: []string{"f = " + Frequency(e.Sample), fmt.Sprintf("F = %.2f", e.Population), fmt.Sprintf("p = f/F = %.6f", e.P),
			fmt.Sprintf("q = 1 - p = %.6f", 1-e.P)},
		Source: "Franconi and Polettini 2004; Hundepool et al. 2012, section 3.3",
	}}
}
