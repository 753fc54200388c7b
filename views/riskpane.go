package views

import (
	"fmt"
	"math"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Risk is the pane of individual, global and household risk.
type Risk struct{ now, before riskFigures }

// riskFigures are the figures that take a walk over the keys, kept per
// assessment.
type riskFigures struct {
	of        *risk.Assessment
	highest   float64
	aboveMain int
	threshold float64
	needed    bool
	bins      [len(riskEnds)]int
}

// riskTarget is the global risk that a threshold is shown for.
const riskTarget = 0.01

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

// look computes what is not known of an assessment yet.
func (f *riskFigures) look(a *risk.Assessment) *riskFigures {
	if f.of == a {
		return f
	}
	*f = riskFigures{of: a, highest: a.HighestRisk(), aboveMain: a.AboveMain()}
	f.threshold, f.needed = a.Threshold(riskTarget)
	counts := a.Table().Counts()
	for key, r := range a.KeyRisks() {
		bin := 0
		for bin < len(riskEnds)-1 && r > riskEnds[bin] {
			bin++
		}
		f.bins[bin] += int(counts[key])
	}
	return f
}

func (f *riskFigures) thresholdText() string {
	if !f.needed {
		return "below"
	}
	return Amount(f.threshold)
}

// riskRow is one figure of the pane.
type riskRow struct {
	name, short string
	figure      pair
	style       *lipgloss.Style
}

func (p *Risk) rows(theme *Theme, now, before *risk.Assessment) []riskRow {
	f, b := p.now.look(now), p.before.look(before)
	row := func(name, short, now, before string) riskRow {
		return riskRow{name, short, pair{now, before}, &theme.Strong}
	}
	rows := []riskRow{
		row("expected re-identifications", "re-identifications", Amount(now.Expected), Amount(before.Expected)),
		row("global risk", "global risk", share(now.Global), share(before.Global)),
	}
	rows[1].style = dangerStyle(theme, now.Global)
	if h, o := now.Households, before.Households; h != nil && o != nil {
		rows = append(rows,
			row("households: expected", "households: exp.", Amount(h.Expected), Amount(o.Expected)),
			row("households: highest risk", "  highest risk", Probability(h.Highest), Probability(o.Highest)))
	}
	return append(rows,
		row("highest individual risk", "highest risk", Probability(f.highest), Probability(b.highest)),
		row("records above the main part", "above main part", Count(f.aboveMain), Count(b.aboveMain)),
		row("threshold for 1 % global risk", "threshold for 1 %", f.thresholdText(), b.thresholdText()))
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
	rows := p.rows(s.Theme, now, before)
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

// share spells a mean risk in percent.
func share(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.3f %%", 100*x)
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

// Figures explains the figures of the pane.
func (p *Risk) Figures(s State) []Figure {
	a := s.Current.Assessment
	if a == nil {
		return inapplicableFigures(s)
	}
	f := p.now.look(a)
	figures := []Figure{
		{Name: "Expected re-identifications", Value: Amount(a.Expected),
			Definition: "The sum of the individual risks: how many records an intruder who tries to link all of them would link correctly, on average.",
			Formula:    "sum of r_i over all records",
			Values:     []string{Count(a.Records) + " records in " + Count(a.Table().Keys()) + " distinct keys", "highest individual risk " + Probability(f.highest)},
			Source:     sourceRiskAll},
		{Name: "Global risk", Value: share(a.Global),
			Definition: "The mean individual risk: expected re-identifications as a share of the records.",
			Formula:    "sum of r_i / n",
			Values:     []string{Amount(a.Expected) + " / " + Count(a.Records) + " = " + share(a.Global)},
			Source:     sourceGuide},
		{Name: "Records above the main part", Value: Count(f.aboveMain),
			Definition: "Records whose individual risk stands out from that of the others and is above 0.1.",
			Formula:    "r_i > median(r) + 2 MAD(r) and r_i > 0.1, with MAD = 1.4826 median |r_i - median(r)|",
			Source:     sourceTempl + ", section 3.3"},
		{Name: "Threshold for a global risk of 1 %", Value: f.thresholdText(),
			Definition: "The highest of the file's own risks t such that lowering every risk above t to t brings the sum of all risks below one percent of the records. " +
				"It says which records to protect first.",
			Formula: "highest t with sum of min(r_i, t) < 0.01 n",
			Values:  []string{"sum of r_i " + Amount(a.Expected), "0.01 n = " + Amount(riskTarget*float64(a.Records))},
			Source:  sourceGuide},
	}
	if h := a.Households; h != nil {
		figures = append(figures, Figure{Name: "Household risk", Value: Amount(h.Expected) + " expected, highest " + Probability(h.Highest),
			Definition: "Who recognises one member of a household has found all of them. The risk of a household is that at least one member is re-identified; " +
				"it is the same for every member. Expected is its sum over all records.",
			Formula: "1 - product over the members of (1 - r_j)",
			Values:  []string{Amount(h.Expected) + " / " + Count(a.Records) + " = " + share(h.Global)},
			Source:  sourceGuide + "; " + sourceHundep + ", section 3.3"})
	}
	return figures
}
