package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/recode"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// recodeGroups is the dialog that merges and renames the categories of a
// variable. As soon as two categories are marked the what-if shows what
// merging them would do.
type recodeGroups struct {
	whatIf
	column  *microdata.Column // as it was when the dialog last took a key
	order   []uint32          // codes in the order of the list; 0 is missing
	byCount bool
	marked  map[uint32]bool
	at      int        // place in order
	label   *textField // the label of the group, or the new name
	rename  bool       // the label is a new name of the category under the cursor
	hint    string     // why the last key did nothing
	group   string     // the label given to the group; "": the method's own
	keys    groupsKeys
}

type groupsKeys struct {
	move, page, mark, merge, rename, label, sort, none, form, suggest, apply, cancel key.Binding
}

func newGroupsKeys() groupsKeys {
	bind := func(help, text string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, text))
	}
	return groupsKeys{
		move:    bind("↑↓", "move", "up", "down", "k", "j", "home", "end"),
		page:    bind("pgup/pgdn", "page", "pgup", "pgdown"),
		mark:    bind("space", "mark", "space"),
		merge:   bind("m", "merge, stay here", "m"),
		rename:  bind("r", "rename", "r"),
		label:   bind("e", "label of the group", "e"),
		sort:    bind("s", "sort by count", "s"),
		none:    bind("c", "clear marks", "c"),
		form:    bind("v", "as intervals", "v"),
		suggest: bind("S", "suggest", "S"),
		apply:   bind("enter", "merge", "enter"),
		cancel:  bind("esc", "close", "esc"),
	}
}

func newRecodeGroups(s views.State, column *microdata.Column) *recodeGroups {
	d := &recodeGroups{keys: newGroupsKeys()}
	d.needK = s.K
	d.take(column)
	return d
}

// newMarkedGroups opens the dialog of a variable with some categories marked,
// and a label for their group or ""; nil where there is no such variable.
func newMarkedGroups(s views.State, variable string, levels []string, label string) Dialog {
	column := currentColumn(s, variable)
	if column == nil {
		return nil
	}
	d := newRecodeGroups(s, column)
	d.group = label
	for at, code := range d.order {
		if code != 0 && slices.Contains(levels, d.levelLabel(code)) {
			d.marked[code], d.at = true, at
		}
	}
	return d
}

// follow takes the column as it is now, where a merge has changed it.
func (d *recodeGroups) follow(s views.State) {
	if column := currentColumn(s, d.column.Name()); column != nil && column != d.column {
		d.take(column)
	}
}

// take starts afresh on a column, as after a merge.
func (d *recodeGroups) take(column *microdata.Column) {
	d.column, d.marked, d.group = column, map[uint32]bool{}, ""
	d.sort()
	d.at = min(d.at, max(0, len(d.order)-1))
}

func (d *recodeGroups) sort() {
	categories := d.column.Categories()
	counts := categories.Counts()
	d.order = d.order[:0]
	for code := range categories.Levels {
		d.order = append(d.order, uint32(code+1))
	}
	if d.byCount {
		slices.SortStableFunc(d.order, func(a, b uint32) int { return counts[b] - counts[a] })
	}
	if d.missing() > 0 {
		d.order = append(d.order, 0)
	}
}

// missing returns the number of missing cells that can join a category:
// suppressed ones stay missing.
func (d *recodeGroups) missing() int {
	return d.column.Categories().Counts()[0] - d.column.Suppressed().Count()
}

// count returns the number of records of a row.
func (d *recodeGroups) count(code uint32) int {
	if code == 0 {
		return d.missing()
	}
	return d.column.Categories().Counts()[code]
}

func (d *recodeGroups) Title() string { return "Recode " + d.column.Name() }

func (d *recodeGroups) Typing() bool { return d.label != nil }

// Keys returns what can be done now: merging needs two marked categories.
func (d *recodeGroups) Keys() []key.Binding {
	k := d.keys
	if d.Typing() {
		return []key.Binding{bind("enter", "take it", "enter"), bind("esc", "as it was", "esc")}
	}
	keys := []key.Binding{k.move, k.page, k.rename, k.sort}
	if d.column.Unrecoded().Numeric() {
		keys = append(keys, k.form)
	}
	if !d.mergeable() {
		return append(keys, k.mark, k.cancel)
	}
	return append(keys, k.mark, k.merge, k.label, k.none, k.apply, k.cancel)
}

// HandleKey marks, merges and renames. Merging with m keeps the dialog open
// for the next merge; enter closes it.
func (d *recodeGroups) HandleKey(msg tea.KeyPressMsg, s views.State) Effect {
	d.follow(s)
	d.hint = ""
	if d.label != nil {
		return d.typeLabel(msg)
	}
	k := d.keys
	switch {
	case key.Matches(msg, k.cancel):
		return Close{}
	case d.mergeable() && key.Matches(msg, k.apply):
		return Apply{Step: d.step()}
	case !d.mergeable() && (key.Matches(msg, k.merge) || key.Matches(msg, k.apply)):
		d.hint = "mark at least two categories with space, then m merges them"
	case key.Matches(msg, k.rename) && d.code() == 0:
		d.hint = "missing cells have no label to rename"
	case d.mergeable() && key.Matches(msg, k.merge):
		step := d.step()
		clear(d.marked)
		d.group = ""
		return Apply{Step: step, Stay: true}
	case d.mergeable() && key.Matches(msg, k.label):
		d.label, d.rename = newTextField(d.group), false
	case key.Matches(msg, k.rename) && d.code() != 0:
		d.label, d.rename = newTextField(d.levelLabel(d.code())), true
	case key.Matches(msg, k.form) && d.column.Unrecoded().Numeric():
		return Swap{Dialog: newRecodeIntervals(s, d.column, earlierBreaks(s, d.column.Name()))}
	default:
		d.navigate(msg)
	}
	return Stay{}
}

