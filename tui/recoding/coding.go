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

// tails keeps the distribution of the variable that a dialog is about.
type tails struct {
	of    *microdata.Column
	found *profile.Tails
}

// look returns the distribution of a variable as it is; nil where it has no order.
func (k *tails) look(s views.State, variable string) *profile.Tails {
	column := dialogs.CurrentColumn(s, variable)
	if column == nil || !column.Numeric() && !column.Categories().Ordered {
		return nil
	}
	if k.of != column {
		weights, err := s.Scenario.Weights(s.Current.Data)
		if err != nil {
			weights = nil // the Variables page says what is wrong with them
		}
		k.of, k.found = column, profile.NewTails(column, weights)
	}
	return k.found
}

// beyond says how many records, and how many of the population, lie somewhere.
func (k *tails) beyond(s views.State, records int, population float64) string {
	all, people := k.found.All()
	text := fmt.Sprintf("%s (%s)", wording.Counted(records, "record"), wording.Percent(records, max(1, all)))
	if s.Scenario.Weight != "" && people > 0 {
		text += fmt.Sprintf(", weighted %s (%.3f %%)", wording.Amount(population), 100*population/people)
	}
	return text
}

// coding is the dialog of top and bottom coding: while a threshold moves, the values
// beyond it are counted and drawn.
type coding struct {
	dialogs.StepDialog
	method *recode.TopBottom
	tails  tails
}

// newTailCoding opens the dialog.
func newTailCoding(s views.State, spec method.Spec, m *recode.TopBottom) dialogs.Dialog {
	d := &coding{method: m}
	d.Begin(s, spec, m, d)
	for name, at := range map[string]**float64{"top": &m.Top, "bottom": &m.Bottom} {
		field := d.Named(name)
		field.Means = func(s views.State) string {
			if *at == nil {
				return ""
			}
			return s.Meaning([]string{method.FormatNumber(**at)}, m.Variable)
		}
		field.Change = func(by int) { d.move(s, by*d.stride(s)) }
		field.Hidden = func() bool { return !d.numbers(s) }
	}
	for _, name := range []string{"top_level", "bottom_level"} {
		field := d.Named(name)
		field.Change = func(by int) { d.move(s, by) }
		field.Hidden = func() bool { return d.categories(s) == nil }
	}
	for _, name := range []string{"top_value", "bottom_value"} {
		d.Named(name).Hidden = func() bool { return m.Replacement != recode.ReplaceByValue }
	}
	if m.Variable == s.Selected.Variable {
		d.At = 1 // the variable was chosen: a threshold is what moves
	}
	return d
}

// categories returns the variable where it has ordered categories; nil: it has numbers,
// or no order.
func (d *coding) categories(s views.State) *microdata.Column {
	column := dialogs.CurrentColumn(s, d.method.Variable)
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
	if t := d.tails.look(s, d.method.Variable); t != nil {
		return max(1, len(t.Values)/thresholdSteps)
	}
	return 1
}

// move moves the threshold in focus by so many values. One there is none of begins at
// its end of the values, where it is given up again.
func (d *coding) move(s views.State, by int) {
	t, field := d.tails.look(s, d.method.Variable), d.Field()
	if t == nil || len(t.Values) == 0 {
		return
	}
	last := len(t.Values) - 1
	switch field {
	case d.Named("top"), d.Named("bottom"):
		at, end := &d.method.Top, t.Values[last].Value
		if field == d.Named("bottom") {
			at, end = &d.method.Bottom, t.Values[0].Value
		}
		if d.categories(s) != nil {
			return // between intervals it is typed; their names are moved
		}
		was := end
		if *at != nil {
			was = **at
		}
		if to := t.Moved(was, by); to == end {
			*at = nil
		} else {
			*at = &to
		}
	case d.Named("top_level"), d.Named("bottom_level"):
		at, end := &d.method.TopLevel, last
		if field == d.Named("bottom_level") {
			at, end = &d.method.BottomLevel, 0
		}
		place := slices.IndexFunc(t.Values, func(v profile.TailValue) bool { return v.Label == *at })
		if place < 0 {
			place = end
		}
		if place = max(0, min(last, place+by)); place == end {
			*at = ""
		} else {
			*at = t.Values[place].Label
		}
	}
}

// Acts moves the threshold by one value.
func (d *coding) Acts(s views.State) []dialogs.Act {
	if field := d.Field(); field != d.Named("top") && field != d.Named("bottom") {
		return nil
	}
	return []dialogs.Act{dialogs.NewAct("shift+←→", "one value at a time", dialogs.Turns(func(by int) { d.move(s, by) }), "shift+left", "shift+right")}
}

// thresholds returns them as values of the distribution; nil: there is none, or it is
// found by the population.
func (d *coding) thresholds(s views.State, t *profile.Tails) (bottom, top *float64) {
	m := *d.method
	if m.BottomPopulation != nil || m.TopPopulation != nil {
		column := dialogs.CurrentColumn(s, m.Variable)
		weighed, err := m.Weigh(method.Input{Data: s.Current.Data, Scenario: s.Scenario}, column)
		if found, ok := weighed.(*recode.TopBottom); ok && err == nil {
			m = *found
		}
	}
	if column := d.categories(s); column != nil {
		return d.place(column, t, m.Bottom, m.BottomLevel, -1), d.place(column, t, m.Top, m.TopLevel, 1)
	}
	return m.Bottom, m.Top
}

// place returns the place of the last category that stays on a side: the top one by
// sign 1, the bottom one by -1.
func (d *coding) place(column *microdata.Column, t *profile.Tails, threshold *float64, label string, sign int) *float64 {
	spans, ok := microdata.Spans(column.Categories().Levels)
	var found *float64
	for i := range t.Values {
		v := &t.Values[i]
		code := int(v.Value) - 1
		stays := v.Label == label
		if threshold != nil && ok {
			stays = !spans[code].Above(*threshold) && sign > 0 || !spans[code].Below(*threshold) && sign < 0
		}
		if stays && (found == nil || sign > 0) {
			found = &v.Value
		}
	}
	return found
}

// Under counts what lies beyond the thresholds, and draws it.
func (d *coding) Under(s views.State, width, height int) []string {
	lines := d.StepDialog.Under(s, width, height)
	t := d.tails.look(s, d.method.Variable)
	if t == nil || len(t.Values) == 0 || d.Problem() != nil {
		return lines
	}
	bottom, top := d.thresholds(s, t)
	for _, side := range []struct {
		name  string
		at    *float64
		count func(x float64) (int, float64)
	}{{"above", top, t.Above}, {"below", bottom, t.Below}} {
		if side.at != nil {
			records, population := side.count(*side.at)
			text := side.name + " it: " + d.tails.beyond(s, records, population)
			lines = append(lines, draw.Wrapped(s.Theme.Changed.Render, text, width)...)
		}
	}
	column := dialogs.CurrentColumn(s, d.method.Variable)
	picture := TailPicture(s, column, t, bottom, top, width, height-len(lines)-1)
	if len(picture) > 0 {
		lines = append(append(lines, ""), picture...)
	}
	return lines
}

// Rows counts the fields, the help and the picture.
func (d *coding) Rows() int { return 30 }
