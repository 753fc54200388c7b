package recoding

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// recodeIntervals is the view that cuts a numeric variable into intervals. Every move of an end is a new what-if.
type recodeIntervals struct {
	editor
	breaks  *breaks
	ends    bool      // typing all ends, not the label of the selected interval
	classes int       // for the ways that generate ends
	way     string    // how the ends were last generated
	typed   error     // why the typed ends are invalid
	decimal bool      // the file has decimal commas
	before  []float64 // the ends before typing
}

// newRecodeIntervals opens the view on the variable's original values, with the breaks and labels of an earlier
// recode by intervals if there is one.
func newRecodeIntervals(s views.State, column *microdata.Column, earlier *recode.Intervals) *recodeIntervals {
	d := &recodeIntervals{breaks: newBreaks(column.Unrecoded()), classes: 8, way: roundWidths, decimal: s.DecimalComma}
	d.begin(s, column, d, "Recode "+s.Titled(column.Name()),
		func() (string, method.Regrouper) { return "recode-intervals", d.breaks.method(column.Name()) })
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

// Click selects the end of an interval.
func (d *recodeIntervals) Click(x, y int, _ views.State) draw.Action {
	if place, ok := d.list.At(x, y); ok && !d.Typing() && len(d.breaks.upper) > 0 {
		d.breaks.at = min(place, len(d.breaks.upper)-1)
	}
	return nil
}

// Keys returns the keys of the text field, or all.
func (d *recodeIntervals) Keys() []key.Binding {
	switch {
	case !d.Typing():
		return d.StepDialog.Keys()
	case !d.ends:
		return []key.Binding{draw.Bind("enter", "apply label"), draw.Bind("esc", "cancel")}
	case d.typed != nil:
		return []key.Binding{draw.Bind("esc", "cancel")}
	}
	return []key.Binding{draw.Bind("enter", "apply"), draw.Bind("tab", "keep the breaks"), draw.Bind("esc", "cancel")}
}

// Press edits the ends, or the text.
func (d *recodeIntervals) Press(msg tea.KeyPressMsg, s views.State) draw.Action {
	d.message = ""
	switch {
	case !d.Typing():
		return views.CarryOut(d.Acts(s), msg, s)
	case d.ends:
		return d.typeEnds(msg)
	}
	return d.typeInto(msg, d.labelled)
}

// Acts returns the keys that change the ends or switch views. If values can be below 0, a minus also starts typing
// ends.
func (d *recodeIntervals) Acts(s views.State) []views.KeyAction {
	b, digits := d.breaks, strings.Split("0123456789", "")
	ends, fewer := draw.Bind("0-9", "type the breaks", digits...),
		draw.Bind("-/+", "fewer, more", "-", "_", "+", "=")
	if b.lowest() < 0 {
		ends, fewer = draw.Bind("0-9 -", "type the breaks", append(digits, "-")...),
			draw.Bind("_/+", "fewer, more", "_", "+", "=")
	}
	other := func(key, text, way string) views.KeyAction {
		return views.Handles(key, text, func() { d.make(way) })
	}
	return append([]views.KeyAction{
		views.Presses("↑↓", "choose an interval", dialogs.Turns(b.choose), "up", "down", "k", "j"),
		views.Presses("←→", "move break", dialogs.Turns(d.move), "left", "right", "h", "l"),
		views.Presses("shift+←→", "move by 10", dialogs.Turns(func(by int) { d.move(10 * by) }), "shift+left",
			"shift+right", "<", ">"),
		views.Handles("a", "add break", b.add, "a", "insert"),
		views.Handles("d", "delete break", b.remove, "d", "delete", "backspace"),
		{Binding: ends, Do: func(msg tea.KeyPressMsg, _ views.State) draw.Action {
			d.before, d.ends, d.input = slices.Clone(b.upper), true, draw.NewTextField("")
			return d.typeEnds(msg)
		}},
		other("n", "equal widths", recode.ByEqualWidths),
		other("g", "equal frequencies", recode.ByEqualAmounts),
		other("G", "logarithmic", recode.ByLogarithms),
		other("N", "rounded bounds", roundWidths),
		{Binding: fewer, Do: dialogs.Turns(d.resize)},
		views.Handles("t", "top-code here", b.top),
		views.Handles("b", "bottom-code here", b.bottom),
		views.Handles("e", "edit label", func() {
			labels, _ := b.allLabels()
			d.ends, d.input = false, draw.NewTextField(labels[b.at])
		}),
		views.Handles("z", "switch closed side", func() { b.flip() }),
		views.Handles("x", "set rest to missing", func() { d.message = b.leaveOut() }),
	}, d.otherViews(s, d, recode.TopBottom{Top: d.here()})...)
}

// here returns the selected end for top coding, or the last one if the first is selected, because top coding at
// the first is never meant.
func (d *recodeIntervals) here() *float64 {
	at := d.breaks.at
	if at == 0 {
		at = max(0, len(d.breaks.upper)-1)
	}
	end := d.breaks.span(at).to
	return &end
}

// move moves the selected end, with a message on labels that were replaced.
func (d *recodeIntervals) move(by int) {
	if lost := d.breaks.move(by); lost != "" {
		d.message = fmt.Sprintf("the label %s no longer matched its interval and was replaced; e edits it", lost)
	}
}

// make replaces all ends.
func (d *recodeIntervals) make(way string) {
	if way == recode.ByLogarithms && !(d.breaks.lowest() > 0) {
		d.message = "values of 0 or less have no logarithm"
		return
	}
	d.way = way
	d.breaks.make(way, d.classes)
}

// resize changes the number of intervals by one, in the way the ends were last generated.
func (d *recodeIntervals) resize(by int) {
	was := d.breaks.intervals()
	for range 20 { // round widths may not change the number of intervals
		d.classes = max(2, min(50, d.classes+by))
		d.breaks.make(d.way, d.classes)
		if by*(d.breaks.intervals()-was) > 0 {
			return
		}
	}
}

// labelled sets the label of the selected interval; "" restores the generated one.
func (d *recodeIntervals) labelled(text string) draw.Action {
	d.input = nil
	if chosen := d.breaks.span(d.breaks.at); text != "" {
		d.breaks.labels[chosen] = text
	} else {
		delete(d.breaks.labels, chosen)
	}
	return draw.Handled{}
}

// typeEnds handles a key while the ends are typed: the intervals follow the text as long as it is valid.
func (d *recodeIntervals) typeEnds(msg tea.KeyPressMsg) draw.Action {
	switch pressed := msg.String(); {
	case pressed == "esc":
		d.breaks.set(d.before)
		d.input, d.typed = nil, nil
	case (pressed == "tab" || pressed == "enter") && d.typed != nil:
	case pressed == "tab":
		d.input = nil
	case pressed == "enter":
		d.input = nil
		return d.Enter()
	default:
		d.input.Handle(msg)
		ends, err := d.breaks.readEnds(d.input.Text(), d.decimal)
		if d.typed = err; err == nil {
			d.breaks.set(ends)
		}
	}
	return draw.Handled{}
}

// readEnds parses upper ends separated by spaces, commas or semicolons. If the file has decimal commas and the
// ends have another separator, a comma inside a number is decimal. The error names the invalid end.
func (b *breaks) readEnds(text string, decimalComma bool) ([]float64, error) {
	marks := " ;,"
	if decimalComma && !b.whole && strings.ContainsAny(strings.TrimSpace(text), " ;") {
		marks = " ;"
	}
	var ends []float64
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(marks, r) }) {
		word = strings.Replace(strings.Trim(word, ","), ",", ".", 1)
		if word == "" {
			continue
		}
		end, err := method.ParseNumber(word)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s is not a number", word)
		case b.whole && end != math.Trunc(end):
			return nil, fmt.Errorf("%s is not an integer", word)
		case !(end < b.highest()):
			return nil, fmt.Errorf("%s is not below the highest value, %s, where the last interval ends anyway",
				word, method.FormatNumber(b.highest()))
		case !b.inside(end):
			return nil, fmt.Errorf("%s is below the lowest value, %s", word, method.FormatNumber(b.lowest()))
		}
		ends = append(ends, end)
	}
	return ends, nil
}
