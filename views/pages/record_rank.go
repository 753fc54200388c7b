package pages

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/risk/suda"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// mostUniques is the number of minimal sample uniques listed.
const mostUniques = 8

// uniques lists the smallest sets of key variables on which the record is unique.
func (p *Record) uniques(page *recordPage) {
	analysis := p.Analysis(page.State)
	page.section("Minimal sample uniques")
	if len(analysis.Uniques) == 0 {
		text := "None: no set of key variables makes the record unique."
		if size := suda.LargestSize(len(page.Keys())); size < len(page.Keys()) {
			text = fmt.Sprintf("None of up to %s.", wording.Counted(size, "variable"))
		}
		page.paragraph(&page.Low, text)
		return
	}
	for i, set := range analysis.Uniques {
		if i == mostUniques {
			page.item(run{&page.Faint, "and " + draw.Count(len(analysis.Uniques)-i) + " more"})
			break
		}
		names := suda.Names(set, page.Keys())
		for j, name := range names {
			names[j] = draw.Label(name)
			if column := page.Current.Column(name); column != nil {
				names[j] += " = " + draw.Label(page.WithCodeLabel(column, column.Text(p.record)))
			}
		}
		style := &page.Plain
		if len(names) == 1 {
			style = &page.High
		}
		page.paragraph(style, strings.Join(names, ", "))
	}
}

// recordRank is the rank of a record by one figure.
type recordRank struct {
	title, value string
	measure.Rank
}

// ranks lists the ranks of the record by its risk and by the figures of the active measures.
func (p *Record) ranks(page *recordPage) {
	s := page.State
	a := s.Current.Assessment
	page.section("Rank, highest first")
	r := a.Risk(p.record)
	higher, _ := a.Distribution().Above(r)
	rows := []recordRank{{"individual risk", wording.Probability(r), measure.Rank{Higher: higher, Of: a.Records}}}
	of := p.ranked.Found(p.rankedBy(s))
	if of != nil {
		rows = append(rows, of.ranks...)
	}
	const value, least = 9, 26
	texts, title, longest := make([]string, len(rows)), least, 0
	for i, row := range rows {
		texts[i] = draw.Count(row.Higher+1) + " of " + draw.Count(row.Of)
		title, longest = max(title, draw.Width(row.title)), max(longest, draw.Width(texts[i]))
	}
	title = max(least, min(title, page.line().Rest()-value-longest))
	style := views.DangerStyle(page.Theme, r)
	for i, row := range rows {
		l := page.line()
		l.Left(&page.Faint, row.title, title)
		l.Left(style, " "+row.value, value)
		l.Text(&page.Plain, texts[i])
		page.add(l.String())
		style = &page.Plain
	}
	if of == nil {
		page.paragraph(&page.Faint, "counting …")
	}
}

// rankedBy identifies the figures that the record is ranked by.
type rankedBy struct {
	assessment *risk.Assessment
	open       string // identifies the entries of the active measures
}

// recordRanks has the ranks of a record by the household risk and by the entries of measures.
type recordRanks struct {
	entries []*measure.Entry
	ranks   []recordRank
}

// rankedBy returns the figures to rank by: the risk and the active measures that are up to date.
func (p *Record) rankedBy(s views.State) rankedBy {
	return rankedBy{s.Current.Assessment, fmt.Sprint(entriesOf(s))}
}

// entriesOf returns the entries of the active measures that are up to date.
func entriesOf(s views.State) (entries []*measure.Entry) {
	for i := range s.Measures {
		if o := &s.Measures[i]; o.Current != nil && !o.Stale && o.Current.NotApplicable == "" {
			entries = append(entries, o.Current)
		}
	}
	return entries
}

// rankAll ranks the record among all records by each figure. The entries are kept with the ranks so that their
// addresses, part of the cache key, are not reused.
func (p *Record) rankAll(ctx context.Context, s views.State) (all recordRanks, err error) {
	all.entries = entriesOf(s)
	add := func(e *measure.Entry) {
		for c, column := range e.Columns() {
			figure := e.Values.Record(c)
			if figure == nil || column.Title == "" || ctx.Err() != nil {
				continue
			}
			v := measure.Value{Number: figure(p.record), Unit: column.Unit}
			if !math.IsNaN(v.Number) {
				all.ranks = append(all.ranks, recordRank{column.Title, v.Text(), measure.RankOf(s.Current.Data, figure, p.record)})
			}
		}
	}
	if e := s.Current.Figures.Find("household"); e != nil && e.NotApplicable == "" &&
		s.Current.Assessment.HouseholdIndex() != nil {
		named := *e
		named.Values.Columns = []measure.Column{{Title: "household risk", Unit: measure.Probability}}
		add(&named)
	}
	for _, e := range all.entries {
		add(e)
	}
	return all, ctx.Err()
}
