package pages

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// protectionOption is a step that would protect a record, or be a part of that, with what the whole
// file would have after it.
type protectionOption struct {
	name   string
	method method.Method
	within string   // of k-anonymity: in what it is reached
	known  bool     // it was tried
	told   []string // violators and expected re-identifications; nil: there are none
	cells  int      // that it suppresses in the file
	here   []string // variables that it suppresses in the record
}

// blank is a cell of the record that could be suppressed.
type blank struct {
	risk.Blank
	name string // of the variable
}

func namedBlanks(of []risk.Blank, names []string) (blanks []blank) {
	for _, b := range of {
		if b.Variable < len(names) { // else the key variables were just chosen anew
			blanks = append(blanks, blank{b, names[b.Variable]})
		}
	}
	return blanks
}

// optionsOf returns the steps that are listed, in their order, none of them tried yet.
func (of *recordAnalysis) optionsOf(s views.State, record int) (options []protectionOption) {
	for i := range of.recodes {
		options = append(options, protectionOption{name: recode.GroupSpec().Name, method: of.recodes[i].Recode})
	}
	for _, b := range of.blanks {
		cells := &suppress.Cells{Variables: []string{b.name}, Records: []int{s.Current.Data.SourceRecord(record) + 1}}
		options = append(options, protectionOption{name: suppress.CellsSpec().Name, method: cells})
	}
	if !s.Current.Assessment.Violates(record, s.K) {
		return options
	}
	all := func(within string, strata []string) {
		m := suppress.NewKAnonymity()
		m.K, m.Strata = s.K, strata
		options = append(options, protectionOption{name: suppress.KAnonymitySpec().Name, method: m, within: within})
	}
	all("the whole file", []string{})
	if strata := suggest.Strata(s.Current.Data, s.Scenario, s.K); len(strata) > 0 {
		all("strata of "+strings.Join(strata, ", "), strata)
	}
	return options
}

// Seek looks for the places of the record, and tries the options one after the other.
func (p *Record) Seek(s views.State) views.Piece {
	if s.Stale || !p.known(s) {
		return nil
	}
	if piece := p.ranked.Seek(p.rankedBy(s),
		func(ctx context.Context) (ranked, error) { return p.rankAll(ctx, s) }); piece != nil || s.Try == nil {
		return piece
	}
	options := p.Analysis(s).options
	at := slices.IndexFunc(options, func(w protectionOption) bool { return !w.known })
	if at < 0 {
		return nil
	}
	tried, k, record := options[at], s.K, p.record
	return p.shown.Extend(s.AssessmentAt(), func(ctx context.Context, _ time.Duration) (func(*recordAnalysis), error) {
		after, err := s.Try(ctx, tried.name, tried.method)
		if err == nil {
			tried.take(s, after, k, record)
		}
		tried.known = true
		return func(analysis *recordAnalysis) { analysis.options[at] = tried }, nil
	})
}

// take takes over what an option would give.
func (w *protectionOption) take(s views.State, after *whatif.Result, k, record int) {
	if a := after.Assessment; a != nil {
		w.told = []string{draw.Count(a.Table().Violators(a.KeyFrequencies(), k)), wording.Amount(a.Expected)}
	}
	if after.Report.Suppression == nil || after.Data == nil {
		return
	}
	w.cells = after.Report.Suppression.Total
	for _, name := range s.Keys() {
		now := s.Current.Column(name)
		if then, ok := after.Data.Column(name); ok && now != nil && then.Missing(record) && !now.Missing(record) {
			w.here = append(w.here, name)
		}
	}
}

// figures are the two columns of what the whole file would have.
func (w *protectionOption) figures() []string {
	switch {
	case w.told != nil:
		return w.told
	case w.known:
		return []string{"–", "–"}
	default:
		return []string{"…", "…"}
	}
}

// figureColumns are their headings.
func figureColumns() []draw.Column {
	return []draw.Column{{Head: "violators", Kind: draw.Counts, Size: 6}, {Head: "re-id", Kind: draw.Counts, Size: 6}}
}

