package pages

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/plan"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// protectionOption is a step that protects the record or contributes to that, with its effect on the whole file.
type protectionOption struct {
	name         string
	method       method.Method
	enough       bool // it protects the record
	texts        func(s views.State, w *protectionOption) []string
	known        bool     // it was tried
	consequences []string // violators and expected re-identifications; nil: not available
	cells        int      // number of cells it suppresses in the file
	here         []string // variables it suppresses in the record
}

// optionTable is a table of options of one kind; its options follow those of the table before.
type optionTable struct {
	columns []draw.Column
	options int
	none    string // shown if there are no options; "": nothing
}

// offer adds a table of options, none of them tried yet.
func (of *recordAnalysis) offer(none string, options []protectionOption, columns ...draw.Column) {
	of.options = append(of.options, options...)
	columns = append(columns, draw.Column{Head: "violators", Kind: draw.Counts, Size: 6},
		draw.Column{Head: "re-id.", Kind: draw.Counts, Size: 6})
	of.tables = append(of.tables, optionTable{columns, len(options), none})
}

// recodes offers recodes of one variable, the one with the least information loss first.
func (of *recordAnalysis) recodes(s views.State, record int) {
	var options []protectionOption
	for _, r := range plan.Protect(s.Current.Data, s.Scenario, s.Current.Assessment, s.K, record, mostMerges) {
		options = append(options, protectionOption{name: r.Steps[0].Name, method: r.Steps[0].Method, enough: true,
			texts: func(s views.State, _ *protectionOption) []string {
				return []string{r.Variable, views.RecodeText(s, r.Recode),
					wording.Frequency(r.Frequency), fmt.Sprintf("%.4f", r.Lost)}
			}})
	}
	of.offer("", options, draw.Column{Head: "recode", Size: 8, Least: 8}, draw.Column{Head: "into", Size: 12, Least: 8},
		draw.Column{Head: "f", Kind: draw.Counts, Size: 4}, draw.Column{Head: "bits", Kind: draw.Counts, Rank: 1})
}

// offerSuppressions offers to suppress single cells, the best first. Cells of grouped records cannot be suppressed.
func (of *recordAnalysis) offerSuppressions(s views.State, record int) {
	var options []protectionOption
	enough, none := fmt.Sprintf("✓ k = %d", s.K), "No value is left that could be suppressed."
	if s.Current.Data.Grouped() {
		none = "This is a frequency table: single cells cannot be suppressed."
	}
	for _, b := range s.Current.Assessment.Suppressions(record) {
		if s.Current.Data.Grouped() || b.Variable >= len(s.Keys()) { // the key variables have just changed
			continue
		}
		name, verdict := s.Keys()[b.Variable], ""
		if b.Conservative >= s.K {
			verdict = enough
		}
		options = append(options, protectionOption{name: suppress.CellsSpec().Name, enough: verdict != "",
			method: &suppress.Cells{Variables: []string{name}, Records: []int{s.Current.Data.SourceRecord(record) + 1}},
			texts: func(views.State, *protectionOption) []string {
				return []string{name, wording.Frequency(b.Scenario), draw.Count(b.Conservative), draw.Count(b.OwnCategory), verdict}
			}})
	}
	of.offer(none, options, draw.Column{Head: "suppress", Least: 8}, draw.Column{Head: "f", Kind: draw.Counts, Size: 4},
		draw.Column{Head: "conservative", Kind: draw.Counts, Rank: 1},
		draw.Column{Head: "own category", Kind: draw.Counts, Rank: 3},
		draw.Column{Size: draw.Width(enough) + 1, Rank: 2})
}

// everybody offers k-anonymity: the cells it suppresses in this record, and in total.
func (of *recordAnalysis) everybody(s views.State) {
	var options []protectionOption
	add := func(within string, strata []string) {
		m := suppress.NewKAnonymity()
		m.K, m.Strata = s.K, strata
		options = append(options, protectionOption{name: suppress.KAnonymitySpec().Name, method: m, enough: true,
			texts: func(_ views.State, w *protectionOption) []string {
				if !w.known {
					return []string{within, "…", "…"}
				}
				return []string{within, cmp.Or(strings.Join(w.here, ", "), "none"), draw.Count(w.cells)}
			}})
	}
	add("the whole file", []string{})
	if strata := plan.Strata(s.Current.Data, s.Scenario, s.K); len(strata) > 0 {
		add(strings.Join(strata, " × ")+" strata", strata)
	}
	of.offer("", options, draw.Column{Head: fmt.Sprintf("%d-anonymity in", s.K), Size: 16, Least: 10},
		draw.Column{Head: "this record", Least: 6}, draw.Column{Head: "all cells", Kind: draw.Counts, Size: 5, Rank: 1})
}

