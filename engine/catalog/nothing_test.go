package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Steps that leave every cell unchanged do not change the columns, so that the risk figures stay valid, and do not
// report that these no longer apply. A step that changes a single variable names only that one.
func TestStepsThatChangeNothingLeaveNoMark(t *testing.T) {
	same := func(cell string) []string { return slices.Repeat([]string{cell}, 12) }
	various := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "n", same("30")), golden.Column(t, "v", various),
		golden.Column(t, "c", strings.Split("aaabbbaaabbb", "")), golden.Column(t, "place", same("north"))})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Numeric = []string{"n", "v", "c", "place"}, []string{"n", "v"}
	for _, test := range []struct{ name, params, changed string }{
		{"pram", `"variables":["c"],"form":"equal","pd":1`, ""},
		{"noise", `"variables":["n"]`, ""},
		{"noise", `"variables":["n","v"]`, "v"},
		{"noise", `"variables":["v"],"percent":0`, ""},
		{"rankswap", `"variables":["n"],"p":0.5`, ""},
		{"microaggregate", `"variables":["n"]`, ""},
		{"microaggregate", `"variables":["n","c"],"method":"gower","size":12`, "c"},
		{"shuffle", `"responses":["n"],"predictors":["v"]`, ""},
		{"recordswap", `"hierarchy":["place"],"rate":0.5`, ""},
	} {
		out, err := methodOf(t, test.name, test.params).(method.Applier).Apply(t.Context(), method.Input{Data: data, Scenario: &scenario, Seed: 5}, nil)
		if err != nil {
			t.Errorf("%s %s: %v", test.name, test.params, err)
			continue
		}
		var marked []string
		for _, column := range out.Data.Columns() {
			if column.Origin() != 0 {
				marked = append(marked, column.Name())
			}
		}
		warnings := strings.Join(out.Report.Warnings, "; ")
		if strings.Join(marked, " ") != test.changed || out.Report.ChangesNothing() != (test.changed == "") {
			t.Errorf("%s %s: %q is marked, want %q: %s", test.name, test.params, marked, test.changed, warnings)
		}
		if reported := strings.Contains(warnings, "no longer apply: "+test.changed+" is a key variable"); reported != (test.changed != "") ||
			test.changed == "" && strings.Contains(warnings, "no longer apply") {
			t.Errorf("%s %s: %s", test.name, test.params, warnings)
		}
	}
}
