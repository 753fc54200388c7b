package views

import (
	"fmt"
	"strings"
)

// RiskLine is the risk in one line, for small screens: violators first, then
// as much of the rest as fits in width cells.
func RiskLine(s State, width int) string {
	if s.Scenario == nil || len(s.Scenario.Keys) == 0 {
		return s.Theme.Faint.Render(Fit("no key variables", width))
	}
	a := s.Current.Assessment
	if a == nil {
		return s.Theme.Faint.Render(Fit("counting …", width))
	}
	var parts []string
	for _, v := range a.Violators {
		parts = append(parts, fmt.Sprintf("k%d %s", v.K, Count(v.Count)))
	}
	if width < 40 {
		return stale(s, s.Theme.Strong.Render)(Fit(strings.Join(parts, " "), width))
	}
	parts = append(parts, fmt.Sprintf("re-id %s (%.2f %%)", Amount(a.Expected), 100*a.Global), fmt.Sprintf("%d steps", s.Position))
	return stale(s, s.Theme.Strong.Render)(Fit(" "+strings.Join(parts, "  "), width))
}
