package tui

import (
	"encoding/json"

	"github.com/sdcdesk/sdcdesk/views"
)

// manyLevels is the number of levels from which a variable of numbers opens
// with intervals instead of categories.
const manyLevels = 13

// newRecodeDialog opens the recode dialog of a variable in the form that fits
// it; nil where the variable is not in the file or has no value to recode.
func newRecodeDialog(s views.State, variable string) Dialog {
	column := currentColumn(s, variable)
	if column == nil || len(column.Categories().Levels) == 0 {
		return nil
	}
	earlier := earlierBreaks(s, variable)
	source := column.Unrecoded()
	if source.Numeric() && (earlier != nil || len(source.Categories().Levels) >= manyLevels) {
		return newRecodeIntervals(s, column, earlier)
	}
	return newRecodeGroups(s, column)
}

// earlierBreaks returns the breaks of the last recode by intervals of the
// variable that stands; nil where there is none.
func earlierBreaks(s views.State, variable string) []float64 {
	for i := min(s.Position, len(s.Steps)) - 1; i >= 0; i-- {
		if s.Steps[i].Name != "recode-intervals" {
			continue
		}
		var params struct {
			Variable string    `json:"variable"`
			Breaks   []float64 `json:"breaks"`
		}
		if json.Unmarshal(s.Steps[i].Params, &params) == nil && params.Variable == variable {
			return params.Breaks
		}
	}
	return nil
}
