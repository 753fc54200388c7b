package overview

import (
	"slices"
	"sort"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Risk is the pane of individual, global and household risk.
type Risk struct {
	views.TablePane
	now, before views.Cache[*risk.Assessment, riskBins]
}

// NewRisk returns the pane of the risk.
func NewRisk() *Risk {
	p := &Risk{TablePane: views.TablePane{PaneID: "risk", Heading: "Risk", Risk: true,
		Keyless: "Choose key variables to estimate the risk."}}
	p.Content = p.table
	p.Explained = func(s views.State) []views.Figure { return views.ExplainShown(s, s.Current.Figures, measure.Screen) }
	return p
}

// riskBins are the numbers of records by class of individual risk.
type riskBins [len(paneEnds)]int

// paneEnds are the upper ends of the risk classes.
var paneEnds = [...]float64{0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1}

// riskBinsOf counts the records of a version, once per assessment.
func riskBinsOf(known *views.Cache[*risk.Assessment, riskBins], of views.Version) *riskBins {
	return known.Look(of.Assessment, func() (bins riskBins) {
		counts := of.Assessment.Table().Counts()
		for key, r := range of.Assessment.KeyRisks() {
			bins[min(sort.SearchFloat64s(paneEnds[:], r), len(paneEnds)-1)] += int(counts[key])
		}
		return bins
	})
}

// rows returns the figures that measures show on the screen: name, value, and the original value if there is room
// for it.
func (*Risk) rows(s views.State) [][]draw.Cell {
	var rows, late [][]draw.Cell
	var values []*measure.Value
	s.Current.Figures.Shown(measure.Screen, func(e *measure.Entry, now *measure.Value) {
		if was := s.Original.Figures.Like(e.Spec.Name, now); was != nil {
			values = append(values, now, was)
		}
	})
	texts := measure.Texts(values...)
	s.Current.Figures.Shown(measure.Screen, func(e *measure.Entry, now *measure.Value) {
		was := s.Original.Figures.Like(e.Spec.Name, now)
		if was == nil {
			return
		}
		style := &s.Strong
		if now.Unit == measure.Mean {
			style = views.DangerStyle(s.Theme, now.Number)
		}
		name, short := now.Row()
		row := []draw.Cell{{Text: name, Short: short}, {Text: texts[0], Was: texts[1], Style: style}}
		texts = texts[2:]
		if now.Late {
			late = append(late, row)
		} else {
			rows = append(rows, row)
		}
	})
	for i := range s.Current.Figures {
		if e := &s.Current.Figures[i]; e.NotApplicable != "" && e.Spec.Shown&measure.Screen != 0 {
			late = append(late, []draw.Cell{{Text: e.Spec.Title}, {Text: draw.NoFigure, Style: &s.Warning}})
		}
	}
	return append(rows, late...)
}

// table has no rows: figures and the distribution of the individual risks are above them.
func (p *Risk) table(s views.State, _ int) draw.Table {
	return draw.Table{Above: func(width, height int) []string { return p.lines(s, width, height) }}
}

func (p *Risk) lines(s views.State, width, height int) []string {
	rows := p.rows(s)
	size := draw.PairSize{}
	for _, row := range rows {
		size.Grow(draw.Pair{Now: row[1].Text, Original: row[1].Was})
	}
	if width-3-size.Size() < 12 {
		for _, row := range rows {
			row[1].Was = ""
		}
	}
	figures := draw.Table{Columns: []draw.Column{{Size: width, Least: 1}, {Kind: draw.Pairs}}, Rows: len(rows),
		Row: func(row int) []draw.Cell { return rows[row] }}
	lines := figures.Lines(s.Look, nil, width, len(rows), false)
	if s.Stale && len(lines) > 0 {
		lines[0] = draw.Ending(lines[0], &s.Warning, draw.StaleMark, width)
	}
	if s.Scenario.Weight == "" {
		lines = append(lines, s.Fresh(&s.Warning).Indented(risk.NoWeight, 1, width)...)
	}
	room := height - len(lines) - 1
	for _, each := range []int{1, 2, 3} {
		if bars := riskBars(each); bars <= room {
			if bars+1 < room {
				lines = append(lines, p.ownSize(s, width)...)
			}
			if bars < room {
				lines = append(lines, "")
			}
			return append(lines, p.distribution(s, each, width)...)
		}
	}
	return append(lines, p.inWords(s, width))
}

// ownSize returns a note if there are households that are identified by their size alone.
func (*Risk) ownSize(s views.State, width int) []string {
	v := s.Current.Figures.Value("household", "only_of_size", 0)
	if v == nil || v.Number == 0 {
		return nil
	}
	return []string{s.Fresh(&s.Warning).Fit(" isolated by household size: "+wording.Counted(int(v.Number), "record"),
		width)}
}

// inWords returns the distribution in one line, if there is no room for bars: the records above each tenfold risk,
// without the lowest if the line is narrow.
func (p *Risk) inWords(s views.State, width int) string {
	bins := riskBinsOf(&p.now, s.Current)
	var texts []string
	records := 0
	for i := len(paneEnds) - 1; i > 0; i-- {
		if records += bins[i]; (i-1)%3 == 0 {
			texts = slices.Insert(texts, 0, "> "+views.RoundEnd(paneEnds[i-1])+": "+draw.Count(records))
		}
	}
	for len(texts) > 1 && draw.Width(" risk "+strings.Join(texts, "  ")) > width {
		texts = texts[1:]
	}
	return s.Fresh(&s.Plain).Fit(" risk "+strings.Join(texts, "  "), width)
}

// riskBars returns the number of bars if each joins so many classes, except the first, which has one.
func riskBars(each int) int { return 1 + (len(paneEnds)-2+each)/each }

// distribution draws the number of records by individual risk, now and in the original. Each bar joins so many
// classes, except the first, which has one.
func (p *Risk) distribution(s views.State, each, width int) []string {
	now, before := riskBinsOf(&p.now, s.Current), riskBinsOf(&p.before, s.Original)
	bars := make([]views.RiskBar, riskBars(each))
	for i, end := range paneEnds {
		bar := &bars[(i+each-1)/each]
		*bar = views.RiskBar{End: views.RoundEnd(end), Now: bar.Now + now[i], Before: bar.Before + before[i],
			Style: views.DangerStyle(s.Theme, end)}
	}
	t := views.RiskBars(bars)
	if row := t.Row; width < max(36, 26+2*draw.Width(draw.Count(slices.Max(now[:])))) {
		t.Row = func(i int) []draw.Cell {
			cells := row(i)
			cells[2].Was = ""
			return cells
		}
	}
	return t.Lines(s.Look, nil, width, len(bars)+1, false)
}
