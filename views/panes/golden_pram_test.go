package panes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/views"
	pramview "github.com/sdcdesk/sdcdesk/views/pram"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

func TestGoldenPRAM(t *testing.T) {
	states := []struct {
		name  string
		state views.State
	}{
		{"none", viewtest.Drawn(t, "health")},
		{"once", viewtest.Drawn(t, "region", viewtest.RegionOnce)},
		{"twice", viewtest.Drawn(t, "region", viewtest.RegionOnce, viewtest.RegionOnce)},
		{"strata", viewtest.Drawn(t, "educ", viewtest.EducInStrata)},
		{"uncomposed", viewtest.Drawn(t, "educ", viewtest.RegionOnce, viewtest.EducSomeWhere)},
	}
	for _, p := range panesOfPRAM() {
		var frames []string
		for _, c := range states {
			for _, z := range []viewtest.Size{{Width: 24, Height: 6}, {Width: 46, Height: 12}, {Width: 76, Height: 14}} {
				frames = append(frames, fmt.Sprintf("%s, %d×%d\n%s\n", c.name, z.Width, z.Height,
					viewtest.Styles.ReplaceAllString(framed(c.state, p, z), "")))
			}
		}
		golden(t, p.ID(), strings.Join(frames, "\n"))
	}
}

func panesOfPRAM() []views.Pane {
	return []views.Pane{pramview.NewPRAMVariables(), pramview.NewPRAMMatrix(), pramview.NewPRAMFrequencies(),
		pramview.NewPRAMTransitions()}
}
