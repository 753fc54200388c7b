package recoding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// View draws the categories with their records, and the what-if.
func (d *recodeGroups) View(s views.State, width, height int) string {
	d.follow(s)
	hint := "The figures after a merge stand here as soon as two categories are marked."
	if d.rename && d.label != nil {
		hint = "The figures stand here as soon as the name is another one."
	}
	return d.Beside(s, d.Figures(d.ready(), hint), width, height, func(width, height int) []string {
		lines := append([]string{d.viewHead(s, width)}, d.viewWarnings(s, width)...)
		largest := 1
		for _, count := range d.column.Categories().Counts() {
			largest = max(largest, count)
		}
		return viewList(s.Theme, lines, d.label != nil, width, height, &d.list, len(d.order), d.at, d.hints(),
			func(i int) string { return d.viewLevel(s, i, largest, width) })
	})
}

// viewWarnings says what is to be known of what would be done, or leaves a line.
func (d *recodeGroups) viewWarnings(s views.State, width int) []string {
	if warnings := d.Warnings(s, width); d.ready() && len(warnings) > 0 {
		return warnings
	}
	return []string{""}
}

func (d *recodeGroups) viewHead(s views.State, width int) string {
	theme := s.Theme
	switch {
	case d.label != nil:
		head := "label of the group  "
		if d.rename {
			head = "new name  "
		}
		return theme.Heading.Render(head) + d.label.View(theme, max(1, width-len(head)))
	case d.message != "":
		return theme.Warning.Fit(d.message, width)
	case d.intent == toMerge && d.marked[0] && !d.mergeable():
		return theme.Faint.Fit("e names a category for missing cells; or mark one that they join", width)
	case !d.ready() && len(d.partsOf(d.code())) > 1:
		return theme.Faint.Fit(s.WithCodeLabel(d.column, d.levelLabel(d.code()))+" holds "+d.sources(s), width)
	case !d.ready():
		return theme.Faint.Fit("mark two categories or more with space", width)
	}
	return theme.Changed.Fit(d.story(s), width)
}

// sources names the source values of the category under the cursor, with what they mean.
func (d *recodeGroups) sources(s views.State) string {
	parts := slices.Clone(d.partsOf(d.code()))
	for i := range parts {
		parts[i] = s.WithCodeLabel(d.column.Source(), parts[i])
	}
	return strings.Join(parts, ", ")
}

// story says in words what the intent would do.
func (d *recodeGroups) story(s views.State) string {
	switch d.intent {
	case toSplit:
		return "→ " + wording.Counted(len(d.partsOf(d.code())), "source value") + " again: " + d.sources(s)
	case toOrder:
		return "→ this order; the variable is then ordered"
	}
	records := 0
	for _, code := range d.order {
		if d.inGroup(code) {
			records += d.count(code)
		}
	}
	switch d.intent {
	case toTop:
		return "→ all above " + s.WithCodeLabel(d.column, d.levelLabel(d.code())) + " are one category: " +
			wording.Counted(records, "record")
	case toBottom:
		return "→ all below " + s.WithCodeLabel(d.column, d.levelLabel(d.code())) + " are one category: " +
			wording.Counted(records, "record")
	}
	m, label := d.merge(), d.group
	if label == "" {
		label = m.DefaultLabel(d.column)
	}
	text := "→ " + s.WithMeaning(d.merged(m), label) + "  " + wording.Counted(records, "record")
	if d.marked[0] {
		text += ", " + draw.Count(d.missing()) + " of them not known"
	}
	return text
}

// viewLevel draws a category: a mark, its label, of how many source categories
// it was made, a bar, its records.
func (d *recodeGroups) viewLevel(s views.State, i, largest, width int) string {
	theme := s.Theme
	code := d.order[i]
	count := d.count(code)
	labelWidth := min(28, max(8, width/3))
	mark := "  "
	if d.inGroup(code) {
		mark = "● "
	}
	made := ""
	if parts := d.partsOf(code); len(parts) > 1 {
		made = fmt.Sprintf(" [%s]", draw.Count(len(parts)))
	}
	label := s.WithCodeLabel(d.column, d.levelLabel(code))
	if room := labelWidth - draw.Width(mark) - len(made); made != "" && room >= 4 {
		label = draw.Fit(label, min(room, draw.Width(draw.Safe(label)))) + made
	}
	text := draw.Fit(mark+label, labelWidth)
	switch {
	case i == d.at:
		text = theme.Selected.Render(text)
	case d.inGroup(code):
		text = theme.Marked.Render(text)
	default:
		text = theme.Plain.Render(text)
	}
	return text + " " + dialogs.Bar(theme, count, largest, width-labelWidth-1)
}

// Rows counts the head, one line per category, and the keys below them.
func (d *recodeGroups) Rows() int { return len(d.order) + 2 + hintLines + 1 }
