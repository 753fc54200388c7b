package suppression

import (
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	riskview "github.com/sdcdesk/sdcdesk/views/risk"
)

// RiskCut draws the number of records by individual risk, with a line at a threshold; risks above it are red. It
// has at most height lines of width cells; if there are fewer than risk classes, the lowest classes are joined.
func RiskCut(theme *draw.Theme, curve *suppress.RiskCurve, threshold float64, width, height int) []string {
	risks := curve.Thresholds()
	if len(risks) == 0 || height < 4 {
		return nil
	}
	ends := views.RiskEnds(risks[0], risks[len(risks)-1])
	if threshold > ends[0]/2 {
		ends = riskview.Divided(ends, threshold)
	}
	ends = ends[max(0, len(ends)-(height-2)):]
	p := draw.CutPicture{Head: "risk", Unit: "records", Danger: true}
	line := "threshold " + views.RiskText(threshold)
	below, class := -1.0, "" // the first bar includes all lower risks
	for i, end := range ends {
		from, _ := curve.Above(below)
		beyond, _ := curve.Above(end)
		last := class
		class = riskview.EndText(end, threshold)
		bar := draw.CutBar{Label: views.RiskClass(last, class), Count: from - beyond, Beyond: end > threshold}
		switch {
		case bar.Beyond && (i == 0 || ends[i-1] <= threshold):
			bar.Cut = line
		case i == len(ends)-1 && !bar.Beyond:
			bar.Under = line
		}
		p.Bars, below = append(p.Bars, bar), end
	}
	return p.Lines(theme, width, height)
}
