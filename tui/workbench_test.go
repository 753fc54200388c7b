package tui

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/fileio"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/session"
)

// Every change of the session has its steps adopted: four times as many steps
// take four times the work, not sixteen times.
func TestAdoptingIsLinearInTheSteps(t *testing.T) {
	data, err := files["guide10.csv"]()
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{data.Columns()[0].Name()}
	level := data.Columns()[0].Categories().Levels[0].Label
	doc, err := session.New(session.Opening{Name: "guide10.csv", Format: fileio.NewFormat(), Data: data, Volatile: true})
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
		counted = append(counted, testing.AllocsPerRun(2, bench.adopt))
	}
	if counted[1] > 6*counted[0] {
		t.Errorf("%.0f allocations for 40 steps, %.0f for 160", counted[0], counted[1])
	}
}
