package views

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// RiskLine shows the risk in one line for small screens: violators first, then as much of the rest as fits in
// width cells.
func RiskLine(s State, width int) string {
	if len(s.Keys()) == 0 {
		return s.Faint.Fit(" no key variables", width)
	}
	a := s.Current.Assessment
	switch {
	case s.NotApplicable != "" && width < 40:
		return s.Warning.Fit(" risk: not applicable", width)
	case s.NotApplicable != "":
		return s.Warning.Fit(" k-anonymity and risk not applicable: "+s.NotApplicable, width)
	case a == nil:
		return s.Faint.Fit(" counting …", width)
	}
	violators := func(form, between string, spell func(int) string) string {
		return wording.Joined(a.Violators, between,
			func(v risk.Violators) string { return fmt.Sprintf(form, v.K, spell(v.Count)) })
	}
	full := " " + violators("k=%d %s", "  ", draw.Count)
	global := fmt.Sprintf("  re-id. %s (%s)", wording.Amount(a.Expected), wording.Percent(a.Global))
	text := violators("%d:%s", " ", draw.Short) // "2:3702 3:4443 5:4704" still fits into 20 cells
	for i, longer := range []string{full + global + "  " + wording.Counted(s.Position, "step"), full + global,
		full + "  re-id. " + wording.Amount(a.Expected),
		full, full[1:], violators("k=%d %s", "  ", draw.Short)} {
		const framed = 4 // lines this wide have a space before the text and room for a mark after it
		if i < framed && draw.Width(longer)+2 <= width || i >= framed && draw.Width(longer) <= width {
			text = longer
			break
		}
	}
	if s.Stale && draw.Width(text)+2 <= width {
		text += " " + draw.StaleMark
	}
	return s.Fresh(&s.Strong).Fit(text, width)
}
