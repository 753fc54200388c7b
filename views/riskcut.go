package views

import (
	"fmt"
	"slices"
	"sort"
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
	cut := sort.Search(len(ends), func(i int) bool { return threshold < ends[i] })
	t := Table{
		Columns: []Column{{Head: "risk up to", Kind: Counts}, {Kind: Bars}, {Head: "records", Kind: Counts, Size: 9}},
		Rows:    len(ends) + 1,
		Row: func(row int) []Cell {
			bar := Cell{Style: &theme.Bar}
			switch {
			case row == cut:
				return []Cell{{Text: Fit(fmt.Sprintf("─ threshold %.3g ", threshold)+strings.Repeat("─", width), width), Style: &theme.Strong}}
			case row > cut:
				row, bar.Style = row-1, &theme.High
			}
			bar.Share = float64(counts[row]) / float64(largest)
			return []Cell{{Text: strings.TrimPrefix(fmt.Sprintf("%.3g", ends[row]), "0")}, bar, {Text: Count(counts[row])}}
		},
	}
	return t.Lines(State{Theme: theme}, nil, width, height, false)
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
