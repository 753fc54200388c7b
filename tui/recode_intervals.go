package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/recode"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// recodeIntervals is the dialog that cuts a variable of numbers into
// intervals. Every move of an end is a question: the what-if follows the keys.
type recodeIntervals struct {
	whatIf
	variable string
	column   *microdata.Column // the values that are cut
	breaks   *breaks
	ends     *views.TextField // all ends as text, while they are typed
	label    *views.TextField // the label of the chosen interval, while it is typed
	classes  int              // for the ways that make ends
	way      breaksWay        // how the ends were last made
	hint     string           // why the last key did nothing
	typed    error            // why the typed ends make no intervals
	decimal  bool             // the file has decimal commas
	before   []float64        // the ends before they were typed
	keys     intervalsKeys
	list     rowsShown
}

type intervalsKeys struct {
	choose, move, jump, add, remove, ends, round, widths, groups, logarithms, fewer, top, bottom, outside, label key.Binding
	coding, rounding, hierarchy, form, suggest, read, write, apply, cancel                                       key.Binding
}

// newIntervalsKeys returns the keys of the dialog. Where values can be below 0 a
// minus begins to type ends.
func newIntervalsKeys(negative bool) intervalsKeys {
	ends, fewer := bind("0-9", "type the ends", digitKeys()...), bind("-/+", "fewer, more", "-", "_", "+", "=")
	if negative {
		ends, fewer = bind("0-9 -", "type the ends", append(digitKeys(), "-")...), bind("_/+", "fewer, more", "_", "+", "=")
	}
	return intervalsKeys{
		choose:     bind("↑↓", "choose an interval", "up", "down", "k", "j"),
		move:       bind("←→", "move its end", "left", "right", "h", "l"),
		jump:       bind("shift+←→", "by 10", "shift+left", "shift+right", "<", ">"),
		add:        bind("a", "add an end", "a", "insert"),
		remove:     bind("d", "delete it", "d", "delete", "backspace"),
		round:      bind("N", "round widths", "N"),
		widths:     bind("n", "equal widths", "n"),
		groups:     bind("g", "equal groups", "g"),
		logarithms: bind("L", "logarithmic", "L"),
		ends:       ends,
		fewer:      fewer,
		top:        bind("t", "top-code here", "t"),
		bottom:     bind("b", "bottom-code here", "b"),
		outside:    bind("x", "first or last to missing", "x"),
		label:      bind("e", "edit label", "e"),
		coding:     bind("T", "code beyond a threshold", "T"),
		rounding:   bind("R", "round", "R"),
		hierarchy:  bind("H", "hierarchy", "H"),
		form:       bind("v", "as categories", "v"),
		suggest:    bind("S", "suggest", "S"),
		read:       bind("o", "open file", "o"),
		write:      bind("w", "write file", "w"),
		apply:      bind("enter", "apply", "enter"),
		cancel:     bind("esc", "cancel", "esc"),
	}
}

