package views

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// keyFiguresHeight is the height of the figures of key variables below those of numeric variables.
const keyFiguresHeight = 10

// WhatIfFigures draws the figures now and after a step: risk and information loss if the step masks numeric
// variables, otherwise the figures of the key variables.
func WhatIfFigures(s State, w WhatIf, width, height int) string {
	if w.WhatIf != nil && w.WhatIf.Masking != nil {
		if lines := NumberFigures(s, w, width, height); len(lines) > 0 {
			return draw.Exactly(strings.Join(lines, "\n"), width, height)
		}
	}
	return WhatIfBlock(s, w, width, height)
}

// NumberFigures draws risk and information loss of the numeric variables that a step masks, and below them the
// figures of key variables if they change, in at most height lines. It returns nil if the step masks none or
// fails.
func NumberFigures(s State, w WhatIf, width, height int) []string {
	masked, ok := w.OfMasking()
	if !ok || w.Err != nil {
		return nil
	}
	keys, changed := s, w.WhatIf != nil && w.WhatIf.Masking.Keys
	s.NotApplicable = ""
	table := 2 // a line for the headings and one for the elapsed time, then one for each figure
	if masked.WhatIf != nil {
		masked.WhatIf.Figures.Shown(measure.WhatIf, func(*measure.Entry, *measure.Value) { table++ })
	}
	if height <= table {
		lines := strings.Split(WhatIfBlock(s, masked, width, height), "\n")
		if changed && height > 1 {
			lines[height-1], _, _ = strings.Cut(WhatIfBlock(keys, w, width, height), "\n")
		}
		return lines
	}
	lines := append(strings.Split(whatIfBlock(s, masked, width, table, false), "\n"), "")
	if changed && height-len(lines) >= keyFiguresHeight {
		lines = append(lines, strings.Split(WhatIfBlock(keys, w, width, keyFiguresHeight), "\n")...)
	}
	return lines
}
