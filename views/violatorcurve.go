package views

import (
	"fmt"
	"math"
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
