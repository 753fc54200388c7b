package views

import (
	"fmt"
	"math"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Risk is the pane of individual, global and household risk.
type Risk struct{ shown riskFigures }

// riskFigures are the figures that cost a sort, kept per assessment.
type riskFigures struct {
	of        *risk.Assessment
	aboveMain int
	threshold float64
	needed    bool
	bins      [riskBins]int
}

// riskTarget is the global risk that a threshold is shown for.
const riskTarget = 0.01

// riskBins is the number of bars of the distribution; the upper ends are
// powers of ten and their triples.
const riskBins = 7

var riskEnds = [riskBins]float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1}

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
func (p *Risk) look(a *risk.Assessment) *riskFigures {
	if p.shown.of == a {
		return &p.shown
	}
	p.shown = riskFigures{of: a, aboveMain: a.AboveMain()}
	p.shown.threshold, p.shown.needed = a.Threshold(riskTarget)
	counts := a.Table().Counts()
	for key, r := range a.KeyRisks() {
		bin := 0
		for bin < riskBins-1 && r > riskEnds[bin] {
			bin++
		}
		p.shown.bins[bin] += int(counts[key])
	}
	return &p.shown
}

// View draws the figures and the distribution of the individual risks.
func (p *Risk) View(s State, width, height int, _ bool) string {
	now, before := s.Current.Assessment, s.Original.Assessment
	if now == nil || before == nil {
		return sentence(s, "The risk is estimated as soon as key variables are chosen.", width, height)
	}
	f := p.look(now)
	lines := []string{
		riskRow(s, "expected re-identifications", Amount(now.Expected), Amount(before.Expected), width),
		riskRow(s, "global risk", share(now.Global), share(before.Global), width),
	}
	if h, o := now.Households, before.Households; h != nil && o != nil {
		lines = append(lines,
			riskRow(s, "households: expected", Amount(h.Expected), Amount(o.Expected), width),
			riskRow(s, "households: highest risk", Probability(h.Highest), Probability(o.Highest), width))
	}
	lines = append(lines, riskRow(s, "above the main part", Count(f.aboveMain), "", width))
	threshold := "already below"
	if f.needed {
		threshold = Amount(f.threshold)
	}
	lines = append(lines, riskRow(s, "threshold for 1 % global risk", threshold, "", width))
	if height >= len(lines)+riskBins+2 {
		lines = append(lines, "", s.Theme.Heading.Render(Fit(" individual risk   records", width)))
		lines = append(lines, f.histogram(s, width)...)
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// share spells a mean risk in percent.
func share(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.3f %%", 100*x)
}

func riskRow(s State, name, now, before string, width int) string {
	text := stale(s, s.Theme.Plain.Render)(Fit(" "+name, 31)) + stale(s, s.Theme.Strong.Render)(FitRight(now, max(0, min(14, width-31))))
	if before != "" {
		text += s.Theme.Faint.Render("  (" + before + ")")
	}
	return text
}

// histogram draws the number of records by individual risk.
func (f *riskFigures) histogram(s State, width int) []string {
	largest := 1
	for _, n := range f.bins {
		largest = max(largest, n)
	}
	var lines []string
	for i, n := range f.bins {
		style := s.Theme.Low
		switch {
		case riskEnds[i] > 0.1:
			style = s.Theme.High
		case riskEnds[i] > 0.01:
			style = s.Theme.Middle
		}
		lines = append(lines, s.Theme.Plain.Render(Fit(fmt.Sprintf(" up to %g", riskEnds[i]), 14)+FitRight(Count(n), 11)+" ")+
			stale(s, style.Render)(Bar(float64(n)/float64(largest), max(0, width-27))))
	}
	return lines
}

// Figures explains the figures of the pane.
func (p *Risk) Figures(s State) []Figure {
	a := s.Current.Assessment
	if a == nil {
		return nil
	}
	f := p.look(a)
	figures := []Figure{
		{Name: "Expected re-identifications", Value: Amount(a.Expected),
			Definition: "The sum of the individual risks: how many records an intruder who tries to link all of them would link correctly, on average.",
			Formula:    "sum of r_i over all records", Values: []string{"records " + Count(a.Records)},
			Source: "Franconi and Polettini 2004; Hundepool et al. 2012, section 3.3"},
		{Name: "Global risk", Value: share(a.Global),
			Definition: "The mean individual risk.", Formula: "expected re-identifications / records",
			Values: []string{Amount(a.Expected) + " / " + Count(a.Records)}, Source: "SDC practice guide, Measuring risk"},
		{Name: "Records above the main part", Value: Count(f.aboveMain),
			Definition: "Records whose risk stands out from that of the others and is above 0.1.",
			Formula:    "r_i > median(r) + 2 MAD(r) and r_i > 0.1, MAD with the factor 1.4826", Source: "Templ 2017, section 3.3"},
		{Name: "Threshold for a global risk of 1 %", Value: Amount(f.threshold),
			Definition: "Were every risk above this value lowered to it, the sum of all risks would come below one percent of the records.",
			Formula:    "highest t of the file's own risks with sum of min(r_i, t) < 0.01 n", Source: "SDC practice guide, Measuring risk"},
	}
	if h := a.Households; h != nil {
		figures = append(figures, Figure{Name: "Household risk", Value: Amount(h.Expected) + " expected, highest " + Probability(h.Highest),
			Definition: "Who recognises one member of a household has found all of them. The risk of a household is that at least one member is re-identified; it is the same for every member.",
			Formula:    "1 - product over the members of (1 - r_j)", Source: "SDC practice guide, Measuring risk"})
	}
	return figures
}
