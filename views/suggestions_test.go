package views

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/recode"
	"github.com/sdcdesk/sdcdesk/engine/suggest"
)

// Figures of large files stand in full.
func TestSuggestionsOfLargeFilesShowTheirFigures(t *testing.T) {
	all := []suggest.Suggestion{{Variable: "region", Recode: &recode.Group{Levels: []string{"Arden", "Brisk"}}, Before: 12_345_678, After: 2_172_505, Lost: 0.5, Detail: 2}}
	for _, width := range []int{60, 72, 118} {
		text := strings.Join(SuggestionRows(State{Theme: NewTheme(true, false)}, all, 0, false, width, 5), "\n")
		if !strings.Contains(text, "−10,173,173") || !strings.Contains(text, "2,172,505") {
			t.Errorf("in %d cells:\n%s", width, text)
		}
	}
}
