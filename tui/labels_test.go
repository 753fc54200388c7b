package tui

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// labelled is a place that shows labels of codes or variables: the keys that lead to it, and words shown there.
type labelled struct {
	name  string
	keys  []string
	shown func(d *driver) shown
	words []string
}

func paneOf(id string) func(d *driver) shown { return func(d *driver) shown { return d.Pane(id) } }

// labelledPlaces are panes and dialogs with codes or variables, for a survey in SPSS format.
func labelledPlaces() []labelled {
	dialog, screen := (*driver).Dialog, (*driver).Screen
	return []labelled{
		{"cell of the cross table", []string{"f2", "2", "down"}, paneOf("cross-table"), []string{"1 Arden, 1 urban: "}},
		{"cell of the cross table, explained", []string{"f2", "2", "down", "i"}, dialog,
			[]string{"Records with 1 Arden and 1 urban"}},
		{"numbers by group", []string{"f4", "5"}, paneOf("numeric-groups"), []string{"1 urban", "2 rural"}},
		{"numbers by two groups", []string{"f4", "5", "x"}, paneOf("numeric-groups"), []string{"1 urban", "1 male"}},
		{"distribution", []string{"1", "g", "f4", "2"}, paneOf("numeric-distribution"),
			[]string{"1 Arden", "8 Hollow Isles"}},
		{"correlation of two variables", []string{"f4", "4", "down", "down", "down", "down", "down"},
			paneOf("numeric-correlations"), []string{"urbrur: Urban or rural"}},
		{"category, explained", []string{"1", "g", "2", "i"}, dialog, []string{"region: 1 Arden"}},
		{"cell of the data", []string{"f7"}, screen, []string{"region · Region of residence: 1 Arden"}},
		{"records at risk with room for codes alone", nil, screen, []string{"8 Hollow Isles, 2 rural, "}},
		{"label that is too long for its column", []string{"f7"}, screen, []string{"5 Universität, £/€ Gebü…"}},
		{"cell of the data, explained", []string{"f7", "i"}, dialog,
			[]string{"1 Arden", "region · Region of residence: a variable"}},
		{"suppressed cells by variable", []string{"K", "enter"}, paneOf("suppressions"),
			[]string{"Region of residence", "Sex"}},
		{"page of a record", []string{"4", "enter"}, screen, []string{"region = 8 Hollow Isles"}},
		{"contributions to SUDA scores", []string{"f5", "3", "enter", "t", "t"}, paneOf("suda"),
			[]string{"Region of residence", "Sex"}},
		{"categories in SUDA scores", []string{"f5", "3", "enter", "t", "t", "t", "t"}, paneOf("suda"),
			[]string{"1 Arden", "8 Hollow Isles"}},
		{"table of a measure", []string{"f5", "3", "enter", "z", "t", "t", "t", "t"}, screen,
			[]string{"1 Arden", "8 Hollow Isles"}},
		{"keys that fail l-diversity", []string{"V", "down", "down", "h", "s", "i", "z", "e", "enter", "enter", "f5", "4",
			"enter", "z"}, screen, []string{"2 Brisk, 1 urban, 2 female", "Household size"}},
		{"risky cells", []string{"m", "r", "i", "s", "k", "y", "enter", "enter", "t", "down", "down", "down", "down", "down",
			"down", "down", "down", "down"}, screen, []string{"region: Region of residence · urbrur: Urban"}},
		{"variables of a file", []string{"v"}, screen, []string{"Region of reside", "label     Region of residence",
			"1 Arden "}},
		{"missing codes of a variable", []string{"v", "down", "down", "down", "down", "down", "down", "down", "down", "down",
			"down", "down"}, screen, []string{"7 as -8 refused", "5 as -9 not stated"}},
		{"group", []string{"1", "g", "r", "space", "down", "space"}, dialog,
			[]string{"Recode region · Region of residence", "→ 1+3 Arden, Corvale"}},
		{"step", []string{"1", "g", "r", "space", "down", "space", "enter", "6"}, screen,
			[]string{"region: Region of residence · 1 Arden · 3 Corvale"}},
		{"step, explained", []string{"1", "g", "r", "space", "down", "space", "enter", "6", "i"}, dialog,
			[]string{"region: Region of residence", "1 Arden"}},
		{"steps of a plan", []string{"p", "down"}, func(d *driver) shown { return d.Resize(200, 60).Screen() },
			[]string{"region: Region of residence"}},
		{"candidate", []string{"1", "g", "r", "space", "down", "space", "ctrl+t", "esc", "f6"}, screen,
			[]string{"region: Region of residence · 1 Arden · 3 Corvale"}},
		{"suppressed cells by stratum", []string{"K"}, func(d *driver) shown {
			return d.focus("strata").Type("urbrur").Press("enter", "f2", "3", "right", "right").Pane("suppressions")
		}, []string{"1 urban", "2 rural"}},
		{"matrix of a stratum", []string{"1", "g", "P"}, func(d *driver) shown {
			return d.focus("strata").Type("urbrur").Press("enter", "f3").Screen()
		}, []string{"region · 1 urban (1 of 2)"}},
		{"matrix of an earlier step", []string{"1", "g", "P", "enter", "f1", "1", "g", "r", "space", "down", "space", "enter",
			"f3"}, paneOf("pram-matrix"), []string{"3 Corvale"}},
		{"hierarchy", []string{"1", "g", "r", "H"}, dialog, []string{"Hierarchy of region · Region of residence",
			"8 Hollow Isles"}},
		{"top and bottom coding", []string{"1", "g", "down", "down", "down", "down", "down", "T"}, dialog,
			[]string{"Bildung – plus haut diplôme", "◂ 4 ▸  Berufslehre", "0 keine"}},
		{"top and bottom coding of few lines", []string{"1", "g", "down", "down", "down", "down", "down", "T"},
			func(d *driver) shown { return d.Resize(80, 24).Screen() }, []string{"4 ▸  Berufslehre"}},
		{"order of importance", []string{"K"}, dialog, []string{"Urban", "Sex"}},
		{"variable of a method", []string{"1", "g", "R"}, dialog, []string{"region  Region of residence"}},
		{"unsafe combinations", []string{"1", "g", ":", "u", "n", "s", "a", "f", "e", "enter"}, dialog,
			[]string{"Region of residence", "1 Arden", "8 Hollow Isles"}},
	}
}

