package recoding

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// recodeIntervals is the dialog that cuts a numeric variable into
// intervals. Every move of an end is a question: the what-if follows the keys.
type recodeIntervals struct {
	dialogs.StepDialog
	variable string
	breaks   *breaks
	ends     *draw.TextField // all ends as text, while they are typed
	label    *draw.TextField // the label of the chosen interval, while it is typed
	classes  int             // for the ways that make ends
	way      string          // how the ends were last made
	message  string          // why the last key did nothing
	typed    error           // why the typed ends make no intervals
	decimal  bool            // the file has decimal commas
	before   []float64       // the ends before they were typed
	list     dialogs.RowsShown
}

// newRecodeIntervals opens on the variable's source values; where an earlier
// recode by intervals stands, on its breaks and labels.
func newRecodeIntervals(s views.State, column *microdata.Column, earlier *recode.Intervals) *recodeIntervals {
	d := &recodeIntervals{variable: column.Name(), classes: 8, way: roundWidths}
	d.breaks = newBreaks(column.Unrecoded())
	d.Self, d.Heading, d.NeedK, d.decimal = d, "Recode "+s.Titled(d.variable), s.K, s.DecimalComma
	if earlier != nil {
		if cut, err := earlier.Cut(column); err == nil {
			d.breaks.setBreaks(cut, earlier.Labels)
			d.classes = max(2, d.breaks.intervals())
		}
		if earlier.Count > 0 {
			d.classes, d.way = max(2, earlier.Count), earlier.By
		}
	}
	return d
}

// Click chooses the end of an interval.
func (d *recodeIntervals) Click(x, y int, _ views.State) dialogs.Effect {
	if place, ok := d.list.At(x, y); ok && !d.Typing() && len(d.breaks.upper) > 0 {
		d.breaks.at = min(place, len(d.breaks.upper)-1)
	}
	return dialogs.Stay{}
}

// Typing reports whether the ends or a label are being typed.
func (d *recodeIntervals) Typing() bool { return d.ends != nil || d.label != nil }

// Keys are those of what is typed, or all.
func (d *recodeIntervals) Keys() []key.Binding {
	switch {
	case d.label != nil:
		return []key.Binding{draw.Bind("enter", "take the label"), draw.Bind("esc", "as it was")}
	case d.ends != nil && d.typed != nil:
		return []key.Binding{draw.Bind("esc", "as they were")}
	case d.ends != nil:
		return []key.Binding{draw.Bind("enter", "apply"), draw.Bind("tab", "keep the ends"),
			draw.Bind("esc", "as they were")}
	}
	return d.StepDialog.Keys()
}

// Press edits the ends, or what is typed.
func (d *recodeIntervals) Press(msg tea.KeyPressMsg, s views.State) dialogs.Effect {
	d.message = ""
	switch {
	case d.label != nil:
		d.typeLabel(msg)
		return dialogs.Stay{}
	case d.ends != nil:
		return d.typeEnds(msg)
	}
	return dialogs.CarryOut(d.Acts(s), msg)
}

