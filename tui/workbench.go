package tui

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/export"
	"github.com/sdcdesk/sdcdesk/tui/pages"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/panes"
)

// workbench is the view of a session: its panes, the selection, and the figures of the current and the original
// data.
type workbench struct {
	doc      *session.Session
	analyst  *session.Analyst
	scenario *microdata.Scenario // that of the session; replaced as a whole, never modified

	scenarios int    // how many there are
	called    string // name of the active scenario if there are several

	panes []views.Pane
	tab   tab
	focus [tabCount]int // index of the focused pane in each tab
	zoom  bool
	large bool         // the screen has room for more panes
	drill []views.Pane // panes opened over the tab, the last one on top

	before map[views.Pane]views.Selection // the selection when each pane of drill was opened

	selected    views.Selection
	k           int
	plans       plans // for key variables
	numberPlans plans
	exporting   *export.Options

	original, current views.Version    // the original and the current state of the current records
	copying           clipboardState   // to the clipboard
	stale             bool             // current belongs to an earlier state of the session
	measures          []*activeMeasure // the active ones
	utility           utility
	tree              []views.Node
	steps             []views.Step // of the current branch
}

// usualK is the default k of the screen if the scenario counts it.
const usualK = 3

// newAnalyst returns the analyst of a workbench. Tests replace it.
var newAnalyst = session.NewAnalyst

// newWorkbench opens a session.
func newWorkbench(doc *session.Session, measures measure.Catalog) *workbench {
	b := &workbench{doc: doc, analyst: newAnalyst().With(measures).For(doc), panes: panes.All(), exporting: export.NewOptions(doc.ExportSettings()),
		selected: views.Selection{Record: -1}, k: usualK}
	b.syncFromSession()
	b.syncMeasures(measures)
	if ks := b.scenario.K; len(ks) > 0 && !slices.Contains(ks, usualK) {
		b.k = ks[0]
		b.syncFromSession()
	}
	b.original = views.Version{Data: doc.Data().Source()}
	b.current = views.Version{Data: doc.Data()}
	if len(b.scenario.Keys) > 0 {
		b.selected.Variable = b.scenario.Keys[0]
	}
	return b
}

// syncFromSession takes over scenario and steps from the session.
func (b *workbench) syncFromSession() {
	scenario := b.doc.Scenario()
	b.scenario, b.called = &scenario, ""
	all := b.doc.Scenarios()
	if b.scenarios = len(all); b.scenarios > 1 {
		for _, one := range all {
			if one.InForce {
				b.called = one.Name
			}
		}
	}
	b.tree, b.steps = nil, nil
	before, records := map[int]map[int]int{0: {}}, map[int]int{0: b.doc.Base().Records()} // by node
	if original := b.original.Assessment; original != nil {
		for _, v := range original.Violators {
			before[0][v.K] = v.Count
		}
	}
	for _, n := range b.doc.Nodes() {
		step := &n.Step
		shown := views.Node{ID: n.ID, Parent: n.Parent, Position: n.Position, Branch: n.Called(), Named: n.Name != "",
			Opens: n.Opens, Current: n.Current, Stands: n.Stands}
		if n.ID > 0 {
			if records[n.ID] = records[n.Parent]; step.Report.Selection != nil {
				records[n.ID] = step.Report.Selection.After
			}
			if was := step.Scenario(); n.NotApplicable != "" || !sameCounting(&was, b.scenario) ||
				records[n.ID] != b.doc.Data().Records() {
				// counted on other key variables or records or by another rule, so not comparable with what is
				// shown
				step.Violators, step.Figures = nil, nil
			}
			shown.Step = viewStep(step, b.k, before[n.Parent])
			shown.NotApplicable = n.NotApplicable
			before[n.ID] = step.Violators
		}
		if b.tree = append(b.tree, shown); n.ID > 0 && n.Current {
			b.steps = append(b.steps, shown.Step)
		}
	}
}

// sameCounting reports whether two scenarios count violators in the same way.
func sameCounting(a, b *microdata.Scenario) bool {
	return slices.Equal(a.Keys, b.Keys) && a.Rule == b.Rule && a.Alpha == b.Alpha
}

// viewStep returns a step as shown in the panes.
func viewStep(step *session.Step, k int, before map[int]int) views.Step {
	shown := views.Step{Name: step.Spec.Step, Params: step.Spec.Params,
		Restores: prepare.Restored(step.Method()), Title: step.Title, Effect: step.Report.Did(),
		Violators: -1, Figures: step.Figures, At: step.At, Report: &step.Report, Meanings: step.Meanings, Said: step.Said}
	if count, ok := step.Violators[k]; ok {
		shown.Violators = count
		if was, ok := before[k]; ok {
			shown.Change = count - was
		}
	}
	return shown
}

// state returns the state that panes and dialogs draw from.
func (m *Model) state() views.State {
	s := views.State{Look: draw.Look{Theme: m.theme}, Now: m.options.Now, Selected: views.Selection{Record: -1},
		Bare: m.bare}
	b := m.bench
	if b == nil {
		return s
	}
	s.File, s.Scenario, s.Original, s.Current = b.doc.Name(), b.scenario, b.original, b.current
	if b.doc.BegunElsewhere() {
		s.Begins = "data that another program changed"
	}
	s.DecimalComma = b.doc.Source().Format().Decimal == ","
	s.Stale, s.Steps, s.Position, s.Tree = b.stale, b.steps, b.doc.Position(), b.tree
	s.Selected, s.K, s.Try = b.selected, b.k, b.tryOn(b.current.Data, b.scenario)
	s.TableSource = func() views.TableSource { return tableSource(b.doc) }
	for _, o := range b.measures {
		s.Measures = append(s.Measures, o.Opened)
	}
	s.StepFigures, s.Axes = b.utility.figures, b.utility.axes
	for _, t := range b.utility.trials {
		s.Trials = append(s.Trials, t.Trial)
	}
	if s.NotApplicable = b.doc.NotApplicable(b.doc.Position()); s.NotApplicable != "" {
		s.Current.Assessment = nil
	}
	return s
}

