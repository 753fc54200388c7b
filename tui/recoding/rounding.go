package recoding

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// rounding is the dialog of rounding: while the base moves, the values that are left and
// the records that change are counted, and the distribution is drawn.
type rounding struct {
	distribution
	method *recode.Round
	found  views.Cache[roundedBy, *rounded]
}

func newRounding(s views.State, spec method.Spec, m *recode.Round) dialogs.Dialog {
	d := &rounding{method: m}
	d.begin(s, spec, m, d)
	base := d.Named("base")
	base.Help = "Numbers become multiples of this, such as 5 or 0.5. Arrows go along 1, 2, 5, 10, 20, …"
	base.Change = func(by int) {
		if m.Base > 0 && by > 0 {
			m.Base = profile.RoundStep(1.2 * m.Base)
		} else if m.Base > 0 {
			m.Base = profile.RoundStep(m.Base / 3)
		}
	}
	return d
}

// roundedBy is a distribution and the base by which it is rounded.
type roundedBy struct {
	of   *profile.Tails
	base float64
}

// rounded is what a base makes of the values.
type rounded struct {
	values  *profile.Tails
	records int     // that change
	people  float64 // that they stand for
	most    float64 // by which they change at most
}

// round returns what the base makes of the values of a column; nil where it cannot.
func (d *rounding) round(column *microdata.Column, t *profile.Tails) *rounded {
	r, err := d.method.Regroup(method.Input{}, column)
	if err != nil {
		return nil
	}
	becomes := map[float64]float64{}
	for i, level := range column.Categories().Levels {
		becomes[level.Value] = r.Levels[r.Mapping[i+1]-1].Value
	}
	found := &rounded{values: t.Mapped(func(x float64) float64 { return becomes[x] })}
	records, people := 0, 0.0
	for _, v := range t.Values {
		if change := becomes[v.Value] - v.Value; change != 0 {
			found.records, found.people = found.records+v.Records-records, found.people+v.Population-people
			found.most = max(found.most, change, -change)
		}
		records, people = v.Records, v.Population
	}
	return found
}

// Under says how many values are left and how many records change, and draws the
// rounded values.
func (d *rounding) Under(s views.State, width, height int) []string {
	lines := d.StepDialog.Under(s, width, height)
	column, t := s.Current.Column(d.method.Variable), d.look(s, d.method.Variable)
	if t == nil || d.Problem() != nil {
		return lines
	}
	found := *d.found.Look(roundedBy{t, d.method.Base}, func() *rounded { return d.round(column, t) })
	if found == nil {
		return lines
	}
	text := fmt.Sprintf("%s become %s; %s change, by at most %s", wording.Counted(len(t.Values), "value"),
		wording.Number(len(found.values.Values)), share(s, t, found.records, found.people), method.FormatNumber(found.most))
	lines = append(lines, s.Theme.Changed.Wrapped(text, width)...)
	s.Bare = true // what a code means is not true of those that are rounded to it
	return draw.Under(lines, TailPicture(s, column, found.values, nil, nil, width,
		height-len(lines)-1))
}

// Rows counts the fields, the help and the picture.
func (d *rounding) Rows() int { return 26 }
