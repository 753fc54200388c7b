package views

import (
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Waiting returns the reason why there are no figures of k-anonymity and risk: they do not apply, or they are
// being computed.
func (s State) Waiting() string {
	if s.NotApplicable != "" {
		return notApplicable(s.NotApplicable)
	}
	return "counting …"
}

// notApplicable returns the sentence shown in place of figures.
func notApplicable(reason string) string { return "Not applicable: " + reason + "." }

// Inapplicable fills a pane whose figures do not apply with the reason and the remedy.
func Inapplicable(s State, width, height int) string {
	theme := s.Theme
	lines := append(theme.Warning.Indented(notApplicable(s.NotApplicable), 1, width), "")
	text := "Randomised values can agree or differ by chance, so shared key patterns do not show who can be identified. " +
		"To see the figures again, undo the step or reset the variable to its original values."
	return draw.Exactly(strings.Join(append(lines, theme.Faint.Indented(text, 1, width)...), "\n"), width, height)
}

// inapplicable returns lines about the figures that do not apply now or after the step.
func (w *WhatIf) inapplicable(s State, width, height int) []string {
	reason, text := w.WhatIf.NotApplicable, "After this step, k-anonymity and risk do not apply: "
	switch {
	case reason == "":
		reason, text = s.NotApplicable, "k-anonymity and risk do not apply now: "
	case s.NotApplicable != "":
		text = "k-anonymity and risk do not apply: "
	}
	lines := s.Fresh(&s.Warning).Wrapped(text+reason+".", width)
	if w.WhatIf.NotApplicable == "" && w.WhatIf.Figures != nil {
		var after []string
		w.WhatIf.Figures.Shown(measure.WhatIf, func(_ *measure.Entry, v *measure.Value) {
			name, _ := v.WhatIf()
			switch {
			case v.NextToSameK:
			case v.K > 0:
				after = append(after, fmt.Sprintf("k=%d %s", v.K, v.Text()))
			default:
				after = append(after, strings.TrimSpace(name)+" "+v.Text())
			}
		})
		lines = append(lines, s.Fresh(&s.Plain).Wrapped("They do after the step: "+strings.Join(after, "  "), width)...)
	}
	if w.WhatIf.Elapsed > 0 && !w.Pending && len(lines)+1 < height {
		lines = append(lines, "", s.Faint.Render(w.took()))
	}
	return lines
}
