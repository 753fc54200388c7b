package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Figures that do not belong to the typed ends are marked.
func TestRefusedEndsLeaveNoFreshFigures(t *testing.T) {
	for _, text := range []string{"1e308", "10 -5"} {
		d := surveyOf(t, 120, 40).Press("1", "down", "down", "down", "r").Type("5")
		d.Dialog().Contains("0-5", "6+").Dialog().Lacks("↻")
		d.Press("backspace").Type(text)
		d.Dialog().Contains("↻ the intervals before that:", "after")
		if view := d.m.dialog.View(d.m.dialogState(), 120, 32); strings.Count(view, "↻") < 2 {
			t.Errorf("%s: the what-if has no mark:\n%s", text, view)
		}
		d.Press("esc").Dialog().Lacks("↻")
	}
}

// changes opens the recode dialog of a variable with negative values, in a file with decimal commas.
func changes(t *testing.T) *driver {
	t.Helper()
	var text strings.Builder
	text.WriteString("change;town\n")
	for i := range 60 {
		fmt.Fprintf(&text, "%s;%d\n", strings.Replace(fmt.Sprintf("%.1f", float64(i)-20.5), ".", ",", 1), i%3)
	}
	path := filepath.Join(t.TempDir(), "changes.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	d := start(t, Options{Path: path}, 120, 40).Press("enter", "home", "k", "enter", "1", "home", "r")
	return d
}

func TestTypedEndsBeginWithAMinus(t *testing.T) {
	d := changes(t)
	var help []string
	for _, binding := range d.m.dialog.Keys() {
		help = append(help, binding.Help().Key)
	}
	if !slices.Contains(help, "0-9 -") || !slices.Contains(help, "_/+") {
		t.Errorf("keys %q", help)
	}
	before := len(ends(d))
	if d.Press("_"); len(ends(d)) >= before {
		t.Errorf("_ leaves %d of %d ends", len(ends(d)), before)
	}
	d.Type("-10 0")
	if !slices.Equal(ends(d), []float64{-10, 0}) {
		t.Errorf("ends %v:\n%s", ends(d), d.Text())
	}
}

func TestDecimalCommaInTypedEnds(t *testing.T) {
	d := changes(t)
	for text, want := range map[string][]float64{
		"-10,5 0,5":  {-10.5, 0.5},
		"-10,5; 0,5": {-10.5, 0.5},
		"-10,5":      {-10, 5},
		"-10, 5, 7":  {-10, 5, 7},
		"1.5 2":      {1.5, 2},
	} {
		if d.Type(text); !slices.Equal(ends(d), want) {
			t.Errorf("%q makes the ends %v:\n%s", text, ends(d), d.Text())
		}
		d.Press("esc")
	}
}

func TestLabelOfAMovedIntervalIsKeptOrMissed(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "down", "down", "down", "r", "e").retype("children").Press("enter", "right")
	d.Dialog().Contains("children", "▸10◂", "11-19")
	d.Press("down", "e").retype("11 to 19").Press("enter", "right")
	d.Dialog().Contains("children", "the label 11 to 19 no longer matched", "11-20")
	d.Press("left").Dialog().Contains("11 to 19").Dialog().Lacks("no longer matched")
}
