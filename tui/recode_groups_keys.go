package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// Keys returns what can be done now: merging needs two marked categories.
func (d *recodeGroups) Keys() []key.Binding {
	switch {
	case d.Typing() && d.rename:
		return []key.Binding{bind("enter", "rename", "enter"), bind("esc", "as it was", "esc")}
	case d.Typing():
		return []key.Binding{bind("enter", "take it", "enter"), bind("esc", "as it was", "esc")}
	}
	keys, esc := d.more(), "as it was"
	if d.intent == toMerge {
		esc = "close"
	}
	if d.intent != toMerge || d.mergeable() {
		enter := [...]string{toMerge: "merge", toSplit: "split", toOrder: "keep this order", toTop: "group these", toBottom: "group these"}
		keys = append(keys, bind("enter", enter[d.intent], "enter"))
	}
	return append(keys, bind("esc", esc, "esc"))
}

func (d *recodeGroups) more() []key.Binding { return bindings(d.acts(views.State{})) }

// press marks, merges, splits, orders and renames. Merging with m keeps the dialog
// open for the next merge; enter closes it.
func (d *recodeGroups) press(msg tea.KeyPressMsg, s views.State) Effect {
	d.follow(s)
	d.message = ""
	if d.label != nil {
		return d.typeLabel(msg)
	}
	if d.intent == toSplit && key.Matches(msg, groupsMove(), groupsPage()) {
		d.give()
	}
	if effect := carryOut(d.acts(s), msg); effect != nil {
		return effect
	}
	switch pressed := msg.String(); {
	case pressed == "esc" && d.intent != toMerge:
		d.give()
	case pressed == "c" && d.intent == toMerge:
		d.unmark()
	case pressed == "m" && d.intent == toMerge:
		return d.enter()
	default:
		return nil
	}
	return Stay{}
}

func (d *recodeGroups) enter() Effect {
	if d.intent == toMerge && !d.mergeable() {
		d.message = "mark at least two categories with space, then m merges them"
	}
	return d.stepDialog.enter()
}

func groupsMove() key.Binding { return bind("↑↓", "move", "up", "down", "k", "j", "home", "end") }
func groupsPage() key.Binding { return bind("pgup/pgdn", "page", "pgup", "pgdown") }

// acts are the keys that work now, in their order on the bottom line.
func (d *recodeGroups) acts(s views.State) []act {
	move, page := act{groupsMove(), d.move}, act{groupsPage(), d.move}
	shift := act{bind("J/K", "order", "J", "K", "shift+down", "shift+up"), turns(d.shiftLevel)}
	top := act{bind("t", "top-code above", "t"), stays(func() { d.intent = toTop })}
	bottom := act{bind("b", "bottom-code below", "b"), stays(func() { d.intent = toBottom })}
	switch d.intent {
	case toSplit:
		return []act{{bind("x", "split, stay here", "x"), d.keep}}
	case toOrder:
		return []act{move, shift, {bind("m", "keep it, stay here", "m"), d.keep}}
	case toTop, toBottom:
		return []act{move, page, top, bottom}
	}
	variable := d.column.Name()
	acts := []act{move, {bind("r", "rename", "r"), stays(d.beginRename)}, {bind("x", "split", "x"), stays(d.beginSplit)}, shift,
		{bind("H", "hierarchy", "H"), swaps(func() Dialog { return newRecodeHierarchy(s, d.column, d) })},
		{bind("S", "suggest", "S"), swaps(func() Dialog { return suggestionsOf(s, variable, d, &d.message) })},
		{bind("s", "sort by count", "s"), stays(func() {
			d.byCount = !d.byCount
			d.sort()
		})}}
	if d.ordered() {
		acts = append(acts, top, bottom)
	}
	if d.column.Numeric() {
		acts = append(acts, act{bind("T", "top and bottom coding", "T"), swaps(func() Dialog { return newCoding(s, variable, d.value()) })})
	}
	if d.column.Unrecoded().Numeric() {
		acts = append(acts, act{bind("v", "as intervals", "v"), swaps(func() Dialog {
			return newRecodeIntervals(s, d.column, earlierIntervals(s, variable))
		})})
	}
	acts = append(acts, act{bind("o", "open file", "o"), swaps(func() Dialog { return newRecodeReading(s, variable, d) })},
		act{bind("w", "write file", "w"), swaps(func() Dialog { return newRecodeWriting(s, variable, d.pending(), d) })}, page)
	mark := act{bind("space", "mark", "space"), stays(d.markNext)}
	marked := []act{{bind("e", "label of the group", "e"), stays(func() { d.label, d.rename = views.NewTextField(d.group), false })},
		{bind("c", "clear", "c"), stays(d.unmark)}}
	switch {
	case d.mergeable():
		return slices.Concat([]act{mark, {bind("m", "merge, stay here", "m"), d.keep}}, marked, acts)
	case len(d.marked) > 0:
		acts = append(marked, acts...)
	}
	return append(acts, mark)
}

