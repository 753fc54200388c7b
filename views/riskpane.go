package views

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Risk is the pane of individual, global and household risk.
type Risk struct{ now, before riskBins }

// riskBins are the numbers of records by individual risk, kept per assessment.
type riskBins struct {
	of   *risk.Assessment
	bins [len(riskEnds)]int
}

// riskEnds are the upper ends of the bars of the distribution.
var riskEnds = [...]float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1}

var _ Explained = (*Risk)(nil)

// ID returns "risk".
func (*Risk) ID() string { return "risk" }

// Title returns what stands in the frame.
func (*Risk) Title() string { return "Risk" }

// Keys returns the keys of the pane: it has none of its own.
func (*Risk) Keys() []key.Binding { return nil }

// HandleKey takes no key.
func (*Risk) HandleKey(tea.KeyPressMsg, State) Action { return nil }

// look counts the records of an assessment, once.
func (f *riskBins) look(a *risk.Assessment) {
	if f.of == a {
		return
	}
	*f = riskBins{of: a}
	counts := a.Table().Counts()
	for key, r := range a.KeyRisks() {
		bin := 0
		for bin < len(riskEnds)-1 && r > riskEnds[bin] {
			bin++
		}
		f.bins[bin] += int(counts[key])
	}
}

// riskRow is one number of the pane.
type riskRow struct {
	name, short string
	figure      pair
	style       *lipgloss.Style
}

// rows are the numbers that measures show on the screen.
func (*Risk) rows(s State) []riskRow {
	var rows, late []riskRow
	s.Current.Figures.Shown(measure.Screen, func(e *measure.Entry, now *measure.Value) {
		was := s.Original.Figures.Value(e.Spec.Name, now.Name, now.K)
		if was == nil {
			return
		}
		row := riskRow{figure: pair{now.Text(), was.Text()}, style: &s.Theme.Strong}
		row.name, row.short = now.Row()
		if now.Unit == measure.Mean {
			row.style = dangerStyle(s.Theme, now.Number)
		}
		if now.Late {
			late = append(late, row)
		} else {
			rows = append(rows, row)
		}
	})
	for i := range s.Current.Figures {
		if e := &s.Current.Figures[i]; e.NotApplicable != "" && e.Spec.Shown&measure.Screen != 0 {
			late = append(late, riskRow{name: e.Spec.Title, short: e.Spec.Title, figure: pair{now: noFigure}, style: &s.Theme.Warning})
		}
	}
	return append(rows, late...)
}

// View draws the figures and the distribution of the individual risks.
func (p *Risk) View(s State, width, height int, _ bool) string {
	now, before := s.Current.Assessment, s.Original.Assessment
	if len(s.keys()) == 0 {
		return sentence(s, "The risk is estimated as soon as key variables are chosen.", width, height)
	}
	if s.NotApplicable != "" {
		return inapplicable(s, width, height)
	}
	if now == nil || before == nil {
		return sentence(s, s.waiting(), width, height)
	}
	p.now.look(now)
	p.before.look(before)
	rows := p.rows(s)
	size := pairSize{}
	for _, row := range rows {
		size.grow(row.figure)
	}
	if width-3-size.size() < 12 {
		size.original = 0
	}
	lines := make([]string, 0, height)
	for _, row := range rows {
		lines = append(lines, row.draw(s, size, width))
	}
	if s.Stale && len(lines) > 0 {
		lines[0] = Exactly(lines[0], max(0, width-1), 1) + s.Theme.Warning.Render(StaleMark)
	}
	room := height - len(lines) - 1
	for _, each := range []int{1, 2} {
		if bars := (len(riskEnds) + each - 1) / each; bars <= room {
			if bars < room {
				lines = append(lines, "")
			}
			lines = append(lines, p.distribution(s, each, width)...)
			break
		}
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// draw draws the figure, its name shortened where it is narrow.
func (r riskRow) draw(s State, size pairSize, width int) string {
	names := max(0, width-3-size.size())
	name := r.name
	if Width(name) > names {
		name = r.short
	}
	l := newLine(width, nil)
	l.gap(1)
	l.left(&s.Theme.Plain, name, names)
	l.gap(1)
	l.pair(s.Theme, fresh(s, r.style), r.figure, size)
	return l.String()
}

// riskBar is one bar of the distribution.
type riskBar struct {
	end         float64
	now, before int
}

// bars returns the bars of the distribution; each takes in so many bins, the
// first one always one.
func (p *Risk) bars(each int) []riskBar {
	var bars []riskBar
	sum := riskBar{}
	for i, end := range riskEnds {
		sum.now += p.now.bins[i]
		sum.before += p.before.bins[i]
		if i%each == 0 {
			sum.end = end
			bars = append(bars, sum)
			sum = riskBar{}
		}
	}
	return bars
}

// distribution draws the number of records by individual risk, now and in the
// original.
func (p *Risk) distribution(s State, each, width int) []string {
	bars := p.bars(each)
	largest, counts := 1, pairSize{now: 7}
	for _, bar := range bars {
		largest = max(largest, bar.now, bar.before)
		counts.grow(pair{Count(bar.now), Count(bar.before)})
	}
	if width < 36 {
		counts.original = 0
	}
	fields := []field{{head: "risk up to", right: true, size: 10}, {}, {head: "records", right: true, size: counts.size()}}
	fields[1].size = max(1, width-2-10-counts.size()-2)
	lines := []string{headings(State{Theme: s.Theme}, fields, 1, width)}
	for _, bar := range bars {
		l := newLine(width, nil)
		l.gap(1)
		l.right(&s.Theme.Plain, strings.TrimPrefix(fmt.Sprintf("%g", bar.end), "0"), 10)
		l.gap(1)
		l.bar(s.Theme, fresh(s, dangerStyle(s.Theme, bar.end)), float64(bar.now)/float64(largest), float64(bar.before)/float64(largest), fields[1].size)
		l.gap(1)
		l.pair(s.Theme, fresh(s, &s.Theme.Plain), pair{Count(bar.now), Count(bar.before)}, counts)
		lines = append(lines, l.String())
	}
	return lines
}

// Figures explains the numbers of the pane.
func (p *Risk) Figures(s State) []Figure {
	var figures []Figure
	for i := range s.Current.Figures {
		if e := &s.Current.Figures[i]; s.Current.Assessment != nil && e.Spec.Shown&measure.Screen != 0 {
			figures = append(figures, explained(s, e, func(v *measure.Value) bool { return v.Hidden&measure.Screen == 0 })...)
		}
	}
	if figures == nil {
		return inapplicableFigures(s)
	}
	return figures
}
