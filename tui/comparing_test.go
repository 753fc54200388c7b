package tui

import "testing"

// Two states of the tree are set side by side: the original data and those after a
// step, with the figures and the variables in which they differ.
func TestCompareWithTheOriginal(t *testing.T) {
	d := recodeAge(surveyOf(t, 120, 40)).Press("6", "end", "=")
	d.Dialog().Contains("original", "here", "expected re-identifications", "* is better", "records in both", "variable", "age")
	d.Dialog().Lacks("region ")
	d.Press("esc")
	if len(d.steps()) != 1 || d.m.dialog != nil {
		t.Errorf("steps %q after looking", d.steps())
	}
	d = surveyOf(t, 80, 24).Press("tab", "tab", "tab", "tab", "tab", "=")
	d.Dialog().Contains("0 of them with another value")
}