// Seek finds the ranks of the record, and tries the options one after the other.
func (p *Record) Seek(s views.State) views.Piece {
	if s.Stale || !p.known(s) {
		return nil
	}
	if piece := p.ranked.Seek(p.rankedBy(s),
		func(ctx context.Context) (recordRanks, error) { return p.rankAll(ctx, s) }); piece != nil || s.Try == nil {
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

// take stores the effect of an option.
func (w *protectionOption) take(s views.State, after *whatif.Result, k, record int) {
	if a := after.Assessment; a != nil {
		w.consequences = []string{draw.Count(a.Table().Violators(a.KeyFrequencies(), k)), wording.Amounts(a.Expected, s.Current.Assessment.Expected)[0]}
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

// figures returns the two columns with the effect on the whole file.
func (w *protectionOption) figures() []string {
	switch {
	case w.consequences != nil:
		return w.consequences
	case w.known:
		return []string{"–", "–"}
	default:
		return []string{"…", "…"}
	}
}

// protection lists the options to protect the record.
func (p *Record) protection(page *recordPage) {
	theme, analysis, a := page.Theme, p.Analysis(page.State), page.Current.Assessment
	page.section("Steps that protect this record")
	if !a.Violates(p.record, page.K) {
		page.paragraph(&theme.Low, fmt.Sprintf("This record does not violate %d-anonymity.", page.K))
	}
	if len(analysis.options) > 0 {
		page.paragraph(&theme.Faint,
			fmt.Sprintf("Each row shows the violators of k = %d (now %s) and the expected re-identifications (re-id., now %s) in the whole file after the step. Press enter to open it.",
				page.K, draw.Count(a.Table().Violators(a.KeyFrequencies(), page.K)), wording.Amount(a.Expected)))
	}
	options, heads := analysis.options, make([]string, len(analysis.tables))
	for i, t := range analysis.tables {
		if t.options == 0 && t.none != "" {
			page.paragraph(&theme.Faint, t.none)
		} else if t.options > 0 {
			heads[i] = page.table(t.columns, options[:t.options])
		}
		options = options[t.options:]
	}
	if strings.Contains(heads[0], "bits") {
		page.paragraph(&theme.Faint, "bits: information loss of the recode in bits per record.")
	}
	if analysis.tables[1].options > 0 {
		text := "suppress: f of the record after this cell is suppressed, under the scenario's rule and the conservative rule (a " +
			"missing value protects no complete record). "
		if strings.Contains(heads[1], "own category") {
			text = "suppress: f of the record after this cell is suppressed, under the scenario's rule, the conservative rule (a " +
				"missing value protects no complete record) and the own-category rule (a missing value counts as a category). "
		}
		page.paragraph(&theme.Faint, text+fmt.Sprintf("✓: f is at least %d under the conservative rule.", page.K))
	}
}

// table adds a table of options that can be opened, and returns its heading, without the columns for which there
// is no room.
func (p *recordPage) table(columns []draw.Column, options []protectionOption) string {
	t := draw.Table{Columns: columns, Rows: len(options), Indent: 3, Close: true, Row: func(i int) (cells []draw.Cell) {
		w, style := &options[i], &p.Plain
		if w.enough {
			style = &p.Low
		}
		for _, text := range append(w.texts(p.State, w), w.figures()...) {
			cells = append(cells, draw.Cell{Text: text, Style: style})
		}
		return cells
	}}
	for row := range options {
		p.options = append(p.options, len(p.lines)+1+row)
	}
	lines := t.Lines(draw.Look{Theme: p.Theme}, nil, p.width, len(options)+1, false)
	p.add(lines...)
	p.add("")
	return lines[0]
}
