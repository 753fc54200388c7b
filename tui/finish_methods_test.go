package tui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/views"
)

// openMethod opens the dialog of a method.
func (d *driver) openMethod(name string) *driver {
	d.Helper()
	d.act(func() { d.m.do(views.OpenMethod{Name: name}) })
	return d.Send()
}

// noWords matches words of scripts, which dialogs must not use.
var noWords = regexp.MustCompile(`null|\[\]|must be given|parameter |is empty|[a-z]+_(level|value|lowest|missing|weights)|is missing:`)

// The dialog of every method opens with a what-if of a step that can be applied, or says in plain words what it
// needs, in which case enter is not offered. Its page describes the method and its source.
func TestEveryMethodOpensWithAProposal(t *testing.T) {
	needed := []string{"recode-group", "recode-order", "recode-rename", "recode-hierarchy", "recode-grc", "recode-labels", "recode-split", "recode-dates", "recode-file", "shift-dates",
		"set-missing", "suppress-cells"}
	for i, size := range [][2]int{{120, 40}, {80, 24}} {
		if !longtests.Some(i, 2) {
			continue
		}
		d := surveyOf(t, size[0], size[1])
		for _, spec := range d.m.options.Methods {
			d.openMethod(spec.Name)
			if d.m.dialog == nil {
				t.Errorf("%s has no dialog: %s", spec.Name, d.m.notice.text)
				continue
			}
			text, asks := d.Text(), slices.Contains(needed, spec.Name)
			a := d.m.asking.answer
			if known := a.WhatIf != nil && a.Err == nil; known == asks {
				t.Errorf("%s: a what-if %v, error %v:\n%s", spec.Name, known, a.Err, text)
			}
			if offered := strings.Contains(text, "enter apply"); offered == asks {
				t.Errorf("%s offers enter: %v\n%s", spec.Name, offered, text)
			}
			if words := noWords.FindAllString(text, -1); words != nil {
				t.Errorf("%s says %q:\n%s", spec.Name, words, text)
			}
			if asks && !regexp.MustCompile(`(Type|[Cc]hoose|Say|path|mark|has no suitable variable)[^│]*`).MatchString(d.Dialog().text) {
				t.Errorf("%s does not say what it needs:\n%s", spec.Name, text)
			}
			d.Press("?").pageOf(spec)
			d.Press("esc", "esc")
			if d.m.dialog != nil || len(d.steps()) > 0 {
				t.Fatalf("%s: %T is open, steps %q", spec.Name, d.m.dialog, d.steps())
			}
		}
	}
}

// pageOf checks that the visible page is that of a method.
func (d *driver) pageOf(spec method.Spec) {
	d.Helper()
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	drawn := words(d.m.dialog.Title() + " " + ansi.Strip(d.m.dialog.View(d.m.dialogState(), 120, 400)))
	for _, text := range []string{spec.Title, spec.Cite, "keys", "in scripts: " + spec.Name} {
		if text := words(text); !strings.Contains(drawn, text[:min(len(text), 60)]) {
			d.Errorf("the page of %s lacks %q:\n%s", spec.Name, text, d.Dialog().text)
		}
	}
}

// i explains the figures of the what-if, including those after the step, and returns.
func TestIExplainsTheFiguresOfADialog(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("K", "i")
	after := d.m.asking.answer.WhatIf.Figures.Value("kanonymity", "violators", 2)
	d.Dialog().Contains("Violators of 2-anonymity", after.Text()+" records", "source")
	d.Press("tab", "esc").Dialog().Contains("suppression rule")
	d.focus("strata").Type("i")
	d.Dialog().Contains("strata", "▸ strata            i")
}

// Another variable gets another proposal, unless the user changed something.
func TestAnotherVariableAnotherProposal(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).openMethod("recode-topbottom")
	first := asked[*recode.TopBottom](d)
	d.Press("right")
	second := asked[*recode.TopBottom](d)
	if first.Variable == second.Variable || first.Top == nil || second.Top == nil || *first.Top == *second.Top {
		t.Fatalf("proposed are %+v and %+v", first, second)
	}
	d.Press("down").Type("77").Press("up", "left")
	if third := asked[*recode.TopBottom](d); third.Variable != first.Variable || *third.Top != 77 {
		t.Errorf("what was typed gave way to %+v", third)
	}
	for _, variable := range []string{"age", "income"} {
		column, ok := d.m.bench.current.Data.Column(variable)
		if !ok {
			t.Fatal(variable)
		}
		m := &recode.TopBottom{Variable: variable, Replacement: recode.ReplaceByThreshold}
		spec := recode.TopBottomSpec()
		if wanted := spec.Proposal(m, method.Input{Data: d.m.bench.current.Data, Scenario: d.m.bench.scenario},
			""); wanted != "" {
			t.Fatal(wanted)
		}
		above, all := 0, 0
		for record := range column.Len() {
			if !column.Missing(record) {
				all++
				if column.Float(record) > *m.Top {
					above++
				}
			}
		}
		if share := float64(above) / float64(all); above == 0 || share > 0.01 {
			t.Errorf("%s: %d of %d lie above %v", variable, above, all, *m.Top)
		}
	}
}
