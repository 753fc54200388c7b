package views

import (
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
	"github.com/sdcdesk/sdcdesk/engine/risk/suda"
)

// Record is the page of one record: its key, who shares it, why its risk is
// what it is, and which single recode or suppression would protect it.
type Record struct {
	tablePane
	wayList
	record   int
	shown    memo[assessmentAt, recordStory]
	standing ranked
}

var _ Seeker = (*Record)(nil)

// recordStory is what takes a walk over the key table.
type recordStory struct {
	sharing []int // the first records with the identical key, others than this
	blanks  []blank
	recodes []suggest.Protection // of one variable, that would end the violation of k
	ways    []way                // the steps of recodes, then of blanks, then others
	uniques []uint64             // its minimal sample uniques, as sets of key variables
}

// NewRecord returns the page of a record.
func NewRecord(record int) *Record {
	p := &Record{tablePane: tablePane{id: "record", title: "Record " + Count(record+1)}, record: record}
	p.content = func(State, int) Table { return Table{} } // it has no cursor on variables
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
		story := recordStory{sharing: sharing(a, p.record, mostSharing), blanks: blanks(a, p.record, s.keys()),
			recodes: suggest.Protect(s.Current.Data, s.Scenario, a, s.K, p.record, mostMerges), uniques: suda.OfKey(a.Table(), int(a.Table().Key(p.record)))}
		story.ways = story.waysOf(s, p.record)
		return story
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
		return s.Sentence("The record's risk is known as soon as key variables are chosen and counted.", width, height)
	}
	part := func(width int, draws ...func(*recordPage)) *recordPage {
		page := &recordPage{State: s, width: width}
		for i, draw := range draws {
			if i > 0 {
				page.add("")
			}
			draw(page)
		}
		return page
	}
	var lines []string
	if width >= twoColumns {
		left := width/2 - 1
		right := part(width-left-2, p.risk, p.ranks, p.protection)
		lines = strings.Split(Beside(strings.Join(part(left, p.key, p.frequency, p.uniques).lines, "\n"), left+2, strings.Join(right.lines, "\n")), "\n")
		p.places = right.places
	} else {
		page := part(width, p.key, p.frequency, p.uniques, p.risk, p.ranks, p.protection)
		lines, p.places = page.lines, page.places
	}
	return p.scrolled(s.Theme, lines, width, height)
}

// Figures explains the record's risk.
func (p *Record) Figures(s State) []Figure {
	if !p.known(s) {
		return nil
	}
	return recordFigures(s, p.record)
}

// recordPage are the lines of a part of the page, of a width.
type recordPage struct {
	State
	width  int
	lines  []string
	places []int // lines of the ways to protect the record
}

// run is a text in a style.
type run struct {
	style *Style
	text  string
}

func (p *recordPage) section(title string) { p.add(p.Theme.Title.Render(Fit(" "+title, p.width))) }

func (p *recordPage) add(lines ...string) { p.lines = append(p.lines, lines...) }

// item adds a line under the title of a section.
func (p *recordPage) item(runs ...run) {
	l := p.line()
	for _, r := range runs {
		l.text(r.style, r.text)
	}
	p.add(l.String())
}

func (p *recordPage) line() *line {
	l := newLine(p.width, nil)
	l.gap(3)
	return l
}

// paragraph adds a text in lines with an indent.
func (p *recordPage) paragraph(style *Style, text string) {
	p.add(indented(style.Render, text, 3, p.width)...)
}

// key lists the values of the key variables and what they were.
func (p *Record) key(page *recordPage) {
	page.section("The key")
	longest := 0
	for _, name := range page.keys() {
		longest = max(longest, min(widest, Width(Safe(shortened(name)))))
	}
	for _, name := range page.keys() {
		if column := page.Current.column(name); column != nil {
			l := page.line()
			l.left(&page.Theme.Faint, name, longest+2)
			cellStory(l, page.State, column, p.record, "  ", "missing")
			page.add(l.String())
		}
	}
}

// frequency says how many records share the key, under which rule.
func (p *Record) frequency(page *recordPage) {
	theme, a := page.Theme, page.Current.Assessment
	e, sharing := a.Explain(p.record), p.story(page.State).sharing
	page.section("How many share it")
	row := func(name string, n int) {
		l := page.line()
		l.left(&theme.Faint, name, 38)
		l.number(&theme.Plain, Count(n), 9)
		page.add(l.String())
	}
	row("identical key, itself included", e.Identical)
	if e.Complete+e.Incomplete > 0 {
		row("compatible, without missing values", e.Complete)
		row("compatible, with missing values", e.Incomplete)
	}
	style := &theme.Low
	if a.Violates(p.record, page.K) {
		style = &theme.High
	}
	page.item(run{&theme.Plain, "f = "}, run{style, wording.Frequency(e.Sample)},
		run{&theme.Plain, "   F = " + wording.Frequency(e.Population)}, run{&theme.Faint, "   rule " + string(e.Rule) + alphaOf(page.State)})
	if e.Raised {
		page.paragraph(&theme.Warning, "The weights add up to less than f: F counts as f, since a population has no fewer units than its sample.")
	}
	if len(sharing) > 0 {
		text := "The same key: records"
		for i, record := range sharing {
			text += [...]string{" ", "  "}[min(i, 1)] + Count(record+1)
		}
		if more := e.Identical - 1 - len(sharing); more > 0 {
			text += "  and " + Count(more) + " more"
		}
		page.paragraph(&theme.Faint, text)
	}
}

// risk shows the formula with the values put in, and the figures of the record that
// the page does not tell in its own way.
func (p *Record) risk(page *recordPage) {
	theme, a := page.Theme, page.Current.Assessment
	e := a.Explain(p.record)
	page.section("The risk")
	style := &theme.Faint
	for _, text := range e.Steps() {
		page.item(run{style, text})
		style = &theme.Plain
	}
	page.item(run{&theme.Plain, "r = "}, run{dangerStyle(theme, e.Risk), fmt.Sprintf("%.6f", e.Risk)})
	if households := a.HouseholdIndex(); households != nil {
		members, r := households.Members(households.Of(p.record)), a.HouseholdRiskOf(p.record)
		page.item(run{&theme.Faint, "household of " + wording.Counted(members, "member") + ": "}, run{dangerStyle(theme, r), fmt.Sprintf("%.6f", r)})
		if households.SingledOutBySize(households.Of(p.record)) {
			page.paragraph(&theme.High, "No other household has "+wording.Counted(members, "member")+": its size alone singles it out, whether that is a key variable or not.")
		}
	}
	for i := range page.Current.Figures {
		e := &page.Current.Figures[i]
		for c, column := range e.Columns() {
			if figure := e.Values.Record(c); figure != nil && column.Title != "" {
				value := measure.Value{Number: figure(p.record), Unit: column.Unit}
				page.item(run{&theme.Faint, column.Title + ": "}, run{&theme.Plain, value.Text()})
			}
		}
	}
}
