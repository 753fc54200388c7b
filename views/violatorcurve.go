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

// violatorCurve holds the violators for every k from 2 to curveTo, kept per
// assessment.
type violatorCurve struct {
	of     *risk.Assessment
	counts []float64 // counts[0] is for k = 2
}

// look counts the violators of an assessment, in time proportional to its
// distinct keys, once.
func (c *violatorCurve) look(a *risk.Assessment) []float64 {
	if c.of == a {
		return c.counts
	}
	c.of, c.counts = a, make([]float64, curveTo-1)
	frequencies := a.KeyFrequencies()
	for key, count := range a.Table().Counts() {
		for k := 2; k <= curveTo; k++ {
			if frequencies.Violates(key, k) {
				c.counts[k-2] += float64(count) // for this k and, added up below, every higher one
				break
			}
		}
	}
	for i := 1; i < len(c.counts); i++ {
		c.counts[i] += c.counts[i-1]
	}
	return c.counts
}

// curveLines plots how the violators grow with k: a line for the data as they
// are, dots for the original. It takes a pane with room for it.
func (p *KAnonymity) curveLines(s State, width, height int) []string {
	const least, axis = 11, 10
	if height < least || width < 36 {
		return nil
	}
	now, before := p.now.look(s.Current.Assessment), p.before.look(s.Original.Assessment)
	rows := min(10, height-5)
	plot, ok := plotLines(rows, min(72, width-axis-2), []string{"·", ""}, before, now)
	if !ok {
		return nil
	}
	lines := []string{"", s.Theme.Faint.Render(Fit(fmt.Sprintf(" violators by k, 2 to %d: — now  · original", curveTo), width))}
	for _, line := range plot {
		lines = append(lines, fresh(s, &s.Theme.Bar).Render(Fit(" "+line, width)))
	}
	return lines
}

// plotLines draws series as lines of signs over the same axes, the later over
// the earlier; an empty sign draws a line. The plotting library panics on empty
// and infinite series: ok is false for those and for a space that is too small.
func plotLines(height, width int, signs []string, series ...[]float64) (lines []string, ok bool) {
	if height < 2 || width < 8 || len(series) == 0 || len(signs) != len(series) {
		return nil, false
	}
	sets := make([]asciigraph.CharSet, len(series))
	for i, values := range series {
		if len(values) < 2 {
			return nil, false
		}
		for _, x := range values {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, false
			}
		}
		sets[i] = asciigraph.DefaultCharSet
		if signs[i] != "" {
			sets[i] = asciigraph.CreateCharSet(signs[i])
		}
	}
	text := asciigraph.PlotMany(series, asciigraph.Height(height), asciigraph.Width(width), asciigraph.LowerBound(0),
		asciigraph.YAxisValueFormatter(func(x float64) string { return FitRight(Count(int(math.Round(x))), 9) }),
		asciigraph.SeriesChars(sets...))
	return strings.Split(strings.TrimRight(text, "\n"), "\n"), true
}
