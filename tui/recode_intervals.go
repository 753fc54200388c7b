package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/recode"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// recodeIntervals is the dialog that cuts a variable of numbers into
// intervals. Every move of an end is a question: the what-if follows the keys.
type recodeIntervals struct {
	stepDialog
	variable string
	column   *microdata.Column // the values that are cut
	breaks   *breaks
	ends     *views.TextField // all ends as text, while they are typed
	label    *views.TextField // the label of the chosen interval, while it is typed
	classes  int              // for the ways that make ends
	way      breaksWay        // how the ends were last made
	message  string           // why the last key did nothing
	typed    error            // why the typed ends make no intervals
	decimal  bool             // the file has decimal commas
	before   []float64        // the ends before they were typed
	list     rowsShown
}

// newRecodeIntervals opens on the variable's source values; where an earlier
// recode by intervals stands, on its breaks and labels.
func newRecodeIntervals(s views.State, column *microdata.Column, earlier *recode.Intervals) *recodeIntervals {
	d := &recodeIntervals{variable: column.Name(), column: column.Unrecoded(), classes: 8}
	d.breaks = newBreaks(d.column)
	d.self, d.title, d.needK, d.decimal = d, "Recode "+d.variable, s.K, s.DecimalComma
	if earlier != nil {
		if cut, err := earlier.Cut(column); err == nil {
			d.breaks.setBreaks(cut, earlier.Labels)
			d.classes = max(2, d.breaks.intervals())
		}
		if earlier.Count > 0 {
			d.classes, d.way = max(2, earlier.Count), wayOf(earlier.By)
		}
	}
	return d
}

// wayOf returns the way in which a recode by a number of intervals chooses its
// ends.
func wayOf(by string) breaksWay {
	switch by {
	case recode.ByEqualAmounts:
		return equalGroups
	case recode.ByLogarithms:
		return logarithmicWidths
	}
	return equalWidths
}

// Click chooses the end of an interval.
func (d *recodeIntervals) Click(x, y int, _ views.State) Effect {
	if place, ok := d.list.at(x, y); ok && !d.Typing() && len(d.breaks.upper) > 0 {
		d.breaks.at = min(place, len(d.breaks.upper)-1)
	}
	return Stay{}
}

// Typing reports whether the ends or a label are being typed.
func (d *recodeIntervals) Typing() bool { return d.ends != nil || d.label != nil }

// Keys are those of what is typed, or all.
func (d *recodeIntervals) Keys() []key.Binding {
	switch {
	case d.label != nil:
		return []key.Binding{bind("enter", "take the label", "enter"), bind("esc", "as it was", "esc")}
	case d.ends != nil && d.typed != nil:
		return []key.Binding{bind("esc", "as they were", "esc")}
	case d.ends != nil:
		return []key.Binding{bind("enter", "apply", "enter"), bind("tab", "keep the ends", "tab"), bind("esc", "as they were", "esc")}
	}
	return d.stepDialog.Keys()
}

func (d *recodeIntervals) more() []key.Binding { return bindings(d.acts(views.State{})) }

// press edits the ends, or what is typed.
func (d *recodeIntervals) press(msg tea.KeyPressMsg, s views.State) Effect {
	d.message = ""
	switch {
	case d.label != nil:
		d.typeLabel(msg)
		return Stay{}
	case d.ends != nil:
		return d.typeEnds(msg)
	}
	return carryOut(d.acts(s), msg)
}

