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
	k := d.keys
	if d.Typing() {
		take := "take it"
		if d.rename {
			take = "rename"
		}
		return []key.Binding{bind("enter", take, "enter"), bind("esc", "as it was", "esc")}
	}
	if d.intent != toMerge {
		return append(d.intentKeys(), bind("esc", "as it was", "esc"))
	}
	keys := []key.Binding{k.move, k.rename, k.split, k.shift, k.hierarchy, k.suggest, k.sort}
	if d.ordered() {
		keys = append(keys, k.top, k.bottom)
	}
	if d.column.Numeric() {
		keys = append(keys, k.coding)
	}
	if d.column.Unrecoded().Numeric() {
		keys = append(keys, k.form)
	}
	keys = append(keys, k.read, k.write, k.page)
	switch {
	case d.mergeable():
		return append(append([]key.Binding{k.mark, k.merge, k.label, k.none}, keys...), k.apply, k.cancel)
	case len(d.marked) > 0:
		keys = append([]key.Binding{k.label, k.none}, keys...)
	}
	return append(keys, k.mark, k.cancel)
}

// intentKeys are the keys of an intent other than merging.
func (d *recodeGroups) intentKeys() []key.Binding {
	k := d.keys
	switch d.intent {
	case toSplit:
		return []key.Binding{bind("x", "split, stay here", "x"), bind("enter", "split", "enter")}
	case toOrder:
		return []key.Binding{k.move, k.shift, bind("m", "keep it, stay here", "m"), bind("enter", "keep this order", "enter")}
	}
	return []key.Binding{k.move, k.page, k.top, k.bottom, bind("enter", "group these", "enter")}
}

// HandleKey marks, merges, splits, orders and renames. Merging with m keeps the
// dialog open for the next merge; enter closes it.
func (d *recodeGroups) HandleKey(msg tea.KeyPressMsg, s views.State) Effect {
	d.follow(s)
	d.hint = ""
	if d.label != nil {
		return d.typeLabel(msg)
	}
	k := d.keys
	switch {
	case key.Matches(msg, k.cancel) && d.intent != toMerge:
		d.give()
	case key.Matches(msg, k.cancel):
		return Close{}
	case key.Matches(msg, k.apply) && d.ready():
		return Apply{Step: d.step()}
	case key.Matches(msg, k.split) && d.intent == toSplit, key.Matches(msg, k.merge) && d.intent == toOrder:
		step := d.step()
		d.give()
		return Apply{Step: step, Stay: true}
	case d.intent == toMerge:
		return d.handleMerging(msg, s)
	default:
		d.handleIntent(msg)
	}
	return Stay{}
}

// give gives an intent up: categories that were moved are where they were.
func (d *recodeGroups) give() {
	code := d.code()
	d.intent = toMerge
	d.sort()
	d.at = max(0, slices.Index(d.order, code))
}

// handleIntent takes the keys of an intent other than merging.
func (d *recodeGroups) handleIntent(msg tea.KeyPressMsg) {
	k := d.keys
	switch {
	case key.Matches(msg, k.shift) && d.intent == toOrder:
		d.shiftLevel(msg)
	case key.Matches(msg, k.top) && d.intent == toBottom, key.Matches(msg, k.bottom) && d.intent == toTop:
		d.intent = toTop + toBottom - d.intent
	case key.Matches(msg, k.move, k.page):
		if d.intent == toSplit {
			d.give()
		}
		d.at = moved(d.at, len(d.order), msg.String())
	}
}

// handleMerging takes the keys while categories are being marked.
func (d *recodeGroups) handleMerging(msg tea.KeyPressMsg, s views.State) Effect {
	k := d.keys
	switch {
	case key.Matches(msg, k.merge) && d.mergeable():
		step := d.step()
		clear(d.marked)
		d.group = ""
		return Apply{Step: step, Stay: true}
	case key.Matches(msg, k.merge, k.apply):
		d.hint = "mark at least two categories with space, then m merges them"
	case key.Matches(msg, k.rename) && d.code() == 0:
		d.hint = "missing cells have no label to rename; e names a category for them once they are marked"
	case key.Matches(msg, k.rename):
		d.label, d.rename = views.NewTextField(d.levelLabel(d.code())), true
	case key.Matches(msg, k.label) && len(d.marked) > 0:
		d.label, d.rename = views.NewTextField(d.group), false
	case key.Matches(msg, k.split):
		d.beginSplit()
	case key.Matches(msg, k.shift):
		d.shiftLevel(msg)
	case key.Matches(msg, k.top) && d.ordered():
		d.intent = toTop
	case key.Matches(msg, k.bottom) && d.ordered():
		d.intent = toBottom
	default:
		if dialog := d.other(msg, s); dialog != nil {
			return Swap{Dialog: dialog}
		}
		d.navigate(msg)
	}
	return Stay{}
}

// other returns the dialog that a key leads to; nil: none.
func (d *recodeGroups) other(msg tea.KeyPressMsg, s views.State) Dialog {
	k, variable := d.keys, d.column.Name()
	switch {
	case key.Matches(msg, k.form) && d.column.Unrecoded().Numeric():
		return newRecodeIntervals(s, d.column, earlierIntervals(s, variable))
	case key.Matches(msg, k.coding) && d.column.Numeric():
		return newCoding(s, variable, d.value())
	case key.Matches(msg, k.hierarchy):
		return newRecodeHierarchy(s, d.column, d)
	case key.Matches(msg, k.suggest):
		if !slices.Contains(s.Scenario.Keys, variable) {
			d.hint = "only recodes of key variables are suggested: others have no violators"
			return nil
		}
		return newSuggestions(s, variable, d)
	case key.Matches(msg, k.read):
		return newRecodeReading(s, variable, d)
	case key.Matches(msg, k.write):
		return newRecodeWriting(s, variable, d.pending(), d)
	}
	return nil
}

// pending returns the step that is being made, to be written with those that
// stand; nil where there is none.
func (d *recodeGroups) pending() *session.StepSpec {
	if !d.ready() {
		return nil
	}
	step := d.step()
	return &step
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
		d.hint = "missing cells are no category to split"
	case d.parts == nil:
		d.hint = "the values were changed record by record after they were recoded: what was merged stays merged"
	case len(parts) == 1 && parts[0] == d.levelLabel(code):
		d.hint = "this category is as the file has it: there is nothing to split"
	default:
		d.intent = toSplit
	}
}

// shiftLevel moves the category under the cursor down or up in the order.
func (d *recodeGroups) shiftLevel(msg tea.KeyPressMsg) {
	by := 1
	if pressed := msg.String(); pressed == "K" || pressed == "shift+up" {
		by = -1
	}
	to := d.at + by
	if d.code() == 0 || to < 0 || to >= len(d.order) || d.order[to] == 0 {
		return // missing has no place in the order
	}
	d.order[d.at], d.order[to] = d.order[to], d.order[d.at]
	d.at, d.intent, d.byCount = to, toOrder, false
}

// navigate moves the cursor and marks.
func (d *recodeGroups) navigate(msg tea.KeyPressMsg) {
	k := d.keys
	switch {
	case key.Matches(msg, k.move, k.page):
		d.at = moved(d.at, len(d.order), msg.String())
	case key.Matches(msg, k.mark) && len(d.order) > 0:
		d.mark()
		d.at = min(d.at+1, len(d.order)-1)
	case key.Matches(msg, k.none):
		clear(d.marked)
		d.group = ""
	case key.Matches(msg, k.sort):
		d.byCount = !d.byCount
		d.sort()
	}
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
	d.at, d.hint = place, ""
	d.mark()
	return Stay{}
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
