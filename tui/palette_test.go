package tui

import (
	"cmp"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
)

// The palette finds the recode dialog by its functions.
func TestPaletteFindsTheRecodeDialogByItsWords(t *testing.T) {
	beside(t)
	for _, word := range []string{"interv", "merge", "group", "rename", "order", "split", "hierarchy"} {
		d := surveyOf(t, 80, 24).Press(":").Type(word)
		d.Dialog().Contains("Recode the selected variable")
	}
	d := surveyOf(t, 80, 24).Press("1", "down", "down", "down", ":").Type("interv").Press("enter")
	d.Dialog().Contains("Recode age", "breaks")
	d = surveyOf(t, 80, 24).Press(":").Type("recode interv")
	d.Dialog().Contains("Recode the selected variable")
}

// Every method is found by its title in the manual, those with a key through their command.
func TestPaletteFindsMethodsByTheirTitles(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40)
	keyed := map[string]string{"recode-intervals": "Recode the selected", "recode-group": "Recode the selected",
		"recode-rename": "Recode the selected", "recode-topbottom": "Top- or bottom-code", "suppress-kanonymity": "Reach k-anonymity",
		"suppress-risk": "Suppress a variable", "pram": "PRAM: randomise"}
	for _, spec := range catalog.Methods() {
		d.Press(":").Type(spec.Title).Dialog().Contains(cmp.Or(keyed[spec.Name], spec.Title))
		d.Press("esc")
	}
	d.Press(":").Type("PRAM").Press("enter").Dialog().Contains("diagonal (pd)")
}

func TestRecodeDialogsShowTheirKeysWhereThereIsRoom(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "down", "down", "down", "r")
	d.Screen().Contains("n equal widths", "g equal frequencies", "G logarithmic", "t top-code here", "b bottom-code here",
		"e edit label", "S suggest", "o open file")
	d.Type("5").Screen().Lacks("equal widths")
	d = surveyOf(t, 200, 60).Press("1", "r")
	d.Screen().Contains("r rename", "x split", "J/K move", "H hierarchy", "S suggest", "o open file")
	d = surveyOf(t, 80, 24).Press("1", "down", "down", "down", "r")
	d.Screen().Contains("90+", "n equal widths")
	// the list needs the lines
	d.Type("4 9 14 19 24 29 34 39 44 49 54 59 64").Press("tab").Screen().Lacks("n equal widths")
	for height := 5; height < 40; height++ { // every frame fills its screen
		d.Resize(120, height).Resize(60, height)
	}
}

// A list without room for all entries shows how many are hidden.
func TestPaletteSaysThatThereIsMore(t *testing.T) {
	beside(t)
	surveyOf(t, 80, 24).Press(":").Dialog().Contains("↓ ", " more")
	surveyOf(t, 80, 24).Press(":", "pgdown", "pgdown").Dialog().Contains("↑ ", "↓ ")
	d := surveyOf(t, 80, 24).Press("m").Type("suda")
	d.Dialog().Contains("SUDA2")
	d.Dialog().Lacks("more")
}
