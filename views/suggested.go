package views

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
)

// groupText names the categories of a group in one line: two or three of them
// all, of more the first and the last.
func groupText(levels []string) string {
	if n := len(levels); n > 3 {
		return shortened(levels[0]) + " … " + shortened(levels[n-1]) + " (" + Count(n) + ")"
	}
	return shortened(strings.Join(levels, " + "))
}

// SuggestionText names what a suggestion does, in one line.
func SuggestionText(s State, one *suggest.Suggestion) string {
	if one.Intervals != nil {
		return fmt.Sprintf("intervals of %s (%s)", strconv.FormatFloat(one.Width, 'f', -1, 64), Count(len(one.Intervals.Breaks)-1))
	}
	return groupText(s.WithCodes(one.Variable, one.Recode.Levels))
}

// lostShare returns detail lost in percent.
func lostShare(lost, detail float64) string {
	if !(detail > 0) {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*lost/detail)
}
