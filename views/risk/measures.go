package risk

import (
	"github.com/sdcdesk/sdcdesk/engine/risk/inference"
	"github.com/sdcdesk/sdcdesk/views"
)

// NewSuda returns the pane of SUDA2.
func NewSuda() views.Pane {
	p := views.NewMeasures("suda", "SUDA2", views.MeasurePages{Name: "suda", First: "dis_intervals",
		Intro: "SUDA2 looks for the smallest sets of key variables on which a record is unique. Press enter to compute it."})
	p.Risk = true
	return p
}

// NewDiversity returns the pane of l-diversity and t-closeness, starting with the key patterns that fail.
func NewDiversity() views.Pane {
	p := views.NewMeasures("diversity", "l-diversity, t-closeness",
		views.MeasurePages{Name: "ldiversity", First: "failing_keys",
			Intro: "l-diversity counts the distinct values of a sensitive variable within each key pattern. If all its records " +
				"have one value, an intruder learns it. Press enter to compute it, or t for t-closeness."},
		views.MeasurePages{Name: "tcloseness", First: "failing_keys",
			Intro: "t-closeness compares the distribution of a sensitive variable within each key pattern with that of the whole file. Press enter to compute it, or t for l-diversity."})
	p.Risk = true
	return p
}

// NewInference returns the pane of attribute inference, starting with what reveals suppressed and recoded values.
func NewInference() views.Pane {
	p := views.NewMeasures("inference", "Attribute inference", views.MeasurePages{Name: inference.Name, First: "told_by",
		Intro: "Attribute inference shows which suppressed or recoded values an intruder can infer from other variables, or from members of the household. Press enter to compute it."})
	p.Risk = true
	return p
}
