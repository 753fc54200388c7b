package numeric

import "github.com/sdcdesk/sdcdesk/views"

// NewNumericRisk returns the pane of the risk of numeric variables.
func NewNumericRisk() views.Pane {
	return views.NewMeasures("numeric-risk", "Numeric risk", views.MeasurePages{Name: "numericrisk",
		Intro: "Numeric risk: the share of masked values close to the original, and of records linked correctly by distance. " +
			"Press enter to compute them; a large file takes a while."})
}
