package planning

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// View draws the plans that are not dominated.
func (d *Numbers) View(s views.State, width, height int) string {
	head := []string{d.status(s, width), s.Theme.Plain.Fit(" "+d.wish(width-1), width)}
	if count, _ := d.plans(); count == 0 {
		return strings.Join(append(head, d.nothing(s, width)...), "\n")
	}
	const leastStory = 5 // lines for the description of the plan under the cursor
	return d.lines(s, d, head, leastStory, width, height)
}

// wish returns the limit, and the best plan within it, without the unit if there is no room.
func (d *Numbers) wish(width int) string {
	text := fmt.Sprintf("lowest information loss with %s of at most %g %%: ", riskNames[d.by], limits[d.limit])
	at, _ := d.frontier()
	switch best := tradeoff.Within(d.worths, at, d.by, limits[d.limit]/100); {
	case best >= 0:
		text += "IL1s " + wording.CellLoss(d.worths[at[best]].Loss)
		return draw.Fitting(width, text+" per cell", text)
	case d.next() >= 0:
		return text + "none found yet"
	}
	return text + "none of those tried"
}

// table lists the plans of the frontier in order of loss; risks within the limit are green.
func (d *Numbers) table(s views.State) draw.Table {
	at, _ := d.frontier()
	texts := d.riskTexts(at)
	risk := func(by string, i int) draw.Cell {
		w := d.worths[at[i]]
		cell := draw.Cell{Share: w.Risk(by), Text: texts[at[i]][by]}
		if by == d.by {
			cell.Style = &s.Theme.High
			if w.Risk(by) <= limits[d.limit]/100 {
				cell.Style = &s.Theme.Low
			}
		}
		return cell
	}
	return draw.Table{
		Columns: []draw.Column{
			{Head: "IL1s", Kind: draw.Counts, Size: 7}, {Head: "linkage", Kind: draw.Percents, Size: 8},
			{Head: "interval", Kind: draw.Percents, Size: 8}, {Head: "plan", Size: 24, Most: 90, Least: 12}},
		Rows: len(at),
		Row: func(i int) []draw.Cell {
			w := d.worths[at[i]]
			return []draw.Cell{{Text: wording.CellLoss(w.Loss), Style: &s.Theme.Strong}, risk(tradeoff.ByLinkage, i),
				risk(tradeoff.ByInterval, i), {Text: draw.Safe(d.Plans[at[i]].Title),
					Short: draw.Safe(short(d.Plans[at[i]].Title))}}
		},
	}
}

// riskTexts returns both risks of each listed plan, with the same decimals.
func (d *Numbers) riskTexts(at []int) map[int]map[string]string {
	var risks []float64
	for _, i := range at {
		risks = append(risks, d.worths[i].Linkage, d.worths[i].Interval)
	}
	texts, all := map[int]map[string]string{}, wording.Percents(risks...)
	for n, i := range at {
		texts[i] = map[string]string{tradeoff.ByLinkage: all[2*n], tradeoff.ByInterval: all[2*n+1]}
	}
	return texts
}

// short returns a title for a narrow column. It keeps the end, which has the variant of a method and so
// distinguishes plans.
func short(title string) string {
	const begin = 8
	of, end, ok := strings.Cut(title, ", ")
	runes := []rune(of)
	if !ok || len(runes) <= begin {
		return title
	}
	if way := strings.Fields(of); len(way) > 1 {
		end = way[len(way)-1] + ", " + end
	}
	return string(runes[:begin]) + "… " + end
}

