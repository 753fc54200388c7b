package overview

import (
	"fmt"
	"sort"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// leastCurve is the highest k of the curve of violators, unless that of the screen is higher.
const leastCurve = 20

// violatorCurve counts the violators of an assessment for every k from 2 to to, in time proportional to the number
// of key patterns.
func violatorCurve(a *risk.Assessment, to int) []float64 {
	counts := make([]float64, to-1) // counts[0] is for k = 2
	frequencies := a.KeyFrequencies()
	for key, count := range a.Table().Counts() {
		// The smallest k that the key pattern violates; it violates all higher ones too.
		if at := sort.Search(len(counts), func(i int) bool { return frequencies.Violates(key, i+2) }); at < len(counts) {
			counts[at] += float64(count)
		}
	}
	for i := 1; i < len(counts); i++ {
		counts[i] += counts[i-1]
	}
	return counts
}

// curves returns the violators for each k from 2 to at least that of the screen, now and in the original.
func (p *KAnonymity) curves(s views.State) (now, before []float64) {
	curve := func(m *views.Cache[views.AssessmentAt, []float64], a *risk.Assessment) []float64 {
		at := views.AssessmentAt{Assessment: a, K: max(leastCurve, s.K)}
		return *m.Look(at, func() []float64 { return violatorCurve(a, at.K) })
	}
	return curve(&p.now, s.Current.Assessment), curve(&p.before, s.Original.Assessment)
}

// curveLines plots the violators by k, now and in the original, with a mark at the k of the screen. It returns
// none if there is no room.
func (p *KAnonymity) curveLines(s views.State, width, height int) []string {
	const least = 8
	if height < least || width < 36 {
		return nil
	}
	to := max(leastCurve, s.K)
	now, before := p.curves(s)
	most := max(1, now[len(now)-1], before[len(before)-1])
	plot := draw.NewPlot(draw.Span{Low: 2, High: float64(to)}, draw.Span{High: most}, min(width-1, 84), min(10, height-4))
	plot.Curve(byK(before), true, &s.BarOriginal)
	plot.Curve(byK(now), false, s.Fresh(&s.Bar))
	plot.Mark(float64(s.K), now[s.K-2], '◆', &s.Changed)
	whole := draw.TickText{Scale: 1, Whole: true, Spell: func(x float64) string { return draw.Count(int(x)) }}
	head := fmt.Sprintf(" violators by k, 2 to %d: ─ now  ◆ k = %d  · original", to, s.K)
	return append([]string{"", s.Faint.Fit(head, width)}, plot.Lines(s.Theme, whole, whole)...)
}

// byK returns the violators for each k from 2 on as points.
func byK(violators []float64) []draw.Point {
	points := make([]draw.Point, len(violators))
	for i, n := range violators {
		points[i] = draw.Point{X: float64(i + 2), Y: n}
	}
	return points
}

// historyLines draws the violators of the screen's k in the original data and after every applied step.
func historyLines(s views.State, width, height int) []string {
	first, ok := views.ViolatorsOf(s.Original.Assessment, s.K)
	history := []int{first.Count}
	for _, step := range s.Standing() {
		if step.Violators >= 0 {
			history = append(history, step.Violators)
		}
	}
	if !ok || len(history) < 2 || height < 1 || width < 16 {
		return nil
	}
	const label = " history "
	room := width - len(label)
	rows := max(1, min(4, height-1))
	numbers := rows > 1 && len(history)*draw.HistoryColumn <= room // leaves one line less for the bars
	if numbers {
		rows--
	}
	var lines []string
	if height > rows {
		lines = append(lines, "")
	}
	bars := draw.Upright(history, room, rows)
	if numbers {
		var line strings.Builder
		for _, n := range history {
			text := draw.Count(n)
			if draw.Width(text) >= draw.HistoryColumn {
				text = draw.Short(n)
			}
			line.WriteString(draw.Fit(text, draw.HistoryColumn))
		}
		bars = append(draw.Upright(history, len(history)*draw.HistoryColumn, rows), line.String())
	}
	for i, text := range bars {
		l := draw.NewLine(width, nil)
		l.Left(&s.Faint, [...]string{"", label}[(i+1)/len(bars)], len(label))
		l.Left(s.Fresh(&s.Bar), text, room)
		lines = append(lines, l.String())
	}
	return lines
}
