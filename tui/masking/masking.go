package masking

import (
	"math"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	numericview "github.com/sdcdesk/sdcdesk/views/numeric"
)

// masking is the dialog of a method that masks numeric variables: its parameters, risk and information loss next
// to them and over the strength parameter, and the values of a variable after the step.
type masking struct {
	dialogs.StepDialog
	picture    *numericview.Masking
	at         int // index of the variable that is drawn
	curve      curve
	chosen     int  // index of the picture under the fields
	asked      bool // the user has chosen one
	sideBySide bool // curve and map are next to the fields
	// what-ifs on a sample for other values of the parameter; sampledOf identifies their step
	sampled   []*tradeoff.Figures
	sampledOf string
}

var (
	_ views.Seeker    = (*masking)(nil)
	_ dialogs.Grading = (*masking)(nil)
)

// NewForm opens the form of a method that masks values, or returns nil for other methods.
func NewForm(s views.State, spec method.Spec, m method.Method) dialogs.Dialog {
	if m, ok := m.(*pram.PRAM); ok {
		return newPRAM(s, spec, m)
	}
	if _, ok := method.Masked(m); ok {
		return newMasking(s, spec, m)
	}
	return nil
}

func newMasking(s views.State, spec method.Spec, m method.Method) dialogs.Dialog {
	d := &masking{picture: numericview.NewMasking(), curve: curve{spec: spec}}
	d.Begin(s, spec, m, d)
	return d
}

// Acts returns the keys that choose what is drawn, and continue a search.
func (d *masking) Acts(s views.State) []views.KeyAction {
	return append(d.pictured(), d.StepDialog.Acts(s)...)
}

// pictured returns the keys of the pictures.
func (d *masking) pictured() []views.KeyAction {
	return []views.KeyAction{
		views.Presses("shift+↑↓", "change plot", dialogs.Turns(func(by int) { d.chosen, d.asked = d.chosen+by, true }), "shift+up",
			"shift+down"),
		views.Presses("shift+←→", "change variable", dialogs.Turns(func(by int) { d.at += by }), "shift+left", "shift+right"),
	}
}

// HandleKey handles the keys of the pictures, even while a field is typed, and passes the others to the fields.
func (d *masking) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	if action := views.CarryOut(d.pictured(), msg, s); action != nil {
		return action
	}
	return d.StepDialog.HandleKey(msg, s)
}

// Answer takes the answer to the latest question, or a part of it.
func (d *masking) Answer(a dialogs.Answer) {
	d.StepDialog.Answer(a)
	if a.WhatIf == nil || a.WhatIf.Masking == nil || a.Pending {
		return
	}
	then := a.WhatIf.Masking.Then
	if d.followed() && then.Sample == 0 {
		d.curve.take(d.curve.of, then, 0)
	}
	if of := d.base(); of != d.sampledOf {
		d.sampled, d.sampledOf = nil, of
	}
	if then.Sample > 0 && len(d.sampled) < mostKnown {
		d.sampled = append(d.sampled, then)
	}
}

// base identifies the step without the value of the strength parameter.
func (d *masking) base() string {
	if d.followed() {
		return keyOf(d.curve.rows[0].step)
	}
	return keyOf(d.Step())
}

// followed updates the curve to the fields; it returns false if there is none.
func (d *masking) followed() bool {
	if d.curve.spec.Grades == nil || d.Problem() != nil {
		return false
	}
	step, ok := d.Made()
	if !ok {
		return false
	}
	d.curve.follow(d.Method, step, d.Searches())
	return len(d.curve.rows) > 0
}

// Wanted returns the next step of the curve.
func (d *masking) Wanted(data *microdata.Dataset) *session.StepSpec {
	d.curve.on(data)
	if known := d.Known; known.WhatIf == nil || known.Pending || known.Err != nil || !d.followed() {
		if known.Pending && d.followed() { // while a key is held, a curve is continued but not started
			return d.curve.wanted()
		}
		return nil
	}
	return d.curve.wanted()
}

// Tried takes the figures of a step of the curve.
func (d *masking) Tried(step session.StepSpec, found *tradeoff.Figures, err error, took time.Duration) {
	if err != nil {
		found = nil
	}
	d.curve.take(step, found, took)
}

// View draws the fields with a picture under them; risk and information loss of the step are next to them, or in
// three lines below.
func (d *masking) View(s views.State, width, height int) string {
	d.sideBySide = width >= dialogs.WideDialog && height >= sideHeight && d.followed()
	return dialogs.NextToFigures(s, func(width, height int) string { return d.figures(s, width, height) }, width, height,
		func(width, height int) []string {
			return d.WithUnder(s, width, height, func(room int) []string {
				if d.compact() { // the picture is more important than the help and the last fields
					room = max(room, height-min(len(d.Visible()), leastFields)-1)
				}
				return d.Under(s, width, room)
			})
		})
}

// compact reports whether to show a picture despite little room: the user has chosen one, or the strength
// parameter is in focus.
func (d *masking) compact() bool {
	return !d.sideBySide && (d.asked || d.followed() && d.Field() == d.Named(d.curve.param))
}

