package recoding

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Keys returns what can be done now: merging needs two marked categories.
func (d *recodeGroups) Keys() []key.Binding {
	if d.Typing() {
		enter := "take it"
		if d.rename {
			enter = "rename"
		}
		return []key.Binding{draw.Bind("enter", enter), draw.Bind("esc", "as it was")}
	}
	keys, esc := d.More(), "as it was"
	if d.intent == toMerge {
		esc = "close"
	}
	if d.intent != toMerge || d.mergeable() {
		enter := [...]string{toMerge: "merge", toSplit: "split", toOrder: "keep this order", toTop: "group these",
			toBottom: "group these"}
		keys = append(keys, draw.Bind("enter", enter[d.intent]))
	}
	return append(keys, draw.Bind("esc", esc))
}

// Press marks, merges, splits, orders and renames. Merging with m keeps the dialog
// open for the next merge; enter closes it.
func (d *recodeGroups) Press(msg tea.KeyPressMsg, s views.State) dialogs.Effect {
	d.follow(s)
	d.message = ""
	if d.label != nil {
		return d.typeLabel(msg)
	}
	if d.intent == toSplit && key.Matches(msg, groupsMove(), groupsPage()) {
		d.give()
	}
	if effect := dialogs.CarryOut(d.Acts(s), msg); effect != nil {
		return effect
	}
	switch pressed := msg.String(); {
	case pressed == "esc" && d.intent != toMerge:
		d.give()
	case pressed == "c" && d.intent == toMerge:
		d.unmark()
	case pressed == "m" && d.intent == toMerge:
		return d.Enter()
	default:
		return nil
	}
	return dialogs.Stay{}
}

// Enter makes the step; where nothing is to be made it says what is missing.
func (d *recodeGroups) Enter() dialogs.Effect {
	if d.intent == toMerge && !d.mergeable() {
		d.message = "mark at least two categories with space, then m merges them"
	}
	return d.StepDialog.Enter()
}

func groupsMove() key.Binding {
	return draw.Bind("↑↓", "move", "up", "down", "k", "j", "home", "end")
}
func groupsPage() key.Binding { return draw.Bind("pgup/pgdn", "page", "pgup", "pgdown") }

// Acts are the keys that work now, in their order on the bottom line.
func (d *recodeGroups) Acts(s views.State) []dialogs.Act {
	move, page := dialogs.Act{Binding: groupsMove(), Do: d.move}, dialogs.Act{Binding: groupsPage(), Do: d.move}
	shift := dialogs.NewAct("J/K", "order", dialogs.Turns(d.shiftLevel), "J", "K", "shift+down", "shift+up")
	top := dialogs.NewAct("t", "top-code above", dialogs.Stays(func() { d.intent = toTop }))
	bottom := dialogs.NewAct("b", "bottom-code below", dialogs.Stays(func() { d.intent = toBottom }))
	switch d.intent {
	case toSplit:
		return []dialogs.Act{dialogs.NewAct("x", "split, stay here", d.keep)}
	case toOrder:
		return []dialogs.Act{move, shift, dialogs.NewAct("m", "keep it, stay here", d.keep)}
	case toTop, toBottom:
		return []dialogs.Act{move, page, top, bottom}
	}
	variable := d.column.Name()
	acts := []dialogs.Act{move, dialogs.NewAct("r", "rename", dialogs.Stays(d.beginRename)),
		dialogs.NewAct("x", "split", dialogs.Stays(d.beginSplit)), shift,
		dialogs.NewAct("H", "hierarchy", dialogs.Swaps(func() dialogs.Dialog {
			return newRecodeHierarchy(s, d.column, d)
		})),
		suggestAct(s, variable, d, &d.message),
		dialogs.NewAct("s", "sort by count", dialogs.Stays(func() {
			d.byCount = !d.byCount
			d.sort()
		}))}
	if d.ordered() {
		acts = append(acts, top, bottom)
	}
	if d.column.Numeric() {
		acts = append(acts, dialogs.NewAct("T", "top and bottom coding", dialogs.Swaps(func() dialogs.Dialog {
			if code := d.code(); code != 0 {
				return newCoding(s, variable, &d.column.Categories().Levels[code-1].Value)
			}
			return newCoding(s, variable, nil)
		})))
	}
	if d.column.Unrecoded().Numeric() {
		acts = append(acts, dialogs.NewAct("v", "as intervals", dialogs.Swaps(func() dialogs.Dialog {
			return newRecodeIntervals(s, d.column, earlierIntervals(s, variable))
		})))
	}
	acts = append(append(acts, fileActs(s, variable, d)...), page)
	mark := dialogs.NewAct("space", "mark", dialogs.Stays(d.markNext))
	marked := []dialogs.Act{dialogs.NewAct("e", "label of the group",
		dialogs.Stays(func() { d.label, d.rename = draw.NewTextField(d.group), false })),
		dialogs.NewAct("c", "clear", dialogs.Stays(d.unmark))}
	switch {
	case d.mergeable():
		return slices.Concat([]dialogs.Act{mark, dialogs.NewAct("m", "merge, stay here", d.keep)}, marked, acts)
	case len(d.marked) > 0:
		acts = append(marked, acts...)
	}
	return append(acts, mark)
}

// keep makes the step of the intent; the dialog stays open.
func (d *recodeGroups) keep(tea.KeyPressMsg) dialogs.Effect {
	step, _ := d.Made()
	if d.intent == toMerge {
		d.unmark()
	} else {
		d.give()
	}
	return dialogs.Apply{Step: step, Stay: true}
}

func (d *recodeGroups) move(msg tea.KeyPressMsg) dialogs.Effect {
	d.at = dialogs.Moved(d.at, len(d.order), msg.String())
	return dialogs.Stay{}
}

func (d *recodeGroups) beginRename() {
	if d.code() == 0 {
		d.message = "missing cells have no label to rename; e names a category for them once they are marked"
		return
	}
	name := d.levelLabel(d.code())
	d.label, d.rename = draw.NewTextField(cmp.Or(d.column.Described().Labels[name], name)), true
}

// give gives an intent up: categories that were moved are where they were.
func (d *recodeGroups) give() {
	code := d.code()
	d.intent = toMerge
	d.sort()
	d.at = max(0, slices.Index(d.order, code))
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
func (d *recodeGroups) Click(x, y int, _ views.State) dialogs.Effect {
	place, ok := d.list.At(x, y)
	if !ok || d.label != nil || d.intent != toMerge {
		return dialogs.Stay{}
	}
	d.at, d.message = place, ""
	d.mark()
	return dialogs.Stay{}
}

// typeLabel takes a key while the label of the group or a new name is typed. A
// name that the what-if refuses can be typed on: why stands there.
func (d *recodeGroups) typeLabel(msg tea.KeyPressMsg) dialogs.Effect {
	switch msg.String() {
	case "esc":
		d.label = nil
	case "enter":
		m := d.renaming()
		if m != nil && d.Known.Err != nil && !d.Known.Pending {
			return dialogs.Stay{}
		}
		text := strings.TrimSpace(d.label.Text())
		d.label = nil
		if m != nil {
			return dialogs.Apply{Step: dialogs.StepOf("recode-rename", m), Stay: true}
		}
		if !d.rename {
			d.group = text
		}
	default:
		d.label.Handle(msg)
	}
	return dialogs.Stay{}
}