// Acts are the keys that change the ends or lead to another dialog. Where values
// can be below 0 a minus begins to type ends.
func (d *recodeIntervals) Acts(s views.State) []dialogs.Act {
	b, digits := d.breaks, strings.Split("0123456789", "")
	ends, fewer := draw.Bind("0-9", "type the ends", digits...),
		draw.Bind("-/+", "fewer, more", "-", "_", "+", "=")
	if b.lowest() < 0 {
		ends, fewer = draw.Bind("0-9 -", "type the ends", append(digits, "-")...),
			draw.Bind("_/+", "fewer, more", "_", "+", "=")
	}
	anew := func(way string) func(tea.KeyPressMsg) dialogs.Effect { return dialogs.Stays(func() { d.make(way) }) }
	return append([]dialogs.Act{
		dialogs.NewAct("↑↓", "choose an interval", dialogs.Turns(b.choose), "up", "down", "k", "j"),
		dialogs.NewAct("←→", "move its end", dialogs.Turns(d.move), "left", "right", "h", "l"),
		dialogs.NewAct("shift+←→", "by 10", dialogs.Turns(func(by int) { d.move(10 * by) }), "shift+left",
			"shift+right", "<", ">"),
		dialogs.NewAct("a", "add an end", dialogs.Stays(b.Add), "a", "insert"),
		dialogs.NewAct("d", "delete it", dialogs.Stays(b.remove), "d", "delete", "backspace"),
		{Binding: ends, Do: func(msg tea.KeyPressMsg) dialogs.Effect {
			d.before, d.ends = slices.Clone(b.upper), draw.NewTextField("")
			return d.typeEnds(msg)
		}},
		dialogs.NewAct("n", "equal widths", anew(recode.ByEqualWidths)),
		dialogs.NewAct("g", "equal groups", anew(recode.ByEqualAmounts)),
		dialogs.NewAct("G", "logarithmic", anew(recode.ByLogarithms)),
		dialogs.NewAct("N", "round widths", anew(roundWidths)),
		{Binding: fewer, Do: dialogs.Turns(func(by int) { d.resize(by > 0) })},
		dialogs.NewAct("t", "top-code here", dialogs.Stays(b.top)),
		dialogs.NewAct("b", "bottom-code here", dialogs.Stays(b.bottom)),
		dialogs.NewAct("x", "first or last to missing", dialogs.Stays(func() { d.message = b.leaveOut() })),
		dialogs.NewAct("e", "edit label", dialogs.Stays(func() {
			labels, _ := b.allLabels()
			d.label = draw.NewTextField(labels[b.at])
		})),
		dialogs.NewAct("v", "as categories",
			dialogs.Swaps(func() dialogs.Dialog { return newRecodeGroups(s, s.Current.Column(d.variable)) })),
		dialogs.NewAct("T", "code beyond a threshold", dialogs.Swaps(func() dialogs.Dialog { return d.coding(s) })),
		dialogs.NewAct("R", "round", dialogs.Swaps(func() dialogs.Dialog {
			return newForm(s, recode.RoundSpec(), d.variable,
				&recode.Round{Base: max(1, roundStep((b.highest()-b.lowest())/20))})
		})),
		dialogs.NewAct("H", "hierarchy", dialogs.Swaps(func() dialogs.Dialog { return d.hierarchy(s) })),
		suggestAct(s, d.variable, d, &d.message),
	}, fileActs(s, d.variable, d)...)
}

// coding opens the coding beyond the chosen end.
func (d *recodeIntervals) coding(s views.State) dialogs.Dialog {
	at := d.breaks.at
	if at == 0 { // nobody top-codes at the first end: begin with the last one
		at = len(d.breaks.upper) - 1
	}
	_, end := d.breaks.bounds(max(0, at))
	return newCoding(s, d.variable, &end)
}

func (d *recodeIntervals) hierarchy(s views.State) dialogs.Dialog {
	if !d.breaks.whole {
		d.message = "numbers with decimals are no codes: they have no hierarchy"
		return nil
	}
	return newRecodeHierarchy(s, s.Current.Column(d.variable), d)
}

// move moves the chosen end; what becomes of the labels beside it is said.
func (d *recodeIntervals) move(by int) {
	if lost := d.breaks.move(by); lost != "" {
		d.message = fmt.Sprintf("the label %s names numbers, which are others now: it was made anew; e edits it", lost)
	}
}

// make makes all ends anew.
func (d *recodeIntervals) make(way string) {
	if way == recode.ByLogarithms && !(d.breaks.lowest() > 0) {
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

// Step returns the step of the breaks as they stand.
func (d *recodeIntervals) Step() session.StepSpec {
	return dialogs.StepOf("recode-intervals", d.breaks.method(d.variable))
}

// Made returns the same: there are always breaks.
func (d *recodeIntervals) Made() (session.StepSpec, bool) { return d.Step(), true }
