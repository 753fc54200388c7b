package views

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"

	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// curveTo is the highest k of the curve of violators.
const curveTo = 20

// violatorCurve counts the violators of an assessment for every k from 2 to curveTo,
// in time proportional to its distinct keys.
func violatorCurve(a *risk.Assessment) []float64 {
	counts := make([]float64, curveTo-1) // counts[0] is for k = 2
	frequencies := a.KeyFrequencies()
	for key, count := range a.Table().Counts() {
		for k := 2; k <= curveTo; k++ {
			if frequencies.Violates(key, k) {
				counts[k-2] += float64(count) // for this k and, added up below, every higher one
				break
			}
		}
	}
	for i := 1; i < len(counts); i++ {
		counts[i] += counts[i-1]
	}
	return counts
}

// curveLines plots how the violators grow with k: a line for the data as they
// are, dots for the original. It takes a pane with room for it.
func (p *KAnonymity) curveLines(s State, width, height int) []string {
	const least, axis = 11, 10
	if height < least || width < 36 {
		return nil
	}
	curve := func(m *memo[*risk.Assessment, []float64], a *risk.Assessment) []float64 {
		return *m.look(a, func() []float64 { return violatorCurve(a) })
	}
	now, before := curve(&p.now, s.Current.Assessment), curve(&p.before, s.Original.Assessment)
	dots, line := asciigraph.CreateCharSet("·"), asciigraph.DefaultCharSet
	plot := asciigraph.PlotMany([][]float64{before, now}, asciigraph.Height(min(10, height-5)), asciigraph.Width(min(72, width-axis-2)),
		asciigraph.LowerBound(0), asciigraph.SeriesChars(dots, line),
		asciigraph.YAxisValueFormatter(func(x float64) string { return FitRight(Count(int(math.Round(x))), axis-1) }))
	lines := []string{"", s.Theme.Faint.Render(Fit(fmt.Sprintf(" violators by k, 2 to %d: — now  · original", curveTo), width))}
	for line := range strings.SplitSeq(strings.TrimRight(plot, "\n"), "\n") {
		lines = append(lines, fresh(s, &s.Theme.Bar).Render(Fit(" "+line, width)))
	}
	return lines
}

// upright draws numbers as upright blocks, height lines high, the last ones where not
// all fit into width cells. The largest is as high as there is room, 0 is a thin line
// on the ground.
func upright(numbers []int, width, height int) []string {
	blocks := [...]string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
	numbers = numbers[max(0, len(numbers)-width):]
	wide, gap := max(1, min(4, width/max(1, len(numbers)))), "" // cells for each, a blank between where there is room
	if wide > 1 {
		wide, gap = wide-1, " "
	}
	largest := slices.Max(append([]int{1}, numbers...))
	lines := make([]string, height)
	for i := range lines {
		for _, n := range numbers {
			steps := max(1, int(math.Round(float64(8*height)*(float64(n)/float64(largest)))))
			lines[i] += strings.Repeat(blocks[max(0, min(8, steps-8*(height-1-i)))], wide) + gap
		}
	}
	return lines
}

// historyLines draws the violators of the screen's k from the original data
// over every step that stands.
func historyLines(s State, width, height int) []string {
	first, ok := violatorsOf(s.Original.Assessment, s.K)
	history := []int{first.Count}
	for _, step := range s.Steps[:max(0, min(s.Position, len(s.Steps)))] {
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
	var lines []string
	if height > rows {
		lines = append(lines, "")
	}
	for i, text := range upright(history, room, rows) {
		l := newLine(width, nil)
		l.left(&s.Theme.Faint, [...]string{"", label}[(i+1)/rows], len(label))
		l.left(fresh(s, &s.Theme.Bar), text, room)
		lines = append(lines, l.String())
	}
	return lines
}