// keep makes the step of the intent; the dialog stays open.
func (d *recodeGroups) keep(tea.KeyPressMsg) Effect {
	step, _ := d.made()
	if d.intent == toMerge {
		d.unmark()
	} else {
		d.give()
	}
	return Apply{Step: step, Stay: true}
}

func (d *recodeGroups) move(msg tea.KeyPressMsg) Effect {
	d.at = moved(d.at, len(d.order), msg.String())
	return Stay{}
}

func (d *recodeGroups) beginRename() {
	if d.code() == 0 {
		d.message = "missing cells have no label to rename; e names a category for them once they are marked"
		return
	}
	d.label, d.rename = views.NewTextField(d.levelLabel(d.code())), true
}

// give gives an intent up: categories that were moved are where they were.
func (d *recodeGroups) give() {
	code := d.code()
	d.intent = toMerge
	d.sort()
	d.at = max(0, slices.Index(d.order, code))
}

// pending returns the step that is being made, to be written with those that
// stand; nil where there is none.
func (d *recodeGroups) pending() *session.StepSpec {
	if step, ok := d.made(); ok {
		return &step
	}
	return nil
}

// value returns the number of the category under the cursor; nil where it has
// none.
func (d *recodeGroups) value() *float64 {
	if code := d.code(); code != 0 {
		return &d.column.Categories().Levels[code-1].Value
	}
	return nil
}

// beginSplit shows what the category under the cursor would be split into.
func (d *recodeGroups) beginSplit() {
	code := d.code()
	parts := d.partsOf(code)
	switch {
	case code == 0:
		d.message = "missing cells are no category to split"
	case d.parts == nil:
		d.message = "the values were changed record by record after they were recoded: what was merged stays merged"
	case len(parts) == 1 && parts[0] == d.levelLabel(code):
		d.message = "this category is as the file has it: there is nothing to split"
	default:
		d.intent = toSplit
	}
}

// shiftLevel moves the category under the cursor down or up in the order.
func (d *recodeGroups) shiftLevel(by int) {
	to := d.at + by
	if d.code() == 0 || to < 0 || to >= len(d.order) || d.order[to] == 0 {
		return // missing has no place in the order
	}
	d.order[d.at], d.order[to] = d.order[to], d.order[d.at]
	d.at, d.intent, d.byCount = to, toOrder, false
}

// markNext marks the category under the cursor and goes to the next.
func (d *recodeGroups) markNext() {
	if len(d.order) > 0 {
		d.mark()
		d.at = min(d.at+1, len(d.order)-1)
	}
}

func (d *recodeGroups) unmark() {
	clear(d.marked)
	d.group = ""
}

// mark marks the category under the cursor, or takes its mark away.
func (d *recodeGroups) mark() {
	if code := d.code(); d.marked[code] {
		delete(d.marked, code)
	} else {
		d.marked[code] = true
	}
}

// Click moves the cursor to a category and, while categories are merged, marks it.
func (d *recodeGroups) Click(x, y int, _ views.State) Effect {
	place, ok := d.list.at(x, y)
	if !ok || d.label != nil || d.intent != toMerge {
		return Stay{}
	}
	d.at, d.message = place, ""
	d.mark()
	return Stay{}
}

// typeLabel takes a key while the label of the group or a new name is typed. A
// name that the what-if refuses can be typed on: why stands there.
func (d *recodeGroups) typeLabel(msg tea.KeyPressMsg) Effect {
	switch msg.String() {
	case "esc":
		d.label = nil
	case "enter":
		m := d.renaming()
		if m != nil && d.answer.Err != nil && !d.answer.Pending {
			return Stay{}
		}
		text := strings.TrimSpace(d.label.Text())
		d.label = nil
		if m != nil {
			return Apply{Step: stepOf("recode-rename", m), Stay: true}
		}
		if !d.rename {
			d.group = text
		}
	default:
		d.label.Handle(msg)
	}
	return Stay{}
}
