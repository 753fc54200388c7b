package views

import (
	"math"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// RiskEnds returns the upper ends of risk classes in ascending order: 1, 2 and 5 times powers of ten, from the
// class of the lowest risk to that of the highest.
func RiskEnds(lowest, highest float64) []float64 {
	const least = 1e-6
	ends := []float64{profile.RoundStep(max(lowest, least))}
	for ends[len(ends)-1] < min(1, highest) {
		ends = append(ends, profile.RoundStep(1.5*ends[len(ends)-1]))
	}
	return ends
}

// RiskBar is the number of records in a risk class, now and in the original. The class begins above the end of the
// bar before it.
type RiskBar struct {
	End         string
	Now, Before int
	Style       *draw.Style
}

// RiskBars returns the table of records by risk class.
func RiskBars(bars []RiskBar) draw.Table {
	largest := 1
	for _, bar := range bars {
		largest = max(largest, bar.Now, bar.Before)
	}
	wide := max(7, draw.Width(draw.Count(largest)))
	share := func(n int) float64 { return float64(n) / float64(largest) }
	return draw.Table{
		Columns: []draw.Column{{Head: "risk", Kind: draw.Values}, {Kind: draw.Bars},
			{Head: "records", Kind: draw.Pairs}},
		Rows: len(bars),
		Row: func(row int) []draw.Cell {
			bar := &bars[row]
			below := ""
			if row > 0 {
				below = bars[row-1].End
			}
			return []draw.Cell{{Text: RiskClass(below, bar.End)}, {Share: share(bar.Now), Had: share(bar.Before), Style: bar.Style},
				{Text: draw.FitRight(draw.Count(bar.Now), wide), Was: draw.Count(bar.Before)}}
		},
	}
}

// RiskClass formats a risk class, "(0.001, 0.01]"; the lowest, below which there is none, is "[0, 0.001]".
func RiskClass(below, end string) string {
	if below == "" {
		return "[0, " + end + "]"
	}
	return "(" + below + ", " + end + "]"
}

// RoundEnd formats the upper end of a risk class, a round number: "0.002".
func RoundEnd(end float64) string {
	return strconv.FormatFloat(end, 'f', -1, 64)
}

// RiskText formats a risk with four decimals, a lower one with two significant digits: "0.000036".
func RiskText(risk float64) string {
	if !(risk > 0) || risk >= 0.00005 {
		return wording.Probability(risk)
	}
	decimals := 1 - int(math.Floor(math.Log10(risk)))
	return strconv.FormatFloat(risk, 'f', decimals, 64)
}

// RiskStyle returns green for no violators, amber up to one record in ten, red above.
func RiskStyle(theme *draw.Theme, violators, records int) *draw.Style {
	switch {
	case violators == 0:
		return &theme.Low
	case 10*violators <= records:
		return &theme.Middle
	default:
		return &theme.High
	}
}

// DangerStyle returns green up to a risk of 0.01, amber up to 0.1, red above.
func DangerStyle(theme *draw.Theme, risk float64) *draw.Style {
	switch {
	case risk > 0.1:
		return &theme.High
	case risk > 0.01:
		return &theme.Middle
	default:
		return &theme.Low
	}
}
