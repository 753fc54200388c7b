package tui

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// sharedSurveyOf runs the program on the survey with region and urbrur the same for households, as in the
// demonstration.
func sharedSurveyOf(t testing.TB, width, height int) *driver {
	t.Helper()
	return sharedOf(t, "sample.csv", width, height)
}

// sharedOf is sharedSurveyOf for a given file.
func sharedOf(t testing.TB, name string, width, height int) *driver {
	t.Helper()
	scenario := surveyScenario()
	scenario.SameForHousehold = []string{"region", "urbrur"}
	return start(t, Options{Demo: true, OpenDemo: opener(name, scenario)}, width, height)
}

// The cells announced for a threshold are those that the step suppresses, including those of other members.
func TestSuppressionAboveARiskTakesHouseholds(t *testing.T) {
	d := sharedOf(t, "survey.csv", 120, 40).Press("R")
	for range 2 { // region, then sex, which is suppressed per member
		predicted := d.m.asking.answer.WhatIf.Report
		d.Dialog().Contains(draw.Count(predicted.Total) + " cells of " + asked[*suppress.AboveRisk](d).Variable + " are suppressed")
		d.Press("up", "right", "right", "down")
	}
	d.Press("up", "left", "left", "left", "left", "down")
	predicted := d.Text()
	d.Press("enter")
	made := d.m.bench.doc.Steps()[0].Report
	if made.Cells[0].Name != "region" || !strings.Contains(predicted, draw.Count(made.Total)+" cells of region are suppressed") ||
		made.Total <= made.Above {
		t.Errorf("%d cells taken in %d records above; foretold:\n%s", made.Total, made.Above, predicted)
	}
}
