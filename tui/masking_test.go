package tui

import (
	"testing"
)

// The dialogs of methods that mask numbers draw what a variable would become, for each
// of the variables, as a distribution and as a scatter.
func TestMaskingDialogsDrawTheVariable(t *testing.T) {
	for _, name := range []string{"microaggregate", "noise", "rankswap", "shuffle", "generate", "topcode-multivariate"} {
		d := surveyOf(t, 160, 50).openMethod(name).retype("income, expend").Send()
		d.Screen().Contains("│ income          ", "0 to <", "█ would be", "░ more in the data now").Screen().Lacks("╱ unchanged")
		d.Press("shift+right").Screen().Contains("│ expend          ")
		d.Press("shift+up").Send().Screen().Contains("would be ↑, now →", "╱ unchanged").Screen().Lacks("░ more in")
		d.Press("shift+left", "shift+down").Screen().Contains("│ income          ")
		d.retype("income, nobody").Screen().Lacks("│ income          ")
	}
}

// The pane of the risk of numeric variables opens the measure.
func TestNumericTab(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("]", "]", "]", "down", "down")
	d.Screen().Contains("Distribution · income", "Scatter · income now by original", "income by region · weighted")
	d.Press("5", "x", "f").Screen().Contains("median of income by region")
}

// Parameters that have no effect with the chosen method are not shown, unless they were
// given a value.
func TestParametersWithoutEffectAreHidden(t *testing.T) {
	d := surveyOf(t, 160, 50).openMethod("microaggregate")
	d.Dialog().Lacks("iterations", "clusters", "semicontinuous", "trim ", "sort ")
	d.focus("method").Press("right").Dialog().Contains("refined", "iterations").Dialog().Lacks("clusters")
	d.focus("iterations").retype("500").focus("method").Press("left").Dialog().Contains("mdav", "iterations  500")
	d.Press("esc").openMethod("noise").Dialog().Contains("percent").Dialog().Lacks("delta")
}
