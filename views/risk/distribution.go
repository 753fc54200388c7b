package risk

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// RiskDistribution is the pane of the individual risks: the number of records by risk, now and in the original,
// with a movable threshold and the records above it.
type RiskDistribution struct {
	views.TablePane
	Threshold  float64 // 0: not moved yet, see at
	linear     bool    // bars of equal width, else each about twice as wide as the one before
	cumulative bool    // bars count records with at least their risk
	drawn      bool    // keys are for the last frame; without one, all keys are listed
	cells      views.Cache[cellsAbove, [2]int]
	recodes    views.Cache[views.AssessmentAt, riskRecodes]
}

var _ views.Seeker = (*RiskDistribution)(nil)

// cellsAbove identifies the cells of a key variable in the records above a threshold.
type cellsAbove struct {
	of        *risk.Assessment
	variable  int
	threshold float64
}

// NewRiskDistribution returns the pane of the individual risks.
func NewRiskDistribution() *RiskDistribution {
	p := &RiskDistribution{TablePane: views.TablePane{PaneID: "risk-distribution", Heading: "Individual risks", Risk: true,
		Keyless: "Choose key variables to see the risks."}}
	p.Content, p.Actions, p.Explained, p.Titled = p.table, p.keys, p.explain, p.frame
	p.Move = draw.Bind("←→", "threshold", "left", "right", "h", "l", "up", "down", "j", "k")
	return p
}

func (p *RiskDistribution) frame(views.State) string {
	form, scale := "histogram", "logarithmic"
	if p.cumulative {
		form = "records with at least this risk"
	}
	if p.linear {
		scale = "linear"
	}
	return p.Title() + " · " + form + ", " + scale
}

// moves is the approximate number of key presses from one end of the risks to the other.
const moves = 60

func (p *RiskDistribution) keys() []views.KeyAction {
	moved := func(far bool) func(tea.KeyPressMsg, views.State) draw.Action {
		return func(msg tea.KeyPressMsg, s views.State) draw.Action {
			by, _ := draw.Stepped(msg, []int{-1, 1}, []string{"left", "h", "up", "k", "shift+left"},
				[]string{"right", "l", "down", "j", "shift+right"})
			p.moveThreshold(s, by, far)
			return draw.Handled{}
		}
	}
	acts := []views.KeyAction{
		views.Presses("", "", moved(true), "left", "right", "h", "l", "up", "down", "k", "j"),
		views.Presses("shift+←→", "one risk at a time", moved(false), "shift+left", "shift+right"),
		views.Handles("c", "cumulative counts", func() { p.cumulative = !p.cumulative }),
		views.Handles("x", "linear or logarithmic scale", func() { p.linear = !p.linear }),
		views.EmitsFrom("enter", "show records above threshold", func(s views.State) draw.Action {
			if s.Current.Assessment == nil {
				return nil
			}
			return views.ShowMatching{Condition: "risk > " + strconv.FormatFloat(p.at(s), 'f', -1, 64)}
		}),
	}
	if !p.drawn || len(p.recodes.Last().found) > 0 {
		acts = slices.Insert(acts, 2, views.EmitsFrom("b", "open recode", func(s views.State) draw.Action {
			if best := p.recodesOf(s).best(p.at(s)); best != nil {
				return views.OpenStep{Name: best.Steps[0].Name, Method: best.Steps[0].Method}
			}
			return nil
		}))
	}
	return acts
}

// at returns the threshold. Until it is moved, that is the one needed for the target global risk, otherwise the
// median risk.
func (p *RiskDistribution) at(s views.State) float64 {
	a := s.Current.Assessment
	if p.Threshold > 0 || a == nil {
		return p.Threshold
	}
	if value, needed := a.Threshold(a.Options().Target); needed && value > 0 {
		return value
	}
	return a.RiskQuantile(0.5)
}

// moveThreshold moves the threshold along the risks of the file.
func (p *RiskDistribution) moveThreshold(s views.State, by int, far bool) {
	a := s.Current.Assessment
	if a == nil {
		return
	}
	risks := a.Distribution().Risks()
	if len(risks) == 0 {
		return
	}
	at, found := slices.BinarySearch(risks, p.at(s))
	if !found && by > 0 {
		at-- // the first step goes to the next higher one
	}
	if far {
		by *= max(1, len(risks)/moves)
	}
	p.Threshold = risks[max(0, min(len(risks)-1, at+by))]
}

