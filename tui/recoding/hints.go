package recoding

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// hintLines is how many lines of keys a recode dialog shows under its list where
// there is room; a line before them stays empty.
const hintLines = 4

// viewList draws lines, of which the first may be typed into, the rows of a list about
// the chosen one, and keys. Where there is little room the list goes before the lines.
func viewList(theme *draw.Theme, lines []string, typing bool, width, height int, shown *dialogs.RowsShown, n, at int,
	keys []key.Binding, row func(i int) string) []string {
	if height <= len(lines)+1 {
		lines = lines[:1]
	}
	switch {
	case height == 1 && typing:
		return lines
	case height == 1:
		lines = nil
	}
	rows, list := dialogs.InSight(theme, n, at, width, height-len(lines), row, nil)
	list.Top += len(lines)
	*shown, lines = list, append(lines, rows...)
	return append(lines, viewHints(theme, keys, width, height-len(lines))...)
}

// viewHints draws keys under a list that leaves so many lines free: as many keys
// as fit, none where two lines do not.
func viewHints(theme *draw.Theme, keys []key.Binding, width, free int) []string {
	rows := min(free-1, hintLines)
	if rows < 2 {
		return nil
	}
	lines, line, used := []string{""}, "", 0
	for _, binding := range keys {
		help := binding.Help()
		size := draw.Width(help.Key) + 1 + draw.Width(help.Desc)
		if used > 0 && used+2+size > width {
			if lines, line, used = append(lines, line), "", 0; len(lines) > rows {
				return lines
			}
		}
		if used > 0 {
			line, used = line+"  ", used+2
		}
		line += theme.Key.Render(help.Key) + " " + theme.KeyText.Fit(help.Desc,
			min(draw.Width(help.Desc), max(1, width-draw.Width(help.Key)-1)))
		used += size
	}
	return append(lines, line)
}

// hints are the keys that stand in the dialog: those that the bottom line has no
// room for before the others.
func (d *recodeIntervals) hints() []key.Binding {
	if d.Typing() {
		return nil
	}
	first := []string{"n", "g", "G", "N", "-/+", "_/+", "t", "b", "e", "S", "w", "o", "x", "H", "v", "T", "R", "a", "d"}
	keys := slices.DeleteFunc(d.More(), func(b key.Binding) bool { return strings.ContainsAny(b.Help().Key, "↑←") })
	place := func(b key.Binding) int {
		if at := slices.Index(first, b.Help().Key); at >= 0 {
			return at
		}
		return len(first)
	}
	slices.SortStableFunc(keys, func(a, b key.Binding) int { return place(a) - place(b) })
	return keys
}

// hints are the keys that stand in the dialog: all but those that move and leave.
func (d *recodeGroups) hints() []key.Binding {
	if d.Typing() || d.intent != toMerge {
		return nil // the bottom line has room for them
	}
	keys := slices.DeleteFunc(d.More(), func(b key.Binding) bool {
		return slices.Contains([]string{"space", "↑↓", "pgup/pgdn"}, b.Help().Key)
	})
	return append([]key.Binding{draw.Bind("space", "mark")}, keys...)
}
