package recoding

import (
	"cmp"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Keys returns the keys that can be used now; merging needs two marked categories.
func (d *recodeGroups) Keys() []key.Binding {
	_, ready := d.Made()
	more, enter := d.More(), draw.Bind("enter", [...]string{"merge", "split", "keep this order"}[d.intent])
	switch {
	case d.Typing() && len(d.marked) == 0:
		return []key.Binding{draw.Bind("enter", "rename"), draw.Bind("esc", "cancel")}
	case d.Typing():
		return []key.Binding{enter, draw.Bind("esc", "cancel")}
	case d.intent != toMerge:
		return append(more, enter, draw.Bind("esc", "cancel"))
	case ready:
		return append(more, enter, draw.Bind("esc", "close"))
	}
	return append(more[1:], more[0], draw.Bind("esc", "close")) // the bottom line begins with marking
}

// Press marks, merges, splits, orders and renames. Merging with m keeps the dialog open for the next merge; enter
// closes it.
func (d *recodeGroups) Press(msg tea.KeyPressMsg, s views.State) draw.Action {
	d.follow(s)
	d.message = ""
	if d.Typing() {
		return d.typeInto(msg, d.named)
	}
	if d.intent == toSplit && key.Matches(msg, groupsMove(), groupsPage()) {
		d.give()
	}
	if effect := views.CarryOut(d.Acts(s), msg, s); effect != nil {
		return effect
	}
	switch pressed := msg.String(); {
	case pressed == "esc" && d.intent != toMerge:
		d.give()
	case pressed == "m" && d.intent == toMerge:
		return d.Enter()
	default:
		return nil
	}
	return draw.Handled{}
}

// Enter applies the step, or shows what is missing.
func (d *recodeGroups) Enter() draw.Action {
	if _, ready := d.Made(); !ready {
		d.message = "press space to mark at least two categories, then m to merge them"
	}
	return d.StepDialog.Enter()
}

// named applies the step with the typed name. If the what-if refuses the name, typing continues and the reason is
// shown. A group without a name gets the default.
func (d *recodeGroups) named(string) draw.Action {
	_, ok := d.Made()
	switch {
	case ok && d.Known.Err != nil && !d.Known.Pending:
	case ok:
		action := d.keep(views.State{})
		d.input = nil
		return action
	default:
		d.input = nil
	}
	return draw.Handled{}
}

func groupsMove() key.Binding {
	return draw.Bind("↑↓", "move", "up", "down", "k", "j", "home", "end")
}
func groupsPage() key.Binding { return draw.Bind("pgup/pgdn", "page", "pgup", "pgdown") }

// Acts returns the keys that can be used now, in the order of the bottom line.
func (d *recodeGroups) Acts(s views.State) []views.KeyAction {
	walk := dialogs.Moves(&d.at, len(d.order))
	move, page := views.KeyAction{Binding: groupsMove(), Do: walk}, views.KeyAction{Binding: groupsPage(), Do: walk}
	shift := views.Presses("J/K", "move", dialogs.Turns(d.shiftLevel), "J", "K", "shift+down", "shift+up")
	switch d.intent {
	case toSplit:
		return []views.KeyAction{views.EmitsFrom("x", "split (stay in dialog)", d.keep)}
	case toOrder:
		return []views.KeyAction{move, shift, views.EmitsFrom("m", "apply (stay in dialog)", d.keep)}
	}
	acts := []views.KeyAction{views.Handles("space", "mark", d.markNext)}
	if _, ready := d.Made(); ready {
		acts = append(acts, views.EmitsFrom("m", "merge (stay in dialog)", d.keep))
	}
	if len(d.marked) > 0 {
		acts = append(acts,
			views.Handles("e", "edit label", func() { d.input = draw.NewTextField(d.group) }),
			views.Handles("c", "clear marks", d.unmark))
	}
	acts = append(acts, move, views.Handles("r", "rename", d.beginRename),
		views.Handles("x", "split", d.beginSplit), shift)
	acts = append(acts, views.Handles("s", "sort by count", func() {
		d.byCount = !d.byCount
		d.give()
	}))
	beyond := recode.TopBottom{}
	if code := d.code(); code != 0 {
		if level := d.column.Categories().Levels[code-1]; d.column.Numeric() {
			beyond.Top = &level.Value
		} else {
			beyond.TopLevel = level.Label
		}
	}
	return append(append(acts, d.otherViews(s, d, beyond)...), page)
}

// keep applies the step of the intent; the dialog stays open.
func (d *recodeGroups) keep(views.State) draw.Action {
	step, _ := d.Made()
	d.unmark()
	d.give()
	return dialogs.Apply{Step: step, Stay: true}
}

func (d *recodeGroups) beginRename() {
	if d.code() == 0 {
		d.message = "missing cells have no label to rename; mark them and press e to make them a category"
		return
	}
	name := d.levelLabel(d.code())
	d.unmark()
	d.input = draw.NewTextField(cmp.Or(d.column.Described().Labels[name], name))
}

// beginSplit shows the parts that the category under the cursor would be split into.
func (d *recodeGroups) beginSplit() {
	code := d.code()
	parts := d.partsOf(code)
	switch {
	case code == 0:
		d.message = "missing cells are not a category that can be split"
	case d.parts == nil:
		d.message = "the values were changed record by record after the recode, so merged categories cannot be split"
	case len(parts) == 1 && parts[0] == d.levelLabel(code):
		d.message = "this is an original category: nothing to split"
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

// mark marks or unmarks the category under the cursor.
func (d *recodeGroups) mark() {
	if code := d.code(); d.marked[code] {
		delete(d.marked, code)
	} else {
		d.marked[code] = true
	}
}

// Click moves the cursor to a category and, while categories are merged, marks it.
func (d *recodeGroups) Click(x, y int, _ views.State) draw.Action {
	if place, ok := d.list.At(x, y); ok && !d.Typing() && d.intent == toMerge {
		d.at, d.message = place, ""
		d.mark()
	}
	return nil
}
