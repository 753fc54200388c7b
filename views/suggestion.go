package views

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/recoding/plan"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// GroupText names the categories of a group in one line: up to three in full, otherwise the first and the last.
func GroupText(levels []string) string {
	if n := len(levels); n > 3 {
		return draw.Shortened(levels[0]) + " … " + draw.Shortened(levels[n-1]) + " (" + draw.Count(n) + ")"
	}
	return draw.Shortened(strings.Join(levels, " + "))
}

// RecodeText describes the recode of a plan in one line.
func RecodeText(s State, r *plan.Recode) string {
	if len(r.Steps) == 1 && !r.Removes {
		if group, ok := r.Steps[0].Method.(*recode.Group); ok {
			return GroupText(s.WithCodes(r.Variable, group.Levels))
		}
	}
	return r.Text
}
