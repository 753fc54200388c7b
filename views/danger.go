package views

// riskStyle returns green for none, amber up to one record in ten, red above.
func riskStyle(theme *Theme, violators, records int) *Style {
	switch {
	case violators == 0:
		return &theme.Low
	case 10*violators <= records:
		return &theme.Middle
	default:
		return &theme.High
	}
}

// dangerStyle returns green up to a risk of 0.01, amber up to 0.1, red above.
func dangerStyle(theme *Theme, risk float64) *Style {
	switch {
	case risk > 0.1:
		return &theme.High
	case risk > 0.01:
		return &theme.Middle
	default:
		return &theme.Low
	}
}
