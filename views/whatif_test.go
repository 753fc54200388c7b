package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// The cells by variable below a low what-if are whole figures at every width.
func TestNeededCellsAreWhole(t *testing.T) {
	s := State{Look: draw.Look{Theme: draw.NewTheme(true, true)}}
	w := WhatIf{NeedK: 3}
	w.WhatIf, w.Need = &whatif.Result{}, &method.Suppression{Total: 5704, Cells: []method.Count{{Name: "age", Count: 3884}, {Name: "educ", Count: 824}}}
	for width := 40; width < 70; width++ {
		line := strings.TrimSpace(ansi.Strip(w.low(s, width)[2]))
		_, cells, _ := strings.Cut(line, "  ")
		switch strings.TrimSuffix(cells, " …") {
		case "", "age\u00a03,884", "age\u00a03,884  educ\u00a0824":
		default:
			t.Errorf("%d cells: %q", width, line)
		}
	}
}
