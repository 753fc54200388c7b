package tui

import (
	"strings"
	"testing"
)

// A variable that is to be the same for households, and is not, is told of at
// once.
func TestVariablesPageTellsDifferencesWithinHouseholds(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("v", "home")
	page := d.m.page.(*variablesPage)
	for page.name() != "sex" {
		d.Press("down")
	}
	if strings.Contains(d.Text(), "the members differ") {
		t.Error("a difference without the role")
	}
	d.Press("c")
	if text := d.Text(); !strings.Contains(text, "sex is to be the same for households, but in ") || !strings.Contains(text, "households the members differ") {
		t.Errorf("no word about households that differ:\n%s", text)
	}
	for page.name() != "region" {
		d.Press("up")
	}
	d.Press("c")
	if strings.Contains(d.Text(), "the members differ") {
		t.Error("region is the same within households")
	}
}
