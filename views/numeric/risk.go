package numeric

import "github.com/sdcdesk/sdcdesk/views"

// NewNumericRisk returns the pane of the risk of numeric variables.
func NewNumericRisk() views.Pane {
	return views.NewMeasures("numeric-risk", "Numeric risk", views.MeasurePages{Name: "numericrisk",
		Intro: "The risk of numeric variables counts masked values close to their original, and records that an intruder " +
			"links by distance. It takes a while for a large file. enter computes it."})
}