// acts are the keys that change the ends or lead to another dialog. Where values
// can be below 0 a minus begins to type ends.
func (d *recodeIntervals) acts(s views.State) []act {
	b, digits := d.breaks, strings.Split("0123456789", "")
	ends, fewer := bind("0-9", "type the ends", digits...), bind("-/+", "fewer, more", "-", "_", "+", "=")
	if b.lowest() < 0 {
		ends, fewer = bind("0-9 -", "type the ends", append(digits, "-")...), bind("_/+", "fewer, more", "_", "+", "=")
	}
	anew := func(way breaksWay) func(tea.KeyPressMsg) Effect { return stays(func() { d.make(way) }) }
	return []act{
		{bind("↑↓", "choose an interval", "up", "down", "k", "j"), turns(b.choose)},
		{bind("←→", "move its end", "left", "right", "h", "l"), turns(d.move)},
		{bind("shift+←→", "by 10", "shift+left", "shift+right", "<", ">"), turns(func(by int) { d.move(10 * by) })},
		{bind("a", "add an end", "a", "insert"), stays(b.add)},
		{bind("d", "delete it", "d", "delete", "backspace"), stays(b.remove)},
		{ends, func(msg tea.KeyPressMsg) Effect {
			d.before, d.ends = slices.Clone(b.upper), views.NewTextField("")
			return d.typeEnds(msg)
		}},
		{bind("n", "equal widths", "n"), anew(equalWidths)},
		{bind("g", "equal groups", "g"), anew(equalGroups)},
		{bind("L", "logarithmic", "L"), anew(logarithmicWidths)},
		{bind("N", "round widths", "N"), anew(roundWidths)},
		{fewer, turns(func(by int) { d.resize(by > 0) })},
		{bind("t", "top-code here", "t"), stays(b.top)},
		{bind("b", "bottom-code here", "b"), stays(b.bottom)},
		{bind("x", "first or last to missing", "x"), stays(func() { d.message = b.leaveOut() })},
		{bind("e", "edit label", "e"), stays(func() { d.label = views.NewTextField(d.breaks.allLabels()[b.at]) })},
		{bind("v", "as categories", "v"), swaps(func() Dialog { return newRecodeGroups(s, currentColumn(s, d.variable)) })},
		{bind("T", "code beyond a threshold", "T"), swaps(func() Dialog { return d.coding(s) })},
		{bind("R", "round", "R"), swaps(func() Dialog {
			return newRounding(s, d.variable, max(1, roundStep((b.highest()-b.lowest())/20)))
		})},
		{bind("H", "hierarchy", "H"), swaps(func() Dialog { return d.hierarchy(s) })},
		{bind("S", "suggest", "S"), swaps(func() Dialog { return suggestionsOf(s, d.variable, d, &d.message) })},
		{bind("o", "open file", "o"), swaps(func() Dialog { return newRecodeReading(s, d.variable, d) })},
		{bind("w", "write file", "w"), swaps(func() Dialog {
			step := d.step()
			return newRecodeWriting(s, d.variable, &step, d)
		})},
	}
}

// coding opens the coding beyond the chosen end.
func (d *recodeIntervals) coding(s views.State) Dialog {
	at := d.breaks.at
	if at == 0 { // nobody top-codes at the first end: begin with the last one
		at = len(d.breaks.upper) - 1
	}
	_, end := d.breaks.bounds(max(0, at))
	return newCoding(s, d.variable, &end)
}

func (d *recodeIntervals) hierarchy(s views.State) Dialog {
	if !d.breaks.whole {
		d.message = "numbers with decimals are no codes: they have no hierarchy"
		return nil
	}
	return newRecodeHierarchy(s, currentColumn(s, d.variable), d)
}

// suggestionsOf opens the suggestions for a variable; for one that is no key the
// message says why there are none.
func suggestionsOf(s views.State, variable string, back Dialog, message *string) Dialog {
	if !slices.Contains(s.Scenario.Keys, variable) {
		*message = "only recodes of key variables are suggested: others have no violators"
		return nil
	}
	return newSuggestions(s, variable, back)
}

// move moves the chosen end; what becomes of the labels beside it is said.
func (d *recodeIntervals) move(by int) {
	if lost := d.breaks.move(by); lost != "" {
		d.message = fmt.Sprintf("the label %s names numbers, which are others now: it was made anew; e edits it", lost)
	}
}

// make makes all ends anew.
func (d *recodeIntervals) make(way breaksWay) {
	if way == logarithmicWidths && !(d.breaks.lowest() > 0) {
		d.message = "values that are not above 0 have no logarithm"
		return
	}
	d.way = way
	d.breaks.make(way, d.classes)
}

// resize makes one interval more or fewer, in the way the ends were last made.
func (d *recodeIntervals) resize(more bool) {
	was := d.breaks.intervals()
	for range 20 { // round widths can leave the number of intervals as it is
		if more {
			d.classes = min(d.classes+1, 50)
		} else {
			d.classes = max(d.classes-1, 2)
		}
		d.breaks.make(d.way, d.classes)
		if now := d.breaks.intervals(); more && now > was || !more && now < was {
			return
		}
	}
}

func (d *recodeIntervals) typeLabel(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "esc":
		d.label = nil
	case "enter":
		chosen := d.breaks.span(d.breaks.at)
		if text := strings.TrimSpace(d.label.Text()); text == "" {
			delete(d.breaks.labels, chosen) // back to the label made from the ends
		} else {
			d.breaks.labels[chosen] = text
		}
		d.label = nil
	default:
		d.label.Handle(msg)
	}
}

func (d *recodeIntervals) step() session.StepSpec {
	return stepOf("recode-intervals", d.breaks.method(d.variable))
}

func (d *recodeIntervals) made() (session.StepSpec, bool) { return d.step(), true }
