package pram

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// After two applications the share is that of the values that differ from the original, compared text by text.
func TestChangedSinceTheSource(t *testing.T) {
	s := viewtest.Drawn(t, "educ", viewtest.RegionOnce, viewtest.EducSomeWhere)
	now, _ := s.Current.Data.Column("educ")
	before, _ := s.Original.Data.Column("educ")
	changed, present := 0, 0
	for record := range now.Len() {
		if now.Missing(record) || before.Missing(record) {
			continue
		}
		if present++; now.Text(record) != before.Text(record) {
			changed++
		}
	}
	share := drawnShare{}
	for range 2 {
		if got := share.of(s, "educ"); !got.ok || got.changed != changed || got.present != present || changed == 0 {
			t.Errorf("%d of %d changed, want %d of %d", got.changed, got.present, changed, present)
		}
	}
}

func TestApplicationsEndWithAReset(t *testing.T) {
	s := viewtest.Drawn(t, "region", viewtest.RegionOnce, viewtest.RegionOnce)
	if a := pram.ApplicationsTo("region", standing(s)); len(a.Reports) != 2 || a.Steps[1] != 2 {
		t.Errorf("applications %v", a.Steps)
	}
	s.Steps = append(s.Steps, views.Step{Restores: "region", Report: &method.Report{}})
	s.Position = 3
	if a, other := pram.ApplicationsTo("region", standing(s)), pram.ApplicationsTo("educ",
		standing(s)); len(a.Reports) != 0 || len(other.Reports) != 2 {
		t.Errorf("%d applications after the reset, %d of the other variable", len(a.Reports), len(other.Reports))
	}
	s.Position = 1
	if a := pram.ApplicationsTo("region", standing(s)); len(a.Reports) != 1 {
		t.Error("an undone step counts")
	}
}

func TestCandidatesForPRAM(t *testing.T) {
	s := viewtest.Drawn(t, "region")
	names := candidates(s)
	if names[0] != "health" || names[1] != "region" {
		t.Errorf("candidates %q", names)
	}
	for _, name := range names {
		for _, role := range []microdata.Role{microdata.RoleWeight, microdata.RoleHousehold, microdata.RoleRemoved} {
			if s.Scenario.Has(name, role) {
				t.Errorf("%s is a candidate, and %s", name, role)
			}
		}
	}
}
