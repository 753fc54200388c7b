package tui

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/session"
)

// Adopting the steps after a change of the session takes time linear in their number: four times as many steps
// take four times the work, not sixteen times.
func TestAdoptingIsLinearInTheSteps(t *testing.T) {
	data, err := files["guide10.csv"]()
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{data.Columns()[0].Name()}
	level := data.Columns()[0].Categories().Levels[0].Label
	doc, err := session.New(session.Opening{Source: session.NewDemonstration("guide10.csv", fileio.NewFormat()),
		Data: data, Volatile: true})
	if err == nil {
		err = doc.SetScenario(scenario)
	}
	if err != nil {
		t.Fatal(err)
	}
	var counted []float64
	for _, steps := range []int{40, 160} {
		for i := doc.Position(); i < steps; i++ {
			next := fmt.Sprintf("label %d", i)
			params, _ := json.Marshal(map[string]string{"variable": scenario.Keys[0], "level": level, "label": next})
			result, err := doc.Prepare(session.StepSpec{Step: "recode-rename", Params: params}).Run(t.Context(), nil, nil)
			if err == nil {
				err = doc.Commit(result)
			}
			if err != nil {
				t.Fatal(err)
			}
			level = next
		}
		bench := newWorkbench(doc, nil)
		counted = append(counted, testing.AllocsPerRun(2, bench.syncFromSession))
	}
	if counted[1] > 6*counted[0] {
		t.Errorf("%.0f allocations for 40 steps, %.0f for 160", counted[0], counted[1])
	}
}

// The singular is used for one record and one key variable, and there is space around the tabs.
func TestHeaderCounts(t *testing.T) {
	beside(t)
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"a"}
	d := start(t, Options{Demo: true, OpenDemo: textOpener("one-record-and-a-long-name.csv", "a,b\nA,x\n", scenario)}, 120,
		40)
	d.Screen().Contains("1 record  1 key ")
	for width := 100; width < 130; width++ {
		d.Resize(width, 40)
		if head, _, _ := strings.Cut(d.Text(), "\n"); !strings.Contains(head, "  Overview ") {
			t.Errorf("%d cells: %q", width, head)
		}
	}
}
