package tui

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/session"
)

// The dialogs of masking methods draw each variable after the step, as a distribution and as a scatter plot.
func TestMaskingDialogsDrawTheVariable(t *testing.T) {
	for i, name := range []string{"microaggregate", "noise", "rankswap", "shuffle", "generate", "topcode-multivariate"} {
		if !longtests.Some(i, 3) {
			continue
		}
		d := surveyOf(t, 160, 50).openMethod(name).retype("income, expend").Send()
		d.Screen().Contains("│ income          ", "0 to <", "█ after",
			"░ more in the data now").Screen().Lacks("╱ unchanged")
		d.Press("shift+right").Screen().Contains("│ expend          ")
		d.Press("shift+up").Send().Screen().Contains("after ↑, now →", "╱ unchanged").Screen().Lacks("░ more in")
		d.Press("shift+left", "shift+down").Screen().Contains("│ income          ")
		d.retype("income, nobody").Screen().Lacks("│ income          ")
	}
}

// The pane of the risk of numeric variables opens the measure.
func TestNumericTab(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("]", "]", "]", "down", "down")
	d.Screen().Contains("Distribution · income", "Scatter plot · income, now against original", "income by region · weighted")
	d.Press("5", "x", "f").Screen().Contains("median of income by region")
}

// On every pane, the tab Numeric offers commands for the variable under the cursor or the marked ones; other tabs
// keep their keys.
func TestNumericTabMasks(t *testing.T) {
	for i, pane := range []string{"1", "2", "3", "4", "5", "6"} {
		if !longtests.Some(i, 3) {
			continue
		}
		d := surveyOf(t, 120, 40).Press("f4", "1", "g", "down", "down", pane)
		for key, want := range map[string]string{"M": "Microaggregation", "N": "Noise", "B": "Rank swapping"} {
			line := d.Press("esc", "f4", pane).Text()
			for _, text := range []string{"M microaggregate", "N noise", "B rank-swap", "T top-code", "r recode"} {
				if !strings.Contains(line, text) {
					t.Errorf("pane %s does not offer %s", pane, text)
				}
			}
			d.Press(key).Screen().Contains("╭─ "+want, "▸ variables  ")
			d.Press("esc")
		}
		d.Press("?").Screen().Contains("Microaggregate the marked").Press("esc", "esc")
	}
	d := surveyOf(t, 120, 40).Press("f4", "1", "g", "space", "down", "space", "M")
	variables := d.m.dialog.(interface{ Step() session.StepSpec }).Step()
	if text := string(variables.Params); !strings.Contains(text, `["hsize","`) && !strings.Contains(text, `","hsize"]`) {
		t.Errorf("the marked ones are not masked together: %s", text)
	}
	if text := string(variables.Params); !strings.Contains(text, `"decimals":"source"`) {
		t.Errorf("masked numbers are not proposed with the decimals of the source: %s", text)
	}
	d.Press("esc", "f7", "N").Screen().Lacks("╭─ Noise")
}

// Parameters without effect for the chosen method are hidden, unless they have a value.
func TestParametersWithoutEffectAreHidden(t *testing.T) {
	beside(t)
	d := surveyOf(t, 160, 50).openMethod("microaggregate")
	d.Dialog().Lacks("iterations", "clusters", "semicontinuous", "trim ", "sort ")
	d.focus("method").Press("right").Dialog().Contains("refined", "iterations").Dialog().Lacks("clusters")
	d.focus("iterations").retype("500").focus("method").Press("left").Dialog().Contains("mdav", "iterations  500")
	d.Press("esc").openMethod("noise").Dialog().Contains("percent").Dialog().Lacks("delta")
}

// The dialog of a method that searches shows the loss so far and the search time; + continues, and the step
// applied is the one of the figures shown. A typed number of iterations is used until + is pressed.
func TestMaskingGoesOn(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 50).openMethod("microaggregate").retype("income, expend, savings")
	d.Press("+").Dialog().Contains("savings+").Screen().Lacks("search 2 s longer") // a character of the text
	d.Press("backspace")
	d.focus("method").Press("right").Dialog().Contains("refined", "iterations  0", "searched for", "+ goes on")
	first := *d.m.asking.answer.Search
	d.Dialog().Contains(first.Account.Effect)
	d.m.options.Longest = first.Elapsed + 50*time.Millisecond
	d.Press("+")
	shown := *d.m.asking.answer.Search
	if loss, was := shown.Account.Groups.SSEPercent, first.Account.Groups.SSEPercent; loss > was ||
		shown.Iterations <= first.Iterations {
		t.Errorf("loss %v after %d iterations, %v before after %d", loss, shown.Iterations, was, first.Iterations)
	}
	d.Dialog().Contains(shown.Account.Effect)
	if _, made, _ := strings.Cut(string(shown.Step.Params), `"iterations":`); !strings.HasPrefix(made,
		strconv.Itoa(shown.Iterations)+",") {
		t.Errorf("%d iterations, params %s", shown.Iterations, shown.Step.Params)
	}
	d.focus("iterations").retype("30").Dialog().Contains("iterations  30").Dialog().Lacks("searched for")
	d.Press("up", "+").Dialog().Contains("searched for").Dialog().Lacks("iterations  30")
	shown = *d.m.asking.answer.Search
	d.Press("enter")
	steps := d.m.bench.doc.Steps()
	if made := steps[len(steps)-1]; string(made.Spec.Params) != string(shown.Step.Params) ||
		*made.Report.Groups != *shown.Account.Groups {
		t.Errorf("the step made is %s, loss %v; shown was %s, loss %v", made.Spec.Params, made.Report.Groups,
			shown.Step.Params, shown.Account.Groups)
	}
}

// Enter ends a running search, and then applies its result.
func TestEnterEndsASearch(t *testing.T) {
	d := surveyOf(t, 120, 50).openMethod("microaggregate").retype("income, expend, savings")
	d.m.options.Longest = time.Hour
	d.focus("method").Hold().Press("right")
	for range 4 { // questions wait, and searches continue, in commands
		held := d.held
		d.held = nil
		for _, cmd := range held {
			d.follow(cmd())
		}
	}
	d.Dialog().Contains("searching", "of 2.0 s · enter ends it", "loss").Screen().Contains("end the search")
	d.Press("enter").Release().Dialog().Contains("searched for").Dialog().Lacks("enter ends it")
	if len(d.steps()) != 0 {
		t.Fatalf("steps %q", d.steps())
	}
	if d.Press("enter"); len(d.steps()) != 1 {
		t.Errorf("steps %q", d.steps())
	}
}

// Changes of nearly the whole figure fit their column.
func TestChangesAreNotCut(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).openMethod("generate").retype("income, expend, savings").Send()
	d.Dialog().Contains("Synthetic values", "linkage", "▼")
	if text := d.Text(); regexp.MustCompile(`[▼▲] [0-9.,]*…`).MatchString(text) {
		t.Error(text)
	}
}