// picture returns the map of risk and information loss: the plans, and the other candidates.
func (d *Numbers) picture(s views.State, width, height int) []string {
	at, under := d.frontier()
	f := planMap{heading: "IL1s", against: "by " + riskNames[d.by], chosen: under, others: []draw.Point{}}
	for _, i := range at {
		w := d.worths[i]
		f.points = append(f.points, draw.Point{X: w.Risk(d.by), Y: w.Loss})
		f.right, f.up = max(f.right, w.Risk(d.by)), max(f.up, w.Loss)
	}
	for _, w := range d.worths {
		if w.Known() && w.Loss <= f.up && w.Risk(d.by) <= f.right {
			f.others = append(f.others, draw.Point{X: w.Risk(d.by), Y: w.Loss})
		}
	}
	f.right, f.up = cmp.Or(f.right, 0.01), cmp.Or(f.up, 0.01)
	f.across, f.upwards = draw.PercentTicks, draw.AmountTicks
	return f.lines(s, width, height)
}

// story describes a plan, the records of its figures, and what they mean.
func (d *Numbers) story(s views.State, width, height int) []string {
	at := d.under()
	listed, _ := d.frontier()
	theme, w, risks := s.Theme, d.worths[at], d.riskTexts(listed)[at]
	lines := theme.Strong.Wrapped(d.Plans[at].Title, width)
	text := fmt.Sprintf("record linkage %s, interval risk %s, IL1s %s per cell, on %s", risks[tradeoff.ByLinkage], risks[tradeoff.ByInterval],
		wording.CellLoss(w.Loss), wording.Counted(w.Records, "record"))
	if w.Incomplete > 0 {
		text += " without missing values in these variables; " + draw.Count(w.Incomplete) + " with a missing value are not compared"
	}
	lines = append(lines, theme.Plain.Wrapped(text, width)...)
	if warning := w.StillClose(limits[d.limit] / 100); d.by == tradeoff.ByLinkage && warning != "" {
		lines = append(lines, theme.Warning.Wrapped(warning, width)...)
	}
	lines = append(lines, theme.Faint.Wrapped("Record linkage: masked records whose nearest original record is their own. Interval risk: records with "+
		fmt.Sprintf("every original value within %v standard deviations of its masked value. ", tradeoff.IntervalK)+
		"IL1s: mean deviation of a cell, in units of √2 standard deviations.", width)...)
	if d.failed > 0 && d.err != nil {
		lines = append(lines, theme.Warning.Wrapped(wording.Counted(d.failed, "candidate")+" failed; the last: "+
			strings.TrimPrefix(d.err.Error(), method.ErrInput.Error()+": "), width)...)
	}
	return dialogs.Shortened(theme, lines, width, height)
}

// status shows the progress of the search.
func (d *Numbers) status(s views.State, width int) string {
	theme, tried := s.Theme, 0
	for _, done := range d.done {
		if done {
			tried++
		}
	}
	text := fmt.Sprintf(" %s of %s tried on %s", draw.Count(tried), wording.Counted(len(d.done), "candidate"),
		wording.Counted(d.Data.Len(), "record"))
	if d.running == nil {
		if d.stopped && d.next() >= 0 {
			text = " stopped:" + text
		}
		if d.elapsed > 0 {
			text += " in " + draw.Duration(d.elapsed)
		}
		return theme.Faint.Fit(text, width)
	}
	text += ", " + draw.Duration(d.elapsed+s.Now().Sub(d.running.since)) + " "
	return underway(theme, text, (float64(tried)+d.running.meter.Fraction())/float64(len(d.done)), width)
}

// nothing returns the reason why there is no plan.
func (d *Numbers) nothing(s views.State, width int) []string {
	if d.next() < 0 && d.err != nil {
		return append([]string{""}, s.Theme.Error.Wrapped(d.err.Error(), width)...)
	}
	text := "Plans are listed here as methods are tried. No listed plan is worse than another in both risk and " +
		"information loss."
	switch {
	case d.next() < 0:
		text = "No plan has figures: the variables are constant, or every record has a missing value in one of them."
	case d.stopped && d.running == nil:
		text = "The search was stopped before it found a plan."
	}
	return append([]string{""}, s.Theme.Faint.Wrapped(text, width)...)
}
