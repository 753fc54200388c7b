package recoding

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Figures of large files stand in full.
func TestSuggestionsOfLargeFilesShowTheirFigures(t *testing.T) {
	all := []*suggest.Suggestion{{Variable: "region", Recode: &recode.Group{Levels: []string{"Arden", "Brisk"}},
		Before: 12_345_678, After: 2_172_505, Lost: 0.5, Detail: 2}}
	for _, width := range []int{60, 72, 118} {
		s := views.State{Look: draw.Look{Theme: draw.NewTheme(true, false)}}
		table := SuggestionTable(s, all, 8, false, func(int) bool { return false })
		text := strings.Join(table.Lines(s.Look, &draw.Cursor{}, width, 5, true), "\n")
		if !strings.Contains(text, "−10,173,173") || !strings.Contains(text, "2,172,505") ||
			!strings.Contains(text, "6.2 %") {
			t.Errorf("in %d cells:\n%s", width, text)
		}
	}
}
