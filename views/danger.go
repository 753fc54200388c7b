package views

import (
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// RiskStyle returns green for none, amber up to one record in ten, red above.
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
