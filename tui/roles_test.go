package tui

import (
	"slices"
	"testing"
)

// A variable gets a role on its own page, opened from the workbench or from the Variables page. A role that would
// contradict others shows the reason, and undo removes the role.
func TestRoleFromTheInspector(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 40).Press("down", "down", "down", "I") // age
	d.Screen().Contains("o role", "key variable")
	d.Press("o").Dialog().Contains("Role of age", "● key", "unassign", "numeric key variable — ", "strata", "no role")
	d.Type("strata").Press("enter")
	if s := d.m.bench.scenario; !slices.Equal(s.Strata, []string{"age"}) || !slices.Contains(s.Keys, "age") ||
		d.m.dialog != nil {
		t.Fatalf("the roles are %+v", s)
	}
	d.Screen().Contains("age · integer", "strata")
	// it is listed with the reason, and enter has no effect
	d.Press("o").Type("weight").Press("enter")
	d.Dialog().Contains("Role of age", "378 of 5000 records without a positive number") // in full
	d.Press("esc", "o").Type("no role").Press("enter")
	if s := d.m.bench.scenario; len(s.RolesOf("age")) > 0 {
		t.Fatalf("roles are left: %+v", s)
	}
	d.Press("u", "u")
	if s := d.m.bench.scenario; len(s.Strata) > 0 || !slices.Contains(s.Keys, "age") {
		t.Fatalf("undo leads to %+v", s)
	}

	d = demonstration(t, 80, 24).Press("v", "i", "o")
	d.Type("household").Press("down", "esc").Screen().Contains("o role")
	d.Press("o").Type("no role").Press("enter", "i")
	d.Screen().Contains("region   category              8    0.0 %       0 Arden, Eas… key?")
}

// From 120 columns on, the Variables page has the list on the left and the page of a variable on the right; on the
// smallest screens it has a row of the list.
func TestVariablesNextToTheirPage(t *testing.T) {
	beside(t)
	for _, size := range [][2]int{{120, 40}, {130, 20}, {200, 60}} {
		surveyOf(t, size[0], size[1]).Press("v").Screen().Contains("region · category", "KEY", "7 key variables")
	}
	for _, size := range [][2]int{{20, 5}, {20, 6}, {34, 7}, {60, 15}, {119, 10}} {
		d := surveyOf(t, size[0], size[1]).Press("v").Screen()
		d.Contains("▸")
		d.Lacks("region · category")
	}
}

func TestGoldenRoles(t *testing.T) {
	golden(t, "variables-20x5.txt", demonstration(t, 20, 5).Press("v").plain())
	golden(t, "roles-120x40.txt", demonstration(t, 120, 40).Press("down", "down", "down", "I", "o").plain())
}