const (
	leastFields  = 5  // minimum number of fields above a picture
	leastPicture = 8  // minimum height
	sideHeight   = 30 // height from which curve and map are next to the fields
)

// figures draws risk and information loss of the step, and the curve and the map if there is room.
func (d *masking) figures(s views.State, width, height int) string {
	lines := views.NumberFigures(s, d.Shown(), width, height)
	if len(lines) == 0 {
		return views.WhatIfBlock(s, d.Shown(), width, height)
	}
	if d.sideBySide && len(lines) < height {
		curve := d.curve.drawn(d.once()).Lines(s, width, height-len(lines))
		picture := d.tradeMap(s, width, height-len(lines)-len(curve)-1)
		if len(curve) > 0 && len(picture) > 0 {
			curve = append(curve, "")
		}
		lines = append(append(lines, curve...), picture...)
	}
	return draw.Exactly(strings.Join(lines, "\n"), width, height)
}

// once returns the estimated time of a grade on all records, based on that of the what-if; 0: unknown.
func (d *masking) once() time.Duration {
	known := d.Known.WhatIf
	if known == nil || d.Searches() {
		return 0
	}
	if known.Sample == 0 || d.curve.data == nil {
		return known.Elapsed
	}
	n, of := float64(d.curve.data.Len()), float64(known.Sample)
	return time.Duration(float64(known.Elapsed) * n / of * math.Log(n) / math.Log(of)) // sorting and trees take n log n
}

// tradeMap draws the step on the risk-utility map, among others of the same records.
func (d *masking) tradeMap(s views.State, width, height int) []string {
	if d.Known.WhatIf == nil || d.Known.WhatIf.Masking == nil {
		return nil
	}
	m := numericview.TradeMap{Now: d.Known.WhatIf.Masking.Now, Then: d.Known.WhatIf.Masking.Then, Stale: d.Known.Pending}
	if m.Then.Sample > 0 {
		m.Others = slices.DeleteFunc(slices.Clone(d.sampled), func(f *tradeoff.Figures) bool { return f == m.Then })
	} else if d.followed() {
		m.Others = d.curve.figures()
	}
	return m.Lines(s, width, height)
}

// drawn returns the variable that is drawn, before and after the step, in the records of the what-if; ok is false
// if there is none.
func (d *masking) drawn(s views.State) (variable string, before, after *microdata.Dataset, ok bool) {
	known := d.Known.WhatIf
	if known == nil || known.Data == nil || d.Problem() != nil {
		return "", nil, nil, false
	}
	if before = known.Of; before == nil {
		before = s.Current.Data
	}
	if before.Len() != known.Data.Len() {
		return "", nil, nil, false
	}
	masked, _ := method.Masked(d.Method)
	names := slices.DeleteFunc(slices.Clone(masked), func(name string) bool {
		column, there := before.Column(name)
		return !there || !column.Numeric()
	})
	if len(names) == 0 {
		return "", nil, nil, false
	}
	d.at = (d.at%len(names) + len(names)) % len(names)
	return names[d.at], before, known.Data, true
}

// Seek computes what is drawn.
func (d *masking) Seek(s views.State) views.Piece {
	variable, before, after, ok := d.drawn(s)
	if !ok {
		return nil
	}
	d.picture.Scatter = d.pictureShown() == scatter
	return d.picture.Seek(s, variable, before, after)
}

// The pictures under the fields; the first two only if they are not next to the fields.
const (
	curvePicture = iota
	mapPicture
	distribution
	scatter
	pictures
)

// pictureShown returns the chosen picture. If curve and map are not next to the fields, the curve is the default.
func (d *masking) pictureShown() int {
	first := curvePicture
	if d.sideBySide || !d.followed() {
		first = distribution
	}
	n := pictures - first
	return first + (d.chosen%n+n)%n
}

// Under draws the effect of the step, and the picture if there is room.
func (d *masking) Under(s views.State, width, height int) []string {
	lines := d.StepDialog.Under(s, width, height)
	variable, before, after, ok := d.drawn(s)
	if !ok {
		return lines
	}
	s.Stale = s.Stale || d.Known.Pending
	if d.compact() {
		lines = dialogs.Shortened(s.Theme, lines, width, max(1, height-leastPicture-1))
	}
	var picture []string
	switch room := height - len(lines) - 1; d.pictureShown() {
	case curvePicture:
		picture = d.curve.drawn(d.once()).Lines(s, width, room)
	case mapPicture:
		picture = d.tradeMap(s, width, room)
	case distribution, scatter:
		d.picture.Scatter = d.pictureShown() == scatter
		picture = d.picture.Lines(s, variable, before, after, width, room)
	}
	return draw.Under(lines, picture)
}

// Rows returns the number of lines of the fields, the help, the effect of the step and the pictures.
func (d *masking) Rows() int {
	rows := d.StepDialog.Rows() + 16
	if d.followed() {
		rows = max(rows, sideHeight+6)
	}
	return rows
}
