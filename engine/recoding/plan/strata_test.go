package plan_test

import (
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/recoding/plan"
)

// The strata are those of the scenario, or the key variable with fewest categories, all of which are large enough.
func TestStrata(t *testing.T) {
	data := generated.Survey(t, 5000, 7, "region", "urbrur", "sex", "age")
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "urbrur", "sex", "age", "gone"}
	column, _ := data.Column("urbrur")
	smallest := column.Categories().Smallest()
	for k, want := range map[int]string{3: "urbrur", smallest: "urbrur", smallest + 1: "sex", 5001: ""} {
		got := plan.Strata(data, &scenario, k)
		if want == "" && got != nil || want != "" && !slices.Equal(got, []string{want}) {
			t.Errorf("k = %d: strata %v, want %q", k, got, want)
		}
	}
	scenario.Strata = []string{"region", "sex"}
	if got := plan.Strata(data, &scenario, 3); len(got) != 2 {
		t.Errorf("strata %v", got)
	}
}
