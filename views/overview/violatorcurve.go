package overview

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/guptarohit/asciigraph"

	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// leastCurve is the highest k of the curve of violators, unless that of the screen is
// higher.
const leastCurve = 20

// violatorCurve counts the violators of an assessment for every k from 2 to the given
// one, in time proportional to its distinct keys.
func violatorCurve(a *risk.Assessment, to int) []float64 {
	counts := make([]float64, to-1) // counts[0] is for k = 2
	frequencies := a.KeyFrequencies()
	for key, count := range a.Table().Counts() {
		// The least k that the key violates; every higher one is violated too.
		if at := sort.Search(len(counts), func(i int) bool { return frequencies.Violates(key, i+2) }); at < len(counts) {
			counts[at] += float64(count)
		}
	}
	for i := 1; i < len(counts); i++ {
		counts[i] += counts[i-1]
	}
	return counts
}

// curveLines plots how the violators grow with k: a line for the data as they
// are, dots for the original, under them ticks with their k, that of the screen
// among them. It takes a pane with room for it.
func (p *KAnonymity) curveLines(s views.State, width, height int) []string {
	const least, axis = 8, 10
	if height < least || width < 36 {
		return nil
	}
	to := max(leastCurve, s.K)
	curve := func(m *views.Cache[views.AssessmentAt, []float64], a *risk.Assessment) []float64 {
		return *m.Look(views.AssessmentAt{Assessment: a, K: to}, func() []float64 { return violatorCurve(a, to) })
	}
	now, before := curve(&p.now, s.Current.Assessment), curve(&p.before, s.Original.Assessment)
	dots, line, size := asciigraph.CreateCharSet("·"), asciigraph.DefaultCharSet, min(72, width-axis-3)
	plot := asciigraph.PlotMany([][]float64{before, now}, asciigraph.Height(min(10, height-4)), asciigraph.Width(size),
		asciigraph.LowerBound(0), asciigraph.SeriesChars(dots, line),
		asciigraph.YAxisValueFormatter(func(x float64) string {
			return draw.FitRight(draw.Count(int(math.Round(x))),
				axis-1)
		}))
	lines := []string{"", s.Faint.Fit(fmt.Sprintf(" violators by k, 2 to %d: — now  · original", to), width)}
	plotted := strings.Split(strings.TrimRight(plot, "\n"), "\n")
	for _, line := range plotted {
		lines = append(lines, s.Fresh(&s.Bar).Fit(" "+line, width))
	}
	at := draw.Width(plotted[0][:max(0, strings.IndexAny(plotted[0], "┤┼"))]) + 2
	return append(lines, s.Faint.Fit(strings.Repeat(" ", at)+ticks(s.K, to, min(size, width-at-1)), width))
}

// ticks writes the k under the places of a curve from 2 to a k, that of the screen
// before all others where they would stand too close.
func ticks(k, to, size int) string {
	text := []rune(strings.Repeat(" ", size+1))
	put := func(k int, mark string) {
		label := []rune(strconv.Itoa(k) + mark)
		at := max(0, (k-2)*(size-1)/max(1, to-2)-len(label)/2+len([]rune(mark)))
		at = max(0, min(at, len(text)-len(label)))
		end := min(at+len(label), len(text))
		if strings.TrimSpace(string(text[max(0, at-1):min(end+1, len(text))])) == "" {
			copy(text[at:end], label)
		}
	}
	put(k, "▴")
	for _, share := range []int{0, 4, 2, 1, 3} {
		put(2+(to-2)*share/4, "")
	}
	return string(text)
}

// historyLines draws the violators of the screen's k from the original data
// over every step that stands.
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
	numbers := rows > 1 && len(history)*draw.HistoryColumn <= room // a line less for the bars
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
