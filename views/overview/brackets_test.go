package overview

import (
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Brackets are next to their content, with aligned counts.
func TestBracketsOfViolators(t *testing.T) {
	v := []risk.Violators{{K: 2, Count: 383}, {K: 3, Count: 4397}, {K: 5, Count: 10000}}
	for width, want := range map[int][]string{
		60: {"    (383    3.8 %)", "  (4,397   44.0 %)", " (10,000  100.0 %)"},
		20: {"   (383)", " (4,397)", "(10,000)"},
	} {
		if _, got := violatorTexts(v, v, 10000, width); !slices.Equal(got, want) {
			t.Errorf("in %d cells %q, want %q", width, got, want)
		}
	}
}
