package panes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// The panes of active measures, with current and original figures.
func TestGoldenRiskPanes(t *testing.T) {
	for _, id := range []string{"suda", "diversity", "inference", "open-measures"} {
		t.Run(id, func(t *testing.T) {
			var all strings.Builder
			for _, z := range []viewtest.Size{{Width: 20, Height: 6}, {Width: 38, Height: 18}, {Width: 80, Height: 24}} {
				open, steps := []string{"suda", "ldiversity", "tcloseness"}, 2
				if id == "inference" {
					open, steps = []string{id}, 3 // the third step suppresses cells
				}
				s := viewtest.Opening(t, steps, open...)
				p := newPane(id)
				fmt.Fprintf(&all, "%d×%d\n%s\n\n", z.Width, z.Height, viewtest.Styles.ReplaceAllString(framed(s, p, z), ""))
				if viewtest.Typing(p, &s, "t") != nil {
					fmt.Fprintf(&all, "after t\n%s\n\n", viewtest.Styles.ReplaceAllString(framed(s, p, z), ""))
				}
			}
			golden(t, id, all.String())
		})
	}
}