// navigate moves the cursor and marks.
func (d *recodeGroups) navigate(msg tea.KeyPressMsg) {
	k := d.keys
	switch {
	case key.Matches(msg, k.move, k.page):
		d.at = moved(d.at, len(d.order), msg.String())
	case key.Matches(msg, k.mark) && len(d.order) > 0:
		if code := d.code(); d.marked[code] {
			delete(d.marked, code)
		} else {
			d.marked[code] = true
		}
		d.at = min(d.at+1, len(d.order)-1)
	case key.Matches(msg, k.none):
		clear(d.marked)
	case key.Matches(msg, k.sort):
		d.byCount = !d.byCount
		d.sort()
	}
}

// moved returns the place in a list of n that a key leads to.
func moved(at, n int, pressed string) int {
	switch pressed {
	case "up", "k":
		at--
	case "down", "j":
		at++
	case "pgup":
		at -= 10
	case "pgdown":
		at += 10
	case "home":
		at = 0
	case "end":
		at = n - 1
	}
	return max(0, min(n-1, at))
}

func (d *recodeGroups) typeLabel(msg tea.KeyPressMsg) Effect {
	switch msg.String() {
	case "esc":
		d.label = nil
	case "enter":
		text := strings.TrimSpace(d.label.text())
		d.label = nil
		if !d.rename {
			d.group = text
			return Stay{}
		}
		if from := d.levelLabel(d.code()); text != "" && text != from {
			m := &recode.Rename{Variable: d.column.Name(), Level: from, Label: text}
			return Apply{Step: stepOf("recode-rename", m), Stay: true}
		}
	default:
		d.label.handle(msg)
	}
	return Stay{}
}

// code returns the code of the category under the cursor; 0 for missing.
func (d *recodeGroups) code() uint32 {
	if len(d.order) == 0 {
		return 0
	}
	return d.order[d.at]
}

func (d *recodeGroups) levelLabel(code uint32) string {
	if code == 0 {
		return "(missing)"
	}
	return d.column.Categories().Levels[code-1].Label
}

// mergeable reports whether the marked rows can become one category: one at
// least is none of missing.
func (d *recodeGroups) mergeable() bool {
	return len(d.marked) >= 2
}

// merge returns the group of the marked categories.
func (d *recodeGroups) merge() *recode.Group {
	m := &recode.Group{Variable: d.column.Name(), Label: d.group, IncludeMissing: d.marked[0]}
	for code, level := range d.column.Categories().Levels {
		if d.marked[uint32(code+1)] {
			m.Levels = append(m.Levels, level.Label)
		}
	}
	return m
}

func (d *recodeGroups) step() session.StepSpec { return stepOf("recode-group", d.merge()) }

// Question asks for the figures after merging the marked categories.
func (d *recodeGroups) Question() *Question {
	if !d.mergeable() {
		return nil
	}
	return &Question{Step: d.step(), NeedK: d.needK}
}

// View draws the categories with their records, and the what-if.
func (d *recodeGroups) View(s views.State, width, height int) string {
	d.follow(s)
	return d.beside(s, d.figures(d.mergeable(), "The figures after a merge stand here as soon as two categories are marked."), width, height, func(width, height int) []string {
		lines := []string{d.viewHead(s.Theme, width), ""}
		largest := 1
		for _, count := range d.column.Categories().Counts() {
			largest = max(largest, count)
		}
		rows := max(1, height-len(lines))
		first := window(d.at, len(d.order), rows)
		for i := first; i < min(len(d.order), first+rows); i++ {
			lines = append(lines, d.viewLevel(s.Theme, i, largest, width))
		}
		return lines
	})
}

// viewHead says what would become of the marked categories.
func (d *recodeGroups) viewHead(theme *views.Theme, width int) string {
	if d.label != nil {
		head := "label of the group  "
		if d.rename {
			head = "new name  "
		}
		return theme.Heading.Render(head) + d.label.view(theme, max(1, width-len(head)))
	}
	if d.hint != "" {
		return theme.Warning.Render(views.Fit(d.hint, width))
	}
	if !d.mergeable() {
		return theme.Faint.Render(views.Fit("mark two categories or more with space", width))
	}
	records := 0
	for code := range d.marked {
		records += d.count(code)
	}
	label := d.group
	if label == "" {
		label = d.merge().DefaultLabel(d.column)
	}
	text := "→ " + label + "  " + views.Count(records) + " records"
	if d.marked[0] {
		text += ", " + views.Count(d.missing()) + " of them not known"
	}
	return theme.Changed.Render(views.Fit(text, width))
}

func (d *recodeGroups) viewLevel(theme *views.Theme, i, largest, width int) string {
	code := d.order[i]
	count := d.count(code)
	labelWidth := min(28, max(8, width/3))
	mark := "  "
	if d.marked[code] {
		mark = "● "
	}
	text := views.Fit(mark+d.levelLabel(code), labelWidth)
	switch {
	case i == d.at:
		text = theme.Selected.Render(text)
	case d.marked[code]:
		text = theme.Marked.Render(text)
	default:
		text = theme.Plain.Render(text)
	}
	return text + " " + bar(theme, count, largest, max(1, width-labelWidth-10)) + theme.Plain.Render(views.FitRight(views.Count(count), 9))
}

// rows counts the head and one line per category.
func (d *recodeGroups) rows() int { return len(d.order) + 2 }