// table has no rows: the records above the threshold and the bars are above them.
func (p *RiskDistribution) table(s views.State, _ int) draw.Table {
	p.drawn = true
	return draw.Table{Above: func(width, height int) []string { return p.lines(s, width, height) }}
}

func (p *RiskDistribution) lines(s views.State, width, height int) []string {
	a, threshold := s.Current.Assessment, p.at(s)
	d := a.Distribution()
	records, expected := d.Above(threshold)
	was, _ := s.Original.Assessment.Distribution().Above(threshold)
	whole := float64(max(1, d.Records))
	global := wording.Percents(a.Expected/whole, d.Lowered(threshold)/whole, (a.Expected-expected)/whole)
	say := func(style *draw.Style, texts ...string) string {
		return style.Fit(" "+draw.Fitting(width-1, texts...), width)
	}
	lines := []string{
		say(&s.Strong, fmt.Sprintf("risk > %s: %s, %s (%s)", views.RiskText(threshold),
			wording.Counted(records, "record"), wording.PercentOf(records, d.Records), draw.Count(was))),
		say(&s.Plain, fmt.Sprintf("global risk %s; %s if these risks are capped at the threshold, %s if the records are removed", global[0],
			global[1], global[2]),
			fmt.Sprintf("global risk %s; %s with these risks capped, %s without these records", global[0], global[1], global[2]),
			fmt.Sprintf("global risk %s; risks capped %s, records removed %s", global[0], global[1], global[2]),
			fmt.Sprintf("global risk %s; %s if capped, %s if removed", global[0], global[1], global[2])),
	}
	if height > 8 {
		style, first, second := p.recodesOf(s).summary(s, threshold, height > 14)
		if lines = append(lines, say(&s.Plain, p.Suppressing(s, threshold)...), say(style, first...)); second != nil {
			lines = append(lines, say(style, second...))
		}
	}
	if s.Stale {
		lines[0] = draw.Ending(lines[0], &s.Warning, draw.StaleMark, width)
	}
	if height > 12 {
		lines = append(lines, "")
	}
	return append(lines, p.bars(s, d, threshold, width, height-len(lines))...)
}

// Suppressing returns how many cells of the selected key variable suppression would take in the records above the
// threshold, in several forms, the longest first.
func (p *RiskDistribution) Suppressing(s views.State, threshold float64) []string {
	of := cellsAbove{s.Current.Assessment, max(0, slices.Index(s.Keys(), s.Selected.Variable)), threshold}
	found := p.cells.Look(of, func() (cells [2]int) {
		counts, codes := of.of.Table().Counts(), of.of.Table().Codes(of.variable)
		for key, r := range of.of.KeyRisks() {
			if r > threshold {
				cells[min(1, codes[key])] += int(counts[key])
			}
		}
		return cells
	})
	left, cells, variable := found[0], found[1], of.variable
	text := fmt.Sprintf("suppressing %s in these records: %s", draw.Label(s.Keys()[variable]), wording.Counted(cells, "cell"))
	short := text
	if left > 0 {
		text += "; " + draw.Count(left) + " " + wording.Verb(left, "are already suppressed or missing")
		short += ", " + draw.Count(left) + " already empty"
	}
	return []string{text + "; R opens the dialog", text + " (R)", short + " (R)",
		fmt.Sprintf("suppressing %s: %s (R)", draw.Label(s.Keys()[variable]), wording.Counted(cells, "cell"))}
}

// edges returns the upper ends of at most rows bars in ascending order; the lowest bar includes everything below.
func (p *RiskDistribution) edges(now, before *risk.Distribution, rows int) []float64 {
	lowest, highest := math.Inf(1), 0.0
	for _, d := range []*risk.Distribution{now, before} {
		if risks := d.Risks(); len(risks) > 0 {
			lowest, highest = min(lowest, risks[0]), max(highest, risks[len(risks)-1])
		}
	}
	if lowest > highest || rows < 1 {
		return nil
	}
	if !p.linear {
		ends := views.RiskEnds(lowest, highest)
		return ends[max(0, len(ends)-rows):]
	}
	// Steps of 1, 2 or 5 times a power of ten, as few as there are rows.
	step := 1e-6
	for grow := 0; float64(rows)*step < highest; grow++ {
		step *= [...]float64{2, 2.5, 2}[grow%3]
	}
	var ends []float64
	for i := 1; i <= rows && float64(i-1)*step < highest; i++ {
		ends = append(ends, math.Round(float64(i)*step*1e9)/1e9) // without rounding errors of the product
	}
	return ends
}

