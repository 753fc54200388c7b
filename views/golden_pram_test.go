package views

import (
	"fmt"
	"strings"
	"testing"
)

func TestGoldenPRAM(t *testing.T) {
	states := []struct {
		name  string
		state State
	}{
		{"none", drawn(t, "health")},
		{"once", drawn(t, "region", regionOnce)},
		{"twice", drawn(t, "region", regionOnce, regionOnce)},
		{"strata", drawn(t, "educ", educInStrata)},
		{"uncomposed", drawn(t, "educ", regionOnce, educSomeWhere)},
	}
	for _, p := range panesOfPRAM() {
		var frames []string
		for _, c := range states {
			for _, z := range []size{{24, 6}, {46, 12}, {76, 14}} {
				frames = append(frames, fmt.Sprintf("%s, %d×%d\n%s\n", c.name, z.width, z.height, styles.ReplaceAllString(framed(c.state, p, z), "")))
			}
		}
		golden(t, p.ID(), strings.Join(frames, "\n"))
	}
}

func panesOfPRAM() []Pane {
	return []Pane{NewPRAMVariables(), NewPRAMMatrix(), NewPRAMFrequencies(), NewPRAMTransitions()}
}
