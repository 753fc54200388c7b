package views

import (
	"fmt"
	"strings"
	"testing"
)

// The panes of open measures, with their figures now and in the original data.
func TestGoldenRiskPanes(t *testing.T) {
	for _, id := range []string{"suda", "diversity", "open-measures"} {
		t.Run(id, func(t *testing.T) {
			var all strings.Builder
			for _, z := range []size{{20, 6}, {38, 18}, {80, 24}} {
				s := opening(t, 2, "suda", "ldiversity", "tcloseness")
				p := newPane(id)
				fmt.Fprintf(&all, "%d×%d\n%s\n\n", z.width, z.height, styles.ReplaceAllString(framed(s, p, z), ""))
				if typing(p, &s, "t") != nil {
					fmt.Fprintf(&all, "after t\n%s\n\n", styles.ReplaceAllString(framed(s, p, z), ""))
				}
			}
			golden(t, id, all.String())
		})
	}
}