// tryOn returns a function that computes the result of a step on data.
func (b *workbench) tryOn(data *microdata.Dataset, scenario *microdata.Scenario) func(context.Context, string,
	method.Method) (*whatif.Result, error) {
	analyst := b.analyst
	return func(ctx context.Context, name string, made method.Method) (*whatif.Result, error) {
		step, err := session.NewSpec(name, made, 0)
		if err != nil {
			return nil, err
		}
		return analyst.WhatIf(ctx, data, scenario, step, nil)
	}
}

// pane returns the pane with an ID.
func (b *workbench) pane(id string) views.Pane {
	for _, pane := range b.panes {
		if pane.ID() == id {
			return pane
		}
	}
	return nil
}

// names returns the panes of the open tab.
func (b *workbench) names() []string { return b.tab.names(b.large) }

// at returns the index of the focused pane in the tab, limited because a larger screen may have had more panes.
func (b *workbench) at() int { return min(b.focus[b.tab], len(b.names())-1) }

// focused returns the pane that gets the keys.
func (b *workbench) focused() views.Pane {
	if len(b.drill) > 0 {
		return b.drill[len(b.drill)-1]
	}
	return b.pane(b.names()[b.at()])
}

// enter opens a pane over the tab.
func (b *workbench) enter(pane views.Pane) {
	if b.before == nil {
		b.before = map[views.Pane]views.Selection{}
	}
	b.before[pane] = b.selected
	b.drill = append(b.drill, pane)
}

// back closes the topmost pane and restores the selection of when it was opened.
func (b *workbench) back() {
	last := len(b.drill) - 1
	if was, ok := b.before[b.drill[last]]; ok {
		was.Record = b.selected.Record
		b.selected = was
		delete(b.before, b.drill[last])
	}
	b.drill = b.drill[:last]
}

// turn moves the focus by a number of panes.
func (b *workbench) turn(by int) {
	n := len(b.names())
	b.focus[b.tab] = (b.at() + by + n) % n
}

// choose moves the focus to the pane with a number in the tab.
func (b *workbench) choose(number int) {
	if number >= 1 && number <= len(b.names()) {
		b.focus[b.tab] = number - 1
	}
}

// refresh computes the figures of the session's data. Until they are ready the old ones are shown as stale.
func (m *Model) refresh() {
	b := m.bench
	b.syncFromSession()
	m.renewPicture()
	m.measuresBehind()
	m.trialsBehind()
	if b.current.Data == b.doc.Data() && b.current.Assessment != nil && b.original.Assessment != nil && !b.stale {
		m.figures.Drop()
		m.measure()
		return
	}
	b.stale = true
	analyst, scenario, k, data := b.analyst, b.scenario, b.k, b.doc.Data()
	m.begin(&m.figures, b, func(ctx context.Context, _ *progress.Meter) func() {
		original, current, err := versions(ctx, analyst, data, scenario)
		views.Prepare(original, k)
		views.Prepare(current, k)
		return func() { m.show(original, current, err) }
	})
}

// versions returns the data with all figures, and the original of the same records.
func versions(ctx context.Context, analyst *session.Analyst, data *microdata.Dataset,
	scenario *microdata.Scenario) (original, current views.Version, err error) {
	was, err := analyst.Figures(ctx, data.Source(), scenario, measure.Everywhere)
	var now measure.Set
	if err == nil {
		now, err = analyst.Figures(ctx, data, scenario, measure.Everywhere)
	}
	return views.NewVersion(data.Source(), was), views.NewVersion(data, now), err
}

// behind reports whether panes and dialogs still draw older data than those of the session. Steps of a dialog that
// stays open name what they change and may follow each other faster than figures; other steps need what is shown.
func (m *Model) behind() bool {
	return m.bench.stale && m.bench.current.Data != nil && m.bench.current.Data != m.bench.doc.Data()
}

// show stores new figures.
func (m *Model) show(original, current views.Version, err error) {
	if err != nil {
		m.fail(err)
	}
	b := m.bench
	b.original, b.current, b.stale = original, current, false
	if err == nil {
		b.keepCurrent()
	}
	b.syncFromSession()
	m.measure()
	m.checkLesson()
}

// moved follows a change of the session: new data and figures, and an open dialog asks its question again. Until
// then its answer belongs to older data.
func (m *Model) moved() {
	if dialog := m.asker(); dialog != nil {
		a := m.asking.answer
		dialog.Answer(dialogs.Known(whatif.Answer{WhatIf: a.WhatIf, Need: a.Need, Pending: true, NeedPending: true}))
	}
	m.asking.forget()
	m.dropPlans()
	if page, ok := m.page.(*pages.Variables); ok {
		page.Look(m.bench.doc.Data(), m.bench.doc.CanUndo())
	}
	m.refresh()
}
