package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	combine "github.com/sdcdesk/sdcdesk/engine/suppression/combinations"
)

// argusFiles copies the invented sample of mu-Argus files into a folder.
func argusFiles(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"towns.asc", "towns.rda", "towns.cdl", "towns.grc", "size.cdl"} {
		text, err := os.ReadFile(filepath.Join(here, "..", "engine", "files", "muargus", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// A description opens its data and suggests the scenario, and a recode file is read from its path, with the code
// list that it names.
func TestArgusFiles(t *testing.T) {
	beside(t)
	folder := argusFiles(t)
	d := start(t, Options{Path: filepath.Join(folder, "towns.rda")}, 120, 40)
	d.Screen().Contains("Import towns.asc", "fixed positions, 7 described variables", "OWNER",
		"1200.5").Screen().Lacks("delimiter")
	d.Press("enter").Press("down").Screen().Contains("described as identifying: level 3")
	d.Press("a", "enter")
	scenario := d.m.bench.doc.Scenario()
	if got := strings.Join(scenario.Keys,
		" "); got != "TOWN SEX OWNER" || scenario.Weight != "WEIGHT" || scenario.Household != "HH" ||
		strings.Join(scenario.SameForHousehold, " ") != "OWNER" || scenario.LinkedTo("PROVINCE") != "TOWN" {
		t.Errorf("scenario %+v", scenario)
	}
	d.Pane("frequencies").Contains("5 Aldorf", "118 Cragton")
	d.Press(":").Type("mu-argus").Press("enter", "down").Type(filepath.Join(folder, "no.grc"))
	d.Dialog().Contains("no.grc: no such file")
	d.Press("esc").Type(filepath.Join(folder, "towns.grc")).Press("down")
	d.Dialog().Contains("labels", "2 lines")
	d.Press("enter")
	if steps := d.steps(); len(steps) != 1 || steps[0] != "recode TOWN with a mu-Argus file: 2 codes" {
		t.Fatalf("steps %q", steps)
	}
	town, _ := d.m.bench.doc.Data().Column("TOWN")
	if town.Description().Labels["2"] != "large" {
		t.Errorf("labels %v", town.Description().Labels)
	}
	d.Pane("frequencies").Contains("1 small", "2 large")
	d.Press("u")
	if len(d.steps()) != 0 {
		t.Error("the recode was not undone")
	}
	d.Pane("frequencies").Contains("118 Cragton")
}

// Suppression of unsafe combinations starts with the levels and costs in the description of the key variables.
func TestArgusCombinations(t *testing.T) {
	beside(t)
	d := start(t, Options{Path: filepath.Join(argusFiles(t), "towns.rda")}, 120, 40).Press("enter", "a", "enter")
	d.Press(":").Type("unsafe").Press("enter")
	m := asked[*combine.Suppression](d)
	if diff := cmp.Diff(map[string]int{"TOWN": 40, "OWNER": 0}, m.Priorities); diff != "" {
		t.Errorf("costs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"SEX": 1, "OWNER": 2, "TOWN": 3}, m.Combinations.Levels); diff != "" {
		t.Errorf("levels (-want +got):\n%s", diff)
	}
}

// The description is written next to the file, and replaced only after confirmation.
func TestArgusExport(t *testing.T) {
	folder := argusFiles(t)
	d := start(t, Options{Path: filepath.Join(folder, "towns.asc")}, 120, 40).Press("enter", "a", "enter")
	beside := filepath.Join(folder, "towns-copy.rda")
	if err := os.WriteFile(beside, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Press("e", "enter").Dialog().Contains("towns-copy.rda exists")
	d.leave()
	if text, err := os.ReadFile(beside); err != nil || !strings.HasPrefix(string(text), "HH 1 3\r\n") {
		t.Errorf("description %q, error %v", text, err)
	}
	for _, name := range []string{"towns-copy.asc", "towns-copy_TOWN.cdl"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
}