// Labels of codes and variables are shown at every place, unless they are hidden.
func TestLabelsAtEveryPlace(t *testing.T) {
	for i, place := range labelledPlaces() {
		if !longtests.Some(i, 3) {
			continue
		}
		t.Run(place.name, func(t *testing.T) {
			d, _ := surveyOfSPSS(t, 160, 50)
			place.shown(d.Press(place.keys...)).Contains(place.words...)
			d, _ = surveyOfSPSS(t, 160, 50)
			place.shown(d.Press("L").Press(place.keys...)).Lacks(place.words...)
		})
	}
}

// Labels can be toggled inside dialogs too, unless text is being typed.
func TestLabelsInsideDialogs(t *testing.T) {
	beside(t)
	for name, keys := range map[string][]string{"group": {"1", "g", "r", "space"},
		"top and bottom coding": {"1", "g", "down", "down", "down", "down", "down", "T"}, "order of importance": {"K"}} {
		d, _ := surveyOfSPSS(t, 160, 50)
		words := map[string]string{"group": "3 Corvale", "top and bottom coding": "4 ▸  Berufslehre",
			"order of importance": "Urban"}[name]
		d.Press(keys...).Dialog().Contains(words)
		d.Press("L").Dialog().Lacks(words)
		d.Press("L").Dialog().Contains(words)
	}
	d, _ := surveyOfSPSS(t, 160, 50)
	d.Press("K").focus("strata").Type("Land").Dialog().Contains("▸ strata            Land")
	d, _ = surveyOfSPSS(t, 160, 50)
	d.Press("1", "g", "r", "space", "e", "L").Dialog().Contains("3 Corvale")
}
