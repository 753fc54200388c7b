package recoding

import (
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// View draws the categories with their records, and the what-if.
func (d *recodeGroups) View(s views.State, width, height int) string {
	d.follow(s)
	hint := "Mark two categories to see the figures after merging them."
	if d.Typing() && len(d.marked) == 0 {
		hint = "Change the name to see the figures."
	}
	_, ready := d.Made()
	return d.NextTo(s, d.Figures(ready, hint), width, height, func(width, height int) []string {
		lines := []string{d.viewHead(s, ready, width)}
		if warnings := d.Warnings(s, width); ready && len(warnings) > 0 {
			lines = append(lines, warnings...)
		} else {
			lines = append(lines, "")
		}
		largest := max(1, slices.Max(d.column.Categories().Counts()))
		return d.viewList(s.Theme, lines, width, height, len(d.order), d.at, []string{"↑↓", "pgup/pgdn"},
			func(i int) string { return d.viewLevel(s, i, largest, width) })
	})
}

func (d *recodeGroups) viewHead(s views.State, ready bool, width int) string {
	theme := s.Theme
	switch {
	case d.Typing():
		head := "label  "
		if len(d.marked) == 0 {
			head = "new name  "
		}
		return theme.Heading.Render(head) + d.input.View(theme, max(1, width-len(head)))
	case d.message != "":
		return theme.Warning.Fit(d.message, width)
	case d.intent == toMerge && d.marked[0] && !ready:
		return theme.Faint.Fit("press e to make missing cells a category, or mark a category that they join", width)
	case !ready && len(d.partsOf(d.code())) > 1:
		return theme.Faint.Fit(s.WithCodeLabel(d.column, d.levelLabel(d.code()))+" holds "+d.sources(s), width)
	case !ready:
		return theme.Faint.Fit("press space to mark at least two categories", width)
	}
	return theme.Changed.Fit("→ "+d.story(s), width)
}

// sources names the original values of the category under the cursor, with their labels.
func (d *recodeGroups) sources(s views.State) string {
	return wording.Joined(d.partsOf(d.code()), ", ",
		func(part string) string { return s.WithCodeLabel(d.column.Source(), part) })
}

// story describes the effect of the intent.
func (d *recodeGroups) story(s views.State) string {
	switch d.intent {
	case toSplit:
		return wording.Counted(len(d.partsOf(d.code())), "source value") + " again: " + d.sources(s)
	case toOrder:
		return "set this order; the variable is then ordered"
	}
	records := 0
	for code := range d.members() {
		records += d.count(code)
	}
	text := d.groupLabel(s) + "  " + wording.Counted(records, "record")
	if d.marked[0] {
		text += ", " + draw.Count(d.count(0)) + " of them unknown"
	}
	return text
}

// groupLabel returns the label of the merged categories with its meaning.
func (d *recodeGroups) groupLabel(s views.State) string {
	step, _ := d.Made()
	_, m := d.recode()
	draft := d.preview.look(s, step, m, d.column)
	for code := range d.members() {
		if made := draft.made; made != nil {
			return s.WithMeaning(draft.said, made.Levels[made.Mapping[code]-1].Label)
		}
	}
	return d.group
}

// viewLevel draws a category: a mark, its label, the number of its original categories, a bar, its records.
func (d *recodeGroups) viewLevel(s views.State, i, largest, width int) string {
	code, size := d.order[i], min(28, max(8, width/3))
	mark, style := "  ", &s.Theme.Plain
	if d.members()[code] {
		mark, style = "● ", &s.Theme.Marked
	}
	if i == d.at {
		style = &s.Theme.Selected
	}
	made := ""
	if parts := d.partsOf(code); len(parts) > 1 {
		made = fmt.Sprintf(" [%s]", draw.Count(len(parts)))
	}
	label := s.WithCodeLabel(d.column, d.levelLabel(code))
	if room := size - draw.Width(mark) - len(made); made != "" && room >= 4 {
		label = draw.Fit(label, min(room, draw.Width(draw.Safe(label)))) + made
	}
	return viewRow(s.Theme, style, mark+label, size, d.count(code), largest, width)
}

// Rows returns the number of lines of the head, the categories, and the keys below them.
func (d *recodeGroups) Rows() int { return len(d.order) + 2 + hintLines + 1 }
