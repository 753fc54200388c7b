package numeric

import "github.com/sdcdesk/sdcdesk/views"

// NewNumericRisk returns the pane of the risk of numeric variables.
func NewNumericRisk() views.Pane {
	return views.NewMeasures("numeric-risk", "Numeric risk", views.MeasurePages{Name: "numericrisk",
		Intro: "Shares of masked values close to their original, and of records that an intruder links correctly by " +
			"distance. A large file takes a while. enter computes them."})
}
