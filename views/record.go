package views

import (
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/suggest"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Record is the page of one record: its key, who shares it, why its risk is
// what it is, and which single recode or suppression would protect it.
type Record struct {
	tablePane // the row of its cursor is the first line shown
	record    int
	shown     memo[assessmentAt, recordStory]
}

// assessmentAt is an assessment and a k of it.
type assessmentAt struct {
	*risk.Assessment
	k int
}

// recordStory is what takes a walk over the key table.
type recordStory struct {
	sharing []int // the first records with the identical key, others than this
	blanks  []blank
	recodes []suggest.Protection // of one variable, that would end the violation of k
}

// NewRecord returns the page of a record.
func NewRecord(record int) *Record {
	p := &Record{tablePane: tablePane{id: "record", title: "Record " + Count(record+1)}, record: record}
	p.content = func(State, int) Table { return Table{Rows: 1 << 20} } // lines to scroll through: View knows how many there are
	return p
}

// TitleFor also says which record of the source it is, where records were taken
// out or moved.
func (p *Record) TitleFor(s State) string {
	if s.Current.Data == nil || !s.Current.Data.Moved() || p.record >= s.records() {
		return p.Title()
	}
	return p.Title() + " · " + sourceRecord(s, p.record)
}

// mostMerges is the number of merges that are named for each variable without an
// order.
const mostMerges = 2

// mostSharing is the number of records with the same key that are named.
const mostSharing = 24

// story walks over the key table once per assessment and k.
func (p *Record) story(s State) *recordStory {
	a := s.Current.Assessment
	return p.shown.look(assessmentAt{a, s.K}, func() recordStory {
		return recordStory{sharing(a, p.record, mostSharing), blanks(a, p.record, s.keys()),
			suggest.Protect(s.Current.Data, s.Scenario, a, s.K, p.record, mostMerges)}
	})
}

// known reports whether the page has something to say.
func (p *Record) known(s State) bool {
	a := s.Current.Assessment
	return a != nil && s.Current.Data != nil && p.record >= 0 && p.record < min(a.Records, s.records())
}

// twoColumns is the width from which the page has two columns.
const twoColumns = 96

// View draws the page, scrolled.
func (p *Record) View(s State, width, height int, _ bool) string {
	if !p.known(s) {
		if s.NotApplicable != "" {
			return inapplicable(s, width, height)
		}
		return sentence(s, "The record's risk is known as soon as key variables are chosen and counted.", width, height)
	}
	part := func(width int, draws ...func(*recordPage)) []string {
		page := recordPage{State: s, width: width}
		for i, draw := range draws {
			if i > 0 {
				page.add("")
			}
			draw(&page)
		}
		return page.lines
	}
	var lines []string
	if width >= twoColumns {
		left := width/2 - 1
		lines = strings.Split(lipgloss.JoinHorizontal(lipgloss.Top, strings.Join(part(left, p.key, p.frequency), "\n"), "  ",
			strings.Join(part(width-left-2, p.risk, p.protection), "\n")), "\n")
	} else {
		lines = part(width, p.key, p.frequency, p.risk, p.protection)
	}
	p.cursor.page = height
	p.cursor.At = max(0, min(p.cursor.At, len(lines)-height))
	lines = lines[p.cursor.At:]
	if more := len(lines) - height; more > 0 && height > 3 {
		lines[height-1] = s.Theme.Key.Render(Fit(" ↓ "+wording.Counted(more+1, "more line"), width))
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// Figures explains the record's risk.
func (p *Record) Figures(s State) []Figure {
	if !p.known(s) {
		return nil
	}
	return recordFigures(s, p.record)
}