// bars draws the records by risk, with the threshold as a line between them.
func (p *RiskDistribution) bars(s views.State, now *risk.Distribution, threshold float64, width, height int) []string {
	before := s.Original.Assessment.Distribution()
	ends := p.edges(now, before, height-3)
	if len(ends) == 0 {
		return nil
	}
	ends = Divided(ends, threshold)
	count := func(d *risk.Distribution, bar int) int {
		low := -1.0
		if bar > 0 {
			low = ends[bar-1]
		}
		from, _ := d.Above(low)
		if p.cumulative {
			return from
		}
		beyond, _ := d.Above(ends[bar])
		return from - beyond
	}
	cut := sort.Search(len(ends), func(i int) bool { return threshold < ends[i] })
	bars := make([]views.RiskBar, len(ends))
	for i, end := range ends {
		bars[i] = views.RiskBar{End: EndText(end, threshold), Now: count(now, i), Before: count(before, i), Style: &s.Bar}
		if i >= cut {
			bars[i].Style = &s.High
		}
	}
	t := views.RiskBars(bars)
	row := t.Row
	t.Rows, t.Row = len(ends)+1, func(i int) []draw.Cell {
		switch {
		case i == cut:
			return []draw.Cell{{Text: ruled("─ threshold "+views.RiskText(threshold)+" ", width-1), Style: &s.Strong}}
		case i > cut:
			i--
		}
		cells := row(i)
		if p.cumulative && i > 0 {
			cells[0].Text = "> " + bars[i-1].End
		} else if p.cumulative {
			cells[0].Text = "all"
		}
		return cells
	}
	return t.Lines(s.Look, nil, width, height, false)
}

// Divided inserts the threshold into the ends of bars, so that each bar lies on one side of it. It replaces an end
// that looks the same as text.
func Divided(ends []float64, threshold float64) []float64 {
	at, found := slices.BinarySearch(ends, threshold)
	if found || threshold <= 0 || at == len(ends) {
		return ends
	}
	for _, near := range []int{at - 1, at} {
		if near >= 0 && near < len(ends)-1 && views.RiskText(ends[near]) == views.RiskText(threshold) {
			ends[near] = threshold
			return ends
		}
	}
	return slices.Insert(ends, at, threshold)
}

// EndText formats the upper end of a bar: a round number, or the threshold, also without zeros at its end.
func EndText(end, threshold float64) string {
	if end == threshold {
		return strings.TrimRight(strings.TrimRight(views.RiskText(end), "0"), ".")
	}
	return views.RoundEnd(end)
}

// ruled fills the rest of a line with a rule.
func ruled(text string, width int) string {
	return text + strings.Repeat("─", max(0, width-draw.Width(text)))
}

// explain explains the threshold and the risks of the file.
func (p *RiskDistribution) explain(s views.State) []views.Figure {
	a := s.Current.Assessment
	if a == nil {
		return nil
	}
	threshold := p.at(s)
	d := a.Distribution()
	records, expected := d.Above(threshold)
	n := float64(max(1, d.Records))
	figures := []views.Figure{{
		Name: "Records above the threshold", Value: wording.Number(records),
		Definition: "Records whose individual risk is above the threshold. The lines below show the global risk if the risks of " +
			"these records were lowered to the threshold, and without these records.",
		Formula: "number of r_i > t; sum of min(r_i, t) / n; sum of the other r_i / n",
		Values: []string{fmt.Sprintf("t = %.6g, n = %s", threshold, wording.Number(d.Records)),
			fmt.Sprintf("sum of all r_i %s, of those above t %s", wording.Amount(a.Expected), wording.Amount(expected)),
			fmt.Sprintf("lowered: (%s - %s + %s × %.6g) / n = %s", wording.Amount(a.Expected), wording.Amount(expected),
				wording.Number(records), threshold, wording.Percent(d.Lowered(threshold)/n)),
			fmt.Sprintf("without: (%s - %s) / n = %s", wording.Amount(a.Expected), wording.Amount(expected),
				wording.Percent((a.Expected-expected)/n)),
			wording.Number(records) + " records"},
		Source: measure.SourceRiskAll,
	}}
	figures = append(figures, p.recodesOf(s).explain(s, threshold)...)
	for _, name := range []string{"risk", "outstanding"} {
		if e := s.Current.Figures.Find(name); e != nil {
			figures = append(figures, views.ExplainedAll(s.Original.Figures, e)...)
		}
	}
	return figures
}
