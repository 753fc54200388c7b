package pages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk/suda"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Record is the page of one record: its key pattern, the records that share it, the reasons for its risk, and the
// single recodes or suppressions that would protect it.
type Record struct {
	views.TablePane
	record int
	drawn  *recordPage // the part with the cursor
	left   int         // width of the part to its left
	shown  views.Cache[views.AssessmentAt, recordAnalysis]
	ranked views.Cache[rankedBy, recordRanks]
}

var _ views.Seeker = (*Record)(nil)

// recordAnalysis is what takes a pass over the key table.
type recordAnalysis struct {
	sameKey []int              // the first other records with the same key pattern
	options []protectionOption // the options of all tables
	tables  []optionTable      // recodes, single cells, and for violators k-anonymity
	Uniques []uint64           // its minimal sample uniques, as sets of key variables
}

// NewRecord returns the page of a record.
func NewRecord(record int) *Record {
	p := &Record{record: record, drawn: &recordPage{}, TablePane: views.TablePane{PaneID: "record",
		Heading: "Record " + draw.Count(record+1), Enter: "open the step"}}
	p.Content = p.table
	return p
}

// TitleFor names the record, and its original record if records were removed or moved.
func (p *Record) TitleFor(s views.State) string {
	switch data := s.Current.Data; {
	case data == nil || p.record >= s.Rows():
		return p.Title()
	case data.Grouped():
		return "Group " + draw.Count(p.record+1) + " · " + wording.Counted(int(data.Multiplicity()[p.record]), "record")
	case !data.Moved():
		return p.Title()
	}
	return p.Title() + " · " + views.SourceRecord(s, p.record)
}

// mostMerges is the number of merges offered for each variable without an order.
const mostMerges = 2

// maxSameKey is the number of records listed with the same key pattern.
const maxSameKey = 24

// Analysis returns the analysis, which is done once per assessment and k.
func (p *Record) Analysis(s views.State) *recordAnalysis {
	a := s.Current.Assessment
	return p.shown.Look(s.AssessmentAt(), func() recordAnalysis {
		analysis := recordAnalysis{sameKey: a.Table().SameKey(p.record, maxSameKey),
			Uniques: suda.OfKey(a.Table(), int(a.Table().Key(p.record)))}
		analysis.recodes(s, p.record)
		if analysis.offerSuppressions(s, p.record); a.Violates(p.record, s.K) {
			analysis.everybody(s)
		}
		return analysis
	})
}

// known reports whether the page has something to show.
func (p *Record) known(s views.State) bool {
	a := s.Current.Assessment
	return a != nil && s.Current.Data != nil && p.record >= 0 && p.record < min(a.Records, s.Rows())
}

// twoColumns is the width from which the page has two columns.
const twoColumns = 96

