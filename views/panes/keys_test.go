package panes

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/keys"
	"github.com/sdcdesk/sdcdesk/views/tables"
	"github.com/sdcdesk/sdcdesk/views/utility"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// A pane that has nothing to show yet lists only the keys that have an effect.
func TestKeysOfEmptyPanes(t *testing.T) {
	s := viewtest.SurveyAt(t, 0)
	suda := views.MeasurePages{Name: "suda", Intro: "Press enter to compute it."}
	diversity := views.MeasurePages{Name: "l-diversity", Intro: "Press enter to compute it."}
	for name, of := range map[string]struct {
		pane views.Pane
		want string
	}{
		"table":            {tables.New()[1], "a"},
		"tables":           {tables.New()[0], "a"},
		"suppressions":     {keys.NewSuppressions(), ""},
		"one measure":      {views.NewMeasures("suda", "SUDA2", suda), "enter"},
		"several measures": {views.NewMeasures("several", "Several", suda, diversity), "enter t ←→"},
		"active measures":  {utility.NewOpenMeasures(), ""},
	} {
		of.pane.View(s, 60, 12, true)
		var names []string
		for _, b := range of.pane.Keys() {
			if b.Enabled() {
				names = append(names, b.Help().Key)
			}
		}
		if got := strings.Join(names, " "); got != of.want {
			t.Errorf("%s: keys %q, not %q", name, got, of.want)
		}
	}
}