// protection lists what would protect the record: recodes of one variable, the one that
// loses least detail first; single cells, the best first; k-anonymity.
func (p *Record) protection(page *recordPage) {
	theme, analysis, a := page.Theme, p.Analysis(page.State), page.Current.Assessment
	page.section("What would protect it")
	violates := a.Violates(p.record, page.K)
	if !violates {
		page.paragraph(&theme.Low, fmt.Sprintf("It does not violate %d-anonymity.", page.K))
	}
	if len(analysis.options) > 0 {
		page.paragraph(&theme.Faint,
			fmt.Sprintf("After each step, in the whole file: violators of k = %d (now %s) and expected re-identifications (re-id, now %s). Enter opens the step.",
				page.K, draw.Count(a.Table().Violators(a.KeyFrequencies(), page.K)), wording.Amount(a.Expected)))
	}
	rows := func(at, n int, columns []draw.Column, row func(i int) (*draw.Style, []string)) {
		page.table(append(columns, figureColumns()...), n, func(i int) (*draw.Style, []string) {
			style, texts := row(i)
			return style, append(texts, analysis.options[at+i].figures()...)
		})
	}
	if len(analysis.recodes) > 0 {
		page.recodes(analysis.recodes, rows)
	}
	cells := len(analysis.recodes)
	if page.Row() == "group" {
		page.paragraph(&theme.Faint, "Single cells of a group are not suppressed: records are not held in memory.")
	} else if len(analysis.blanks) == 0 {
		page.paragraph(&theme.Faint, "No value is left that could be suppressed.")
	} else {
		page.blanks(cells, analysis.blanks, rows)
	}
	if from := cells + len(analysis.blanks); from < len(analysis.options) {
		page.everybody(from, analysis.options[from:], rows)
	}
	if len(analysis.blanks) > 0 {
		page.paragraph(&theme.Faint,
			"blank in: f of the record if this one cell were missing, by the rule of the scenario; if blanks protect nobody else "+
				"(conservative); if a blank is a category (own category). ✓: the conservative f is enough.")
	}
}

// table adds a table whose rows have one style each and can be chosen.
func (p *recordPage) table(columns []draw.Column, rows int, row func(row int) (style *draw.Style, texts []string)) {
	t := draw.Table{Columns: columns, Rows: rows, Indent: 3, Close: true, Row: func(i int) []draw.Cell {
		style, texts := row(i)
		cells := make([]draw.Cell, len(texts))
		for i, text := range texts {
			cells[i] = draw.Cell{Text: text, Style: style}
		}
		return cells
	}}
	for row := range rows {
		p.options = append(p.options, len(p.lines)+1+row)
	}
	p.add(t.Lines(draw.Look{Theme: p.Theme}, nil, p.width, rows+1, false)...)
	p.add("")
}

// optionRows adds a table of so many options from a place on.
type optionRows func(at, n int, columns []draw.Column, row func(i int) (*draw.Style, []string))

func (p *recordPage) recodes(recodes []suggest.Protection, rows optionRows) {
	columns := []draw.Column{{Head: "recode", Size: 8, Least: 8}, {Head: "group", Size: 12, Least: 8},
		{Head: "f", Kind: draw.Counts, Size: 4},
		{Head: "bits lost", Kind: draw.Counts, Rank: 1}}
	rows(0, len(recodes), columns, func(i int) (*draw.Style, []string) {
		r := &recodes[i]
		return &p.Low, []string{r.Variable, views.GroupText(p.WithCodes(r.Variable, r.Recode.Levels)),
			wording.Frequency(r.Frequency), fmt.Sprintf("%.4f", r.Lost)}
	})
}

func (p *recordPage) blanks(at int, blanks []blank, rows optionRows) {
	enough := fmt.Sprintf("✓ k = %d", p.K)
	columns := []draw.Column{{Head: "blank in", Least: 8}, {Head: "f", Kind: draw.Counts, Size: 4},
		{Head: "conservative", Short: "cons.", Kind: draw.Counts, Rank: 1},
		{Head: "own category", Short: "own", Kind: draw.Counts, Rank: 2}, {Size: draw.Width(enough) + 1, Rank: 3}}
	rows(at, len(blanks), columns, func(i int) (*draw.Style, []string) {
		b, style, verdict := &blanks[i], &p.Plain, ""
		if b.Conservative >= p.K {
			style, verdict = &p.Low, enough
		}
		return style, []string{b.name, wording.Frequency(b.Scenario), draw.Count(b.Conservative), draw.Count(b.OwnCategory),
			verdict}
	})
}

// everybody lists k-anonymity: what it blanks in this record, and how many cells in all.
func (p *recordPage) everybody(at int, options []protectionOption, rows optionRows) {
	columns := []draw.Column{{Head: fmt.Sprintf("%d-anonymity in", p.K), Size: 16, Least: 10},
		{Head: "blanks here", Short: "here", Least: 6}, {Head: "cells", Kind: draw.Counts, Size: 5, Rank: 1}}
	rows(at, len(options), columns, func(i int) (*draw.Style, []string) {
		w := &options[i]
		here, cells := "…", "…"
		if w.known {
			if here, cells = "none", draw.Count(w.cells); len(w.here) > 0 {
				here = strings.Join(w.here, ", ")
			}
		}
		return &p.Low, []string{w.within, here, cells}
	})
}