// View draws the page, scrolled.
func (p *Record) View(s views.State, width, height int, focused bool) string {
	if !p.known(s) {
		if s.NotApplicable != "" {
			return views.Inapplicable(s, width, height)
		}
		return s.Sentence("Choose key variables to see the risk of the record.", width, height)
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
	p.left = 0
	if left := width/2 + 1; width >= twoColumns {
		if leftColumn := part(left-2, p.key, p.frequency, p.uniques).lines; len(leftColumn) <= height {
			p.left, p.drawn = left, part(width-left, p.risk, p.ranks, p.protection)
			right := p.options(s, width-left, height, focused)
			return draw.Exactly(draw.SideBySide(strings.Join(leftColumn, "\n"), left, right), width, height)
		}
	}
	p.drawn = part(width, p.key, p.frequency, p.uniques, p.risk, p.ranks, p.protection)
	return p.options(s, width, height, focused)
}

// options draws the part of the page with the options to protect the record. The cursor starts on the first option
// if that is visible.
func (p *Record) options(s views.State, width, height int, focused bool) string {
	if options := p.drawn.options; p.Cursor.At == 0 && len(options) > 0 && options[0] < height-1 {
		p.Cursor.At = options[0]
	}
	return p.TablePane.View(s, width, height, focused)
}

// table has the lines of the page; those with options can be opened.
func (p *Record) table(s views.State, _ int) draw.Table {
	option := func(line int) int { return slices.Index(p.drawn.options, line) }
	t := draw.TextOf(p.drawn.lines, func(line int) bool { return option(line) >= 0 })
	t.Open = func(line int) draw.Action {
		if options := p.Analysis(s).options; !s.Stale && option(line) < len(options) {
			return views.OpenStep{Name: options[option(line)].name, Method: options[option(line)].method}
		}
		return nil
	}
	return t
}

// Click moves the cursor to an option, or opens the one under it.
func (p *Record) Click(x, y int, s views.State) draw.Action { return p.TablePane.Click(x-p.left, y, s) }

// Figures explains the record's risk.
func (p *Record) Figures(s views.State) []views.Figure {
	if !p.known(s) {
		return nil
	}
	return views.RecordFigures(s, p.record)
}

// recordPage is the lines of a part of the page.
type recordPage struct {
	views.State
	width   int
	lines   []string
	options []int // the lines with options to protect the record
}

// run is a text in a style.
type run struct {
	style *draw.Style
	text  string
}

func (p *recordPage) section(title string) { p.add(p.Title.Fit(" "+title, p.width)) }

func (p *recordPage) add(lines ...string) { p.lines = append(p.lines, lines...) }

// item adds a line under the title of a section.
func (p *recordPage) item(runs ...run) {
	l := p.line()
	for _, r := range runs {
		l.Text(r.style, r.text)
	}
	p.add(l.String())
}

func (p *recordPage) line() *draw.Line {
	l := draw.NewLine(p.width, nil)
	l.Gap(3)
	return l
}

// paragraph adds a text in lines with an indent.
func (p *recordPage) paragraph(style *draw.Style, text string) {
	p.add(style.Indented(text, 3, p.width)...)
}

// key lists the values of the key variables and what they were.
func (p *Record) key(page *recordPage) {
	page.section("Key pattern")
	longest := 0
	for _, name := range page.Keys() {
		longest = max(longest, min(draw.Widest, draw.Width(draw.Label(name))))
	}
	for _, name := range page.Keys() {
		if column := page.Current.Column(name); column != nil {
			l := page.line()
			l.Left(&page.Faint, name, longest+2)
			views.CellInWords(l, page.State, column, p.record, "  ", "missing")
			page.add(l.String())
		}
	}
}

// frequency reports how many records share the key pattern, and under which rule.
func (p *Record) frequency(page *recordPage) {
	theme, a := page.Theme, page.Current.Assessment
	e, sameKey := a.Explain(p.record), p.Analysis(page.State).sameKey
	page.section("Records with this key pattern")
	row := func(name string, n int) {
		l := page.line()
		l.Left(&theme.Faint, name, 38)
		l.Number(&theme.Plain, draw.Count(n), 9)
		page.add(l.String())
	}
	row("identical key pattern", e.Identical)
	if e.Complete+e.Incomplete > 0 {
		row("compatible, without missing values", e.Complete)
		row("compatible, with missing values", e.Incomplete)
	}
	style := &theme.Low
	if a.Violates(p.record, page.K) {
		style = &theme.High
	}
	page.item(run{&theme.Plain, "f = "}, run{style, wording.Frequency(e.Sample)},
		run{&theme.Plain, "   F = " + wording.Frequency(e.Population)},
		run{&theme.Faint, "   rule for missing values " + string(e.Rule) + views.AlphaOf(page.State)})
	if e.Raised {
		page.paragraph(&theme.Warning,
			"The weights sum to less than f, so F is set to f: the population has at least as many units as the sample.")
	}
	if len(sameKey) > 0 {
		text := "Same key pattern: " + page.Row() + "s"
		for i, record := range sameKey {
			text += [...]string{" ", "  "}[min(i, 1)] + draw.Count(record+1)
		}
		more, unit := e.Identical-1-len(sameKey), ""
		if records := page.Current.Data.Multiplicity(); records != nil {
			more, unit = e.Identical-records[p.record], " records"
			for _, group := range sameKey {
				more -= records[group]
			}
		}
		if more > 0 {
			text += "  and " + draw.Count(more) + " more" + unit
		}
		page.paragraph(&theme.Faint, text)
	}
}

// risk shows the formula with its values, and the figures of the record that have no section.
func (p *Record) risk(page *recordPage) {
	theme, a := page.Theme, page.Current.Assessment
	e := a.Explain(p.record)
	page.section("Risk")
	style := &theme.Faint
	for _, text := range e.Steps() {
		page.paragraph(style, text)
		style = &theme.Plain
	}
	page.item(run{&theme.Plain, "r = "}, run{views.DangerStyle(theme, e.Risk), fmt.Sprintf("%.6f", e.Risk)})
	if households := a.HouseholdIndex(); households != nil {
		members, r := households.Members(households.Of(p.record)), a.HouseholdRiskOf(p.record)
		page.item(run{&theme.Faint, "household of " + wording.Counted(members, "member") + ": "},
			run{views.DangerStyle(theme, r), fmt.Sprintf("%.6f", r)})
		if households.SingledOutBySize(households.Of(p.record)) {
			page.paragraph(&theme.High,
				"No other household has "+wording.Counted(members,
					"member")+": its size alone isolates it, even if size is not a key variable.")
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
