package views

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// GroupText names the categories of a group in one line: two or three of them
// all, of more the first and the last.
func GroupText(levels []string) string {
	if n := len(levels); n > 3 {
		return draw.Shortened(levels[0]) + " … " + draw.Shortened(levels[n-1]) + " (" + draw.Count(n) + ")"
	}
	return draw.Shortened(strings.Join(levels, " + "))
}

// SuggestionText names what a suggestion does, in one line.
func SuggestionText(s State, one *suggest.Suggestion) string {
	if one.Intervals != nil {
		return fmt.Sprintf("intervals of %s (%s)", strconv.FormatFloat(one.Width, 'f', -1, 64),
			draw.Count(len(one.Intervals.Breaks)-1))
	}
	return GroupText(s.WithCodes(one.Variable, one.Recode.Levels))
}

// LostShare returns detail lost in percent.
func LostShare(lost, detail float64) string {
	if !(detail > 0) {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*lost/detail)
}
