package views

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/suppress"
)

// RiskCut draws how many records have which individual risk, with a line where a
// threshold cuts: what lies above it stands in the colour of danger. It has at
// most height lines of width cells.
func RiskCut(theme *Theme, curve *suppress.RiskCurve, threshold float64, width, height int) []string {
	ends := cutEnds(curve.Thresholds())
	if len(ends) == 0 || height < 3 {
		return nil
	}
	ends = ends[max(0, len(ends)-(height-2)):]
	counts, largest := make([]int, len(ends)), 1
	for i, end := range ends {
		from, _ := curve.Above(end / 2)
		if i == 0 {
			from, _ = curve.Above(-1) // all that is lower stands in the first bar
		}
		beyond, _ := curve.Above(end)
		counts[i] = from - beyond
		largest = max(largest, counts[i])
	}
	fields := []field{{head: "risk up to", right: true, size: 10}, {size: max(1, width-2-10-9-2)}, {head: "records", right: true, size: 9}}
	lines := []string{headings(State{Theme: theme}, fields, 1, width)}
	cut := false
	for i, end := range ends {
		if !cut && threshold < end {
			lines, cut = append(lines, cutLine(theme, threshold, width)), true
		}
		l := newLine(width, nil)
		l.gap(1)
		l.right(&theme.Plain, strings.TrimPrefix(fmt.Sprintf("%.3g", end), "0"), 10)
		l.gap(1)
		style := &theme.Bar
		if cut {
			style = &theme.High
		}
		l.bar(theme, style, float64(counts[i])/float64(largest), 0, fields[1].size)
		l.gap(1)
		l.right(&theme.Plain, Count(counts[i]), 9)
		lines = append(lines, l.String())
	}
	if !cut {
		lines = append(lines, cutLine(theme, threshold, width))
	}
	return lines
}

func cutLine(theme *Theme, threshold float64, width int) string {
	text := fmt.Sprintf(" threshold %.3g ", threshold)
	return theme.Strong.Render(Fit("─"+text+strings.Repeat("─", max(0, width-1-Width(text))), width))
}

// cutEnds returns the upper ends of the bars: halves of 1 down to the lowest risk
// that occurs, ascending, those that hold the risks.
func cutEnds(risks []float64) []float64 {
	if len(risks) == 0 {
		return nil
	}
	const most = 40
	lowest, highest := risks[0], risks[len(risks)-1]
	var ends []float64
	for end := 1.0; len(ends) < most; end /= 2 {
		if end/2 < highest {
			ends = append(ends, end)
		}
		if end/2 < lowest {
			break
		}
	}
	slices.Reverse(ends)
	return ends
}