// newRecodeIntervals opens on the variable's source values; where an earlier
// recode by intervals stands, on its breaks and labels.
func newRecodeIntervals(s views.State, column *microdata.Column, earlier *recode.Intervals) *recodeIntervals {
	d := &recodeIntervals{variable: column.Name(), column: column.Unrecoded(), classes: 8}
	d.breaks = newBreaks(d.column)
	d.keys, d.decimal = newIntervalsKeys(d.breaks.lowest() < 0), s.DecimalComma
	if earlier != nil {
		if cut, err := earlier.Cut(column); err == nil {
			d.breaks.setBreaks(cut, earlier.Labels)
			d.classes = max(2, d.breaks.intervals())
		}
		if earlier.Count > 0 {
			d.classes, d.way = max(2, earlier.Count), wayOf(earlier.By)
		}
	}
	d.needK = s.K
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

func (d *recodeIntervals) Title() string { return "Recode " + d.variable }

func (d *recodeIntervals) Typing() bool { return d.ends != nil || d.label != nil }

func (d *recodeIntervals) Keys() []key.Binding {
	k := d.keys
	if d.Typing() {
		if d.label != nil {
			return []key.Binding{bind("enter", "take the label", "enter"), bind("esc", "as it was", "esc")}
		}
		if d.typed != nil {
			return []key.Binding{bind("esc", "as they were", "esc")}
		}
		return []key.Binding{bind("enter", "apply", "enter"), bind("tab", "keep the ends", "tab"), bind("esc", "as they were", "esc")}
	}
	return []key.Binding{k.choose, k.move, k.jump, k.add, k.remove, k.ends, k.widths, k.groups, k.logarithms, k.round, k.fewer,
		k.top, k.bottom, k.outside, k.label, k.form, k.coding, k.rounding, k.hierarchy, k.suggest, k.read, k.write, k.apply, k.cancel}
}

func digitKeys() []string { return strings.Split("0123456789", "") }

// HandleKey edits the ends; enter applies, also while the ends are typed.
func (d *recodeIntervals) HandleKey(msg tea.KeyPressMsg, s views.State) Effect {
	d.hint = ""
	switch {
	case d.label != nil:
		d.typeLabel(msg)
		return Stay{}
	case d.ends != nil:
		return d.typeEnds(msg)
	}
	k := d.keys
	switch {
	case key.Matches(msg, k.apply):
		return Apply{Step: d.step()}
	case key.Matches(msg, k.cancel):
		return Close{}
	case key.Matches(msg, k.label):
		at := d.breaks.at
		d.label = views.NewTextField(d.labels()[at])
	default:
		if dialog := d.other(msg, s); dialog != nil {
			return Swap{Dialog: dialog}
		}
		d.edit(msg)
	}
	return Stay{}
}

// other returns the dialog that a key leads to; nil: none.
func (d *recodeIntervals) other(msg tea.KeyPressMsg, s views.State) Dialog {
	k, step := d.keys, d.step()
	switch {
	case key.Matches(msg, k.form):
		return newRecodeGroups(s, currentColumn(s, d.variable))
	case key.Matches(msg, k.coding):
		at := d.breaks.at
		if at == 0 { // nobody top-codes at the first end: begin with the last one
			at = len(d.breaks.upper) - 1
		}
		_, end := d.breaks.bounds(max(0, at))
		return newCoding(s, d.variable, &end)
	case key.Matches(msg, k.rounding):
		return newRounding(s, d.variable, max(1, roundStep((d.breaks.highest()-d.breaks.lowest())/20)))
	case key.Matches(msg, k.hierarchy) && !d.breaks.whole:
		d.hint = "numbers with decimals are no codes: they have no hierarchy"
	case key.Matches(msg, k.hierarchy):
		return newRecodeHierarchy(s, currentColumn(s, d.variable), d)
	case key.Matches(msg, k.suggest) && !slices.Contains(s.Scenario.Keys, d.variable):
		d.hint = "only recodes of key variables are suggested: others have no violators"
	case key.Matches(msg, k.suggest):
		return newSuggestions(s, d.variable, d)
	case key.Matches(msg, k.read):
		return newRecodeReading(s, d.variable, d)
	case key.Matches(msg, k.write):
		return newRecodeWriting(s, d.variable, &step, d)
	}
	return nil
}

// edit carries out the keys that change the ends.
func (d *recodeIntervals) edit(msg tea.KeyPressMsg) {
	k, b := d.keys, d.breaks
	forward := slices.Contains([]string{"right", "l", "shift+right", ">", "down", "j"}, msg.String())
	by := -1
	if forward {
		by = 1
	}
	switch {
	case key.Matches(msg, k.choose):
		b.choose(by)
	case key.Matches(msg, k.move):
		d.move(by)
	case key.Matches(msg, k.jump):
		d.move(10 * by)
	case key.Matches(msg, k.add):
		b.add()
	case key.Matches(msg, k.remove):
		b.remove()
	case key.Matches(msg, k.fewer):
		d.resize(msg.String() == "+" || msg.String() == "=")
	case key.Matches(msg, k.top):
		b.top()
	case key.Matches(msg, k.bottom):
		b.bottom()
	case key.Matches(msg, k.outside):
		d.hint = b.leaveOut()
	case key.Matches(msg, k.ends):
		d.before = slices.Clone(b.upper)
		d.ends = views.NewTextField("")
		d.typeEnds(msg)
	default:
		d.make(msg)
	}
}

// move moves the chosen end; what becomes of the labels beside it is said.
func (d *recodeIntervals) move(by int) {
	if lost := d.breaks.move(by); lost != "" {
		d.hint = fmt.Sprintf("the label %s names numbers, which are others now: it was made anew; e edits it", lost)
	}
}

// make carries out the keys that make all ends anew.
func (d *recodeIntervals) make(msg tea.KeyPressMsg) {
	k := d.keys
	var way breaksWay
	switch {
	case key.Matches(msg, k.round):
		way = roundWidths
	case key.Matches(msg, k.widths):
		way = equalWidths
	case key.Matches(msg, k.groups):
		way = equalGroups
	case key.Matches(msg, k.logarithms) && !(d.breaks.lowest() > 0):
		d.hint = "values that are not above 0 have no logarithm"
		return
	case key.Matches(msg, k.logarithms):
		way = logarithmicWidths
	default:
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

// labels returns the labels of all intervals as they would be.
func (d *recodeIntervals) labels() []string {
	return d.breaks.allLabels()
}

func (d *recodeIntervals) step() session.StepSpec {
	return stepOf("recode-intervals", d.breaks.method(d.variable))
}

// Question asks for the figures after the recode as it stands.
func (d *recodeIntervals) Question() *Question {
	return &Question{Step: d.step(), NeedK: d.needK}
}

// stepOf returns the step of a method with its parameters set. Where they cannot
// be written down the step says so: the what-if shows it, and it is not made.
func stepOf(name string, m method.Method) session.StepSpec {
	step, err := session.NewSpec(name, m, 0)
	if err != nil {
		return session.StepSpec{Step: name, Problem: err}
	}
	return step
}

// currentColumn returns a variable as it is now; nil where there is none.
func currentColumn(s views.State, variable string) *microdata.Column {
	column, _ := s.Current.Data.Column(variable)
	return column
}
