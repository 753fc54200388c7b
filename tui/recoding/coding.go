package recoding

import (
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// thresholdSteps is the number of key presses from one end of the values to the other,
// roughly.
const thresholdSteps = 60

// distribution is the form of a recode of ordered values, with a picture of their
// distribution under the fields.
type distribution struct {
	dialogs.StepDialog
	tails views.Cache[*microdata.Column, *profile.Tails]
}

// begin opens the form; where the variable was chosen before, what moves is in focus.
func (d *distribution) begin(s views.State, spec method.Spec, m method.Method, self dialogs.Parts) {
	if d.Begin(s, spec, m, self); d.Named("variable").Value() == s.Selected.Variable {
		d.At = 1
	}
}

// look returns the distribution of a variable as it is; nil where it has no order or no
// value.
func (d *distribution) look(s views.State, variable string) *profile.Tails {
	column := s.Current.Column(variable)
	if column == nil || !column.Numeric() && !column.Categories().Ordered || column.Categories().Occurring() == 0 {
		return nil
	}
	return *d.tails.Look(column, func() *profile.Tails {
		weights, err := s.Scenario.Weights(s.Current.Data)
		if err != nil {
			weights = nil // the Variables page says what is wrong with them
		}
		return profile.NewTails(column, weights)
	})
}

// share says how many of the records with a value, and how many of the population, there are.
func share(s views.State, t *profile.Tails, records int, population float64) string {
	all, people := t.All()
	return fmt.Sprintf("%s (%s)", wording.Counted(records, "record"), wording.Percent(records, max(1, all))) +
		dialogs.Weighted(s, population, people)
}

// coding is the dialog of top and bottom coding: while a threshold moves, the values
// beyond it are counted and drawn.
type coding struct {
	distribution
	method *recode.TopBottom
}

func newTailCoding(s views.State, spec method.Spec, m *recode.TopBottom) dialogs.Dialog {
	d := &coding{method: m}
	d.begin(s, spec, m, d)
	for _, t := range m.Sides() {
		number, level := d.Named(t.Name), d.Named(t.Name+"_level")
		number.Means = func(s views.State) string {
			if *t.Threshold == nil {
				return ""
			}
			return s.Meaning([]string{method.FormatNumber(**t.Threshold)}, m.Variable)
		}
		number.Change = func(by int) {
			if d.categories(s) == nil { // a number between intervals is typed; their names are moved
				d.move(s, t, by*d.stride(s))
			}
		}
		number.Hidden = func() bool { return !d.numbers(s) }
		level.Change = func(by int) { d.move(s, t, by) }
		level.Hidden = func() bool { return d.categories(s) == nil }
		d.Named(t.Name + "_value").Hidden = func() bool { return m.Replacement != recode.ReplaceByValue }
	}
	return d
}

// categories returns the variable where it has ordered categories; nil: it has numbers,
// or no order.
func (d *coding) categories(s views.State) *microdata.Column {
	column := s.Current.Column(d.method.Variable)
	if column == nil || column.Numeric() || !column.Categories().Ordered {
		return nil
	}
	return column
}

// numbers reports whether a threshold can be a number: of categories too that are all
// intervals.
func (d *coding) numbers(s views.State) bool {
	column := d.categories(s)
	if column == nil {
		return true
	}
	_, spans := microdata.Spans(column.Categories().Levels)
	return spans
}

// stride is the number of values that an arrow moves a threshold by.
func (d *coding) stride(s views.State) int {
	if t := d.look(s, d.method.Variable); t != nil {
		return max(1, len(t.Values)/thresholdSteps)
	}
	return 1
}

// move moves a threshold by so many values, of categories by so many names. One there is
// none of begins at its end of the values, where it is given up again.
func (d *coding) move(s views.State, t recode.Side, by int) {
	tails := d.look(s, d.method.Variable)
	if tails == nil {
		return
	}
	values, categories := tails.Values, d.categories(s) != nil
	end := 0
	if t.Name == "top" {
		end = len(values) - 1
	}
	x := values[end].Value
	if at := slices.IndexFunc(values, func(v profile.TailValue) bool { return v.Label == *t.Level }); categories && at >= 0 {
		x = values[at].Value
	} else if !categories && *t.Threshold != nil {
		x = **t.Threshold
	}
	at := profile.Further(len(values), func(i int) float64 { return values[i].Value }, x, by)
	switch *t.Threshold, *t.Level = nil, ""; {
	case at == end:
	case categories:
		*t.Level = values[at].Label
	default:
		x = values[at].Value
		*t.Threshold = &x
	}
}

// Acts moves the threshold by one value.
func (d *coding) Acts(s views.State) []views.KeyAction {
	for _, t := range d.method.Sides() {
		if d.Field() == d.Named(t.Name) {
			return []views.KeyAction{views.Presses("shift+←→", "one value at a time", dialogs.Turns(func(by int) { d.move(s, t, by) }), "shift+left", "shift+right")}
		}
	}
	return nil
}

// inDistribution returns the thresholds as values of the distribution, of categories the
// places of the last that stay; nil where there is none.
func (d *coding) inDistribution(s views.State) (bottom, top *float64) {
	column := s.Current.Column(d.method.Variable)
	m, err := d.method.Weigh(method.Input{Data: s.Current.Data, Scenario: s.Scenario}, column)
	if err != nil {
		m = d.method // without thresholds that are found by the population
	}
	if d.categories(s) == nil {
		return m.Bottom, m.Top
	}
	var last [2]*float64
	for i, side := range m.Sides() {
		if place, err := m.Last(column, side); err == nil && side.Given() {
			code := float64(place + 1)
			last[i] = &code
		}
	}
	return last[1], last[0]
}

// Under counts what lies beyond the thresholds, and draws it.
func (d *coding) Under(s views.State, width, height int) []string {
	lines := d.StepDialog.Under(s, width, height)
	t := d.look(s, d.method.Variable)
	if t == nil || d.Problem() != nil {
		return lines
	}
	bottom, top := d.inDistribution(s)
	for _, side := range []struct {
		name  string
		at    *float64
		count func(x float64) (int, float64)
	}{{"above", top, t.Above}, {"below", bottom, t.Below}} {
		if side.at != nil {
			records, population := side.count(*side.at)
			text := side.name + " it: " + share(s, t, records, population)
			lines = append(lines, s.Theme.Changed.Wrapped(text, width)...)
		}
	}
	column := s.Current.Column(d.method.Variable)
	return draw.Under(lines, TailPicture(s, column, t, bottom, top, width, height-len(lines)-1))
}

// Rows counts the fields, the help and the picture.
func (d *coding) Rows() int { return 30 }
