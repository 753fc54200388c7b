package views

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// keyFiguresHeight is that of the figures of key variables below those of numbers.
const keyFiguresHeight = 10

// WhatIfFigures draws the figures now and as they would be: of a step that masks numbers
// their risk and loss, else those of the key variables.
func WhatIfFigures(s State, w WhatIf, width, height int) string {
	if w.WhatIf != nil && w.WhatIf.Masking != nil {
		if lines := NumberFigures(s, w, width, height); len(lines) > 0 {
			return draw.Exactly(strings.Join(lines, "\n"), width, height)
		}
	}
	return WhatIfBlock(s, w, width, height)
}

// NumberFigures draws risk and loss of the numbers that a step masks, and the figures of
// key variables below them where they change, in at most height lines; nil of a step that
// masks none, or that cannot be made.
func NumberFigures(s State, w WhatIf, width, height int) []string {
	masked, ok := w.OfMasking()
	if !ok || w.Err != nil {
		return nil
	}
	keys, changed := s, w.WhatIf != nil && w.WhatIf.Masking.Keys
	s.NotApplicable = ""
	table := 2 // headings, and how long they took; a line for each figure, and no other between them
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
