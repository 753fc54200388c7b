package tui

import (
	"bytes"
	"cmp"
	"context"
	"reflect"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// activeMeasure is an active measure.
type activeMeasure struct {
	views.Opened
	of, next measureInput // the inputs of its figures and of those being computed
}

// measureInput is the input of a measure.
type measureInput struct {
	data     *microdata.Dataset
	scenario *microdata.Scenario
}

// is reports whether two inputs have the same data and equal scenarios.
func (l measureInput) is(other measureInput) bool {
	return l.data == other.data && reflect.DeepEqual(l.scenario, other.scenario)
}

// wanted reports whether the figures have to be computed.
func (o *activeMeasure) wanted() bool {
	return (o.Stale || o.Current == nil) && !o.Stopped && o.Err == nil
}

// syncMeasures takes over the active measures of the session.
func (b *workbench) syncMeasures(catalog measure.Catalog) {
	var open []*activeMeasure
	for _, spec := range b.doc.Measures() {
		at := slices.IndexFunc(b.measures,
			func(o *activeMeasure) bool { return o.Spec.Name == spec.Name && bytes.Equal(o.Params, spec.Params) })
		if at >= 0 {
			open = append(open, b.measures[at])
			continue
		}
		found, ok := catalog.Find(spec.Name)
		if !ok {
			found.Name, found.Title = spec.Name, spec.Name
		}
		open = append(open, &activeMeasure{Opened: views.Opened{Spec: found, Params: spec.Params}})
	}
	b.measures = open
}

// measuresBehind marks figures of active measures as stale if their data or scenario are not those of the session.
// They will be computed again.
func (m *Model) measuresBehind() {
	b := m.bench
	now := measureInput{b.doc.Data(), b.scenario}
	for _, o := range b.measures {
		runs := m.measuring.RunsFor(o)
		if runs && o.next.is(now) {
			continue
		}
		if runs {
			m.measuring.Drop()
			o.Meter = nil
		}
		if o.of.is(now) {
			o.Stale = false
		} else {
			o.Stale, o.Stopped, o.Err = o.Current != nil, false, nil
		}
	}
}

// measure computes the next active measure that needs it, one after the other, on the current data.
func (m *Model) measure() {
	b := m.bench
	at := slices.IndexFunc(b.measures, (*activeMeasure).wanted)
	if at < 0 || m.measuring.Runs() {
		return
	}
	o := b.measures[at]
	analyst, now, place, node := b.analyst, measureInput{b.doc.Data(), b.scenario}, b.place(), b.doc.Node()
	o.next = now
	spec := session.MeasureSpec{Name: o.Spec.Name, Params: o.Params}
	m.begin(&m.measuring, o, func(ctx context.Context, meter *progress.Meter) func() {
		found, err := analyst.Measure(ctx, now.data, now.scenario, spec, meter)
		return func() {
			if o.of, o.Stale, o.Err, o.Meter = now, false, err, nil; err == nil {
				o.Original, o.Current, o.Of = found.Original, found.Current, place
				b.keepFigures(node, now.scenario, measure.Set{*found.Current})
				if now.data.Records() == b.doc.Base().Records() {
					b.keepFigures(0, now.scenario, measure.Set{*found.Original})
				}
			}
			m.measure()
			m.checkLesson()
		}
	})
	o.Meter, o.Since = m.measuring.Meter, m.measuring.Started
}

// place names the position of the session.
func (b *workbench) place() string {
	if b.doc.Position() == 0 {
		return "the original data"
	}
	return "step " + draw.Count(b.doc.Position())
}

// openMeasure activates a measure and shows it.
func (m *Model) openMeasure(spec session.MeasureSpec) {
	b := m.bench
	if m.failed(b.doc.OpenMeasure(spec)) {
		return
	}
	m.measuring.Drop()
	b.syncMeasures(m.options.Measures)
	b.forgetMeasure(spec.Name)
	for _, o := range b.measures {
		if o.Spec.Name == spec.Name {
			o.Stopped, o.Err = false, nil // a file it reads may have changed
			o.Stale = o.Current != nil
		}
	}
	m.closeDialog()
	if pane, ok := b.focused().(*views.MeasurePane); !ok || !pane.IsOf(spec.Name) {
		m.do(views.ShowMeasure{Name: spec.Name})
	}
	m.measure()
}

// closeMeasure deactivates a measure; a pane that shows only this measure is closed.
func (m *Model) closeMeasure(name string) {
	b := m.bench
	if m.failed(b.doc.CloseMeasure(name)) {
		return
	}
	if owner, ok := m.measuring.Owner.(*activeMeasure); ok && m.measuring.Runs() && owner.Spec.Name == name {
		m.measuring.Drop()
	}
	b.syncMeasures(m.options.Measures)
	if pane, ok := b.focused().(*views.MeasurePane); ok && pane.IsOf(name) && len(b.drill) > 0 {
		b.back()
	}
	m.measure()
}

// stopMeasure stops the computation of a measure, or restarts a stopped one.
func (m *Model) stopMeasure(name string) {
	for _, o := range m.bench.measures {
		if o.Spec.Name != name {
			continue
		}
		if o.wanted() {
			if m.measuring.RunsFor(o) {
				m.measuring.Drop()
			}
			o.Stopped, o.Meter = true, nil
		} else {
			o.Stopped, o.Err = false, nil
		}
	}
	m.measure()
}

// computeMeasure activates a measure with its defaults. If they do not fit, or the measure is active already, it
// opens the dialog.
func (m *Model) computeMeasure(name string) {
	dialog, ok := m.measureDialog(name).(*dialogs.Measure)
	if ok && m.state().Measured(name) == nil {
		if made, ok := dialog.Ready(m.state()); ok {
			m.openMeasure(made)
			return
		}
	}
	m.do(views.OpenMeasure{Name: name})
}

// measureDialog opens the dialog of a measure, with its parameters if it is active.
func (m *Model) measureDialog(name string) dialogs.Dialog {
	spec, ok := m.options.Measures.Find(name)
	if !ok {
		return nil
	}
	for _, o := range m.bench.measures {
		if o.Spec.Name == name {
			return dialogs.NewMeasure(m.state(), spec, o.Params)
		}
	}
	return dialogs.NewMeasure(m.state(), spec, nil)
}

// measuringLine shows which measure is being computed, and its progress.
func (m *Model) measuringLine(s views.State, width int) string {
	o, ok := m.measuring.Owner.(*activeMeasure)
	if !ok {
		return ""
	}
	title := " " + o.Spec.Title + ":"
	if line := views.Underway(s, o.Meter, o.Since, max(0, width-draw.Width(title))); line != "" {
		return m.theme.Faint.Render(title) + line
	}
	return ""
}

// measureCommands returns the command that lists all measures, and one for each measure, so that all are in the
// palette.
func measureCommands(measures measure.Catalog) []command {
	all := []command{{binding: draw.Bind("m", "measures"), name: "Activate a measure with its parameters",
		words: "figures risk loss utility", do: (*Model).openMeasures}}
	for _, spec := range measures {
		all = append(all, command{binding: draw.Bind("", spec.Title), name: "Measure: " + spec.Title,
			words: spec.Name, help: spec.Help, reason: notOfGroups(spec),
			do: func(m *Model) { m.do(views.OpenMeasure{Name: spec.Name}) }})
	}
	return all
}

// openMeasures lists all measures, active ones first.
func (m *Model) openMeasures() {
	var entries []dialogs.PaletteEntry
	isOpen := func(name string) bool {
		return slices.ContainsFunc(m.bench.measures, func(o *activeMeasure) bool { return o.Spec.Name == name })
	}
	for _, o := range m.bench.measures {
		entries = append(entries, dialogs.PaletteEntry{Name: "Active: " + cmp.Or(o.Spec.Title, o.Spec.Name),
			Words:   []string{o.Spec.Name},
			Command: func() { m.do(views.ShowMeasure{Name: o.Spec.Name}) }})
	}
	for _, spec := range m.options.Measures {
		if !isOpen(spec.Name) {
			entries = append(entries, dialogs.PaletteEntry{Name: wording.Capital(spec.Title), Words: append(dialogs.Synonyms(spec.Title), spec.Name), Reason: notOfGroups(spec)(m),
				Command: func() { m.do(views.OpenMeasure{Name: spec.Name}) }})
		}
	}
	m.dialog = dialogs.NewPalette("Measures", entries)
}
