package suppress

import (
	"errors"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Exactly the named cells are suppressed. They count as suppressed, and all members of a household lose a cell
// that is the same for them.
func TestCells(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Household = []string{"region", "sex", "age"}, "hid"
	data := golden.Data(t, "survey")
	in := method.Input{Data: data, Scenario: &scenario}
	for _, shared := range []bool{false, true} {
		if scenario.SameForHousehold = nil; shared {
			scenario.SameForHousehold = []string{"region"}
		}
		out, err := (&Cells{Variables: []string{"age", "region"}, Records: []int{3, 4127}}).Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		hid, _ := data.Column("hid")
		for _, name := range scenario.Keys {
			before, _ := data.Column(name)
			after, _ := out.Data.Column(name)
			for row := range data.Len() {
				named := slices.ContainsFunc([]int{2, 4126}, func(r int) bool {
					return r == row || shared && name == "region" && hid.Text(r) == hid.Text(row)
				})
				if want := before.Missing(row) || named && name != "sex"; after.Missing(row) != want {
					t.Errorf("shared %v: %s of record %d is missing: %v", shared, name, row+1, !want)
				}
			}
		}
		age, _ := out.Data.Column("age")
		if s := out.Report.Suppression; age.SuppressedCount() != 2 || s.Cells[2].Count != 2 || !shared && s.Total != 4 {
			t.Errorf("shared %v: cells %+v", shared, s)
		}
	}
	for _, m := range []*Cells{{Variables: []string{"income"}, Records: []int{1}}, {Variables: []string{"age"}},
		{Variables: []string{"age"}, Records: []int{5001}}, {Variables: []string{"age"}, Records: []int{0}}} {
		if _, err := m.Apply(t.Context(), in, nil); !errors.Is(err, method.ErrParam) {
			t.Errorf("%+v: error %v", m, err)
		}
	}
}
