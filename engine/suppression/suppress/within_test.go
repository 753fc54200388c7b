package suppress

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// The step respects the number of cells of its variable and reaches the k in its title.
func TestWithin(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "sex", "marital", "educ"}
	in := method.Input{Data: golden.Data(t, "survey"), Scenario: &scenario}
	last := 0
	for _, cells := range []int{0, 20, 200} {
		m := &SuppressWithin{Variable: "educ", Cells: cells, Rule: "conservative"}
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		lost := 0
		for _, it := range out.Report.Cells {
			if it.Name == "educ" {
				lost = it.Count
			}
		}
		k := out.Report.K
		if lost > cells || k < last || !strings.Contains(out.Report.Title, fmt.Sprintf("k=%d,", k)) {
			t.Errorf("within %d cells: %d lost, k = %d after %d; %s", cells, lost, k, last, out.Report.Title)
		}
		if n := golden.Violators(golden.Columns(out.Data, scenario.Keys...), microdata.RuleConservative, 1, k); n != 0 {
			t.Errorf("within %d cells: %d violators of k = %d", cells, n, k)
		}
		last = k
	}
	if _, err := (&SuppressWithin{Variable: "hid", Cells: 3, Rule: "conservative"}).Apply(t.Context(), in, nil); err == nil {
		t.Error("cells of a variable that is no key are spared")
	}
}
