package panes

import (
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/keys"
	"github.com/sdcdesk/sdcdesk/views/pages"
	"github.com/sdcdesk/sdcdesk/views/tables"
	"github.com/sdcdesk/sdcdesk/views/utility"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// A pane that has nothing to show yet lists only the keys that have an effect.
func TestKeysOfEmptyPanes(t *testing.T) {
	s := viewtest.SurveyAt(t, 0)
	suda := views.MeasurePages{Name: "suda", Intro: "Press enter to compute it."}
	diversity := views.MeasurePages{Name: "l-diversity", Intro: "Press enter to compute it."}
	active := s
	active.Measures = []views.Opened{{Spec: measure.Spec{Name: "linkage"}, Current: &measure.Entry{NotApplicable: "no variables"}}}
	for name, of := range map[string]struct {
		pane views.Pane
		want string
	}{
		"table":            {tables.New()[1], "a"},
		"tables":           {tables.New()[0], "a"},
		"suppressions":     {keys.NewSuppressions(), ""},
		"one measure":      {views.NewMeasures("suda", "SUDA2", suda), "enter"},
		"not applicable":   {views.NewMeasured("linkage"), "enter o c d"},
		"several measures": {views.NewMeasures("several", "Several", suda, diversity), "enter t ←→"},
		"active measures":  {utility.NewOpenMeasures(), ""},
	} {
		if of.pane.View(s, 60, 12, true); name == "not applicable" {
			of.pane.View(active, 60, 12, true)
		}
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

// A page without an option at its cursor does not list enter.
func TestKeysOfAScrolledPage(t *testing.T) {
	s := viewtest.SurveyAt(t, 0)
	p := pages.NewRecord(0)
	enters := func() bool {
		return slices.ContainsFunc(p.Keys(), func(b key.Binding) bool { return b.Help().Key == "enter" })
	}
	if p.View(s, 76, 12, true); enters() {
		t.Error("enter is listed above the options")
	}
	if p.View(s, 76, 200, true); !enters() {
		t.Error("enter is not listed at an option")
	}
}
