package planning

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/plan"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Plans is the dialog of plans for a target k. The search continues while the dialog is open, until it is stopped
// or exhausted; results are kept while the dialog is closed. It belongs to the data and the scenario it was opened
// with.
type Plans struct {
	dialogs.WhatIf
	dialogs.KeyHandler
	called   string // name of the scenario; "": the only one
	data     *microdata.Dataset
	scenario *microdata.Scenario
	longest  time.Duration // limit of the search time; 0: until stopped
	origin

	query
	begun    map[query]*search
	outcomes map[*plan.Point]*outcome          // nil: not known yet
	outcome  views.Cache[*plan.Point, outcome] // computes them
	asked    *plan.Point                       // the plan whose figures were asked for last
	view
}

// outcome has figures of the data after a plan.
type outcome struct {
	inferable int     // suppressed cells that can be inferred
	risk      float64 // global risk
}

// query is what to search for.
type query struct {
	k        int
	single   bool   // recodes of one variable, without suppression
	variable string // only of this variable; "": any
	kept     names  // key variables that must not change
	spared   names  // key variables to suppress last, the most important first
}

// names are names of variables, each followed by a newline.
type names string

// all returns the names as a slice.
func (n names) all() []string {
	all := strings.Split(string(n), "\n")
	return all[:len(all)-1]
}

// namesOf is the inverse of names.all.
func namesOf(all []string) (n names) {
	for _, name := range all {
		n += names(name + "\n")
	}
	return n
}

// importance returns the importance of the key variables for suppression: the spared ones first, in their order,
// then all others; nil if none is spared.
func (w query) importance(keys []string) map[string]int {
	spared := w.spared.all()
	if len(spared) == 0 {
		return nil
	}
	importance := map[string]int{}
	for _, name := range keys {
		importance[name] = len(spared) + 1
		if place := slices.Index(spared, name); place >= 0 {
			importance[name] = place + 1
		}
	}
	return importance
}

// roundWork is the work of a round, small so that the screen can follow.
const roundWork = plan.DefaultWork / 4

// search is the search for one k.
type search struct {
	search *plan.Search // nil until it has begun; only its pieces use it
	plan.Result
	at    int // index of the point under the cursor
	err   error
	spent time.Duration // computing time
	searchRun
}

// NewPlans opens the dialog with the data of a node of the session's tree. try applies the steps of a plan from
// there. A search ends after longest, unless that is 0.
func NewPlans(data *microdata.Dataset, scenario *microdata.Scenario, called string, node, k int, longest time.Duration,
	try func(node int, steps []session.StepSpec)) *Plans {
	d := &Plans{data: data, scenario: scenario, called: called, origin: origin{node: node, try: try}, longest: longest, query: query{k: max(2, k)},
		begun: map[query]*search{}, outcomes: map[*plan.Point]*outcome{}}
	d.Acts = d.acts
	return d
}

// Alone searches recodes of one variable, without suppression: of the given one, or of any if variable is "".
func (d *Plans) Alone(variable string) { d.single, d.variable = true, variable }

// now returns the current search.
func (d *Plans) now() *search {
	if d.begun[d.query] == nil {
		d.begun[d.query] = &search{}
	}
	return d.begun[d.query]
}

// options returns the options of the search.
func (d *Plans) options() plan.Options {
	o := plan.Options{K: d.k, Work: roundWork, Keep: d.kept.all(), Importance: d.importance(d.scenario.Keys)}
	if d.single {
		o.Single, o.Rule = true, d.scenario.Rule
	}
	if d.variable != "" {
		o.Keep = slices.DeleteFunc(slices.Clone(d.scenario.Keys), func(name string) bool { return name == d.variable })
	}
	return o
}

// Seek runs the next round of the search. If the search is stopped or done, it computes the outcomes of the plans.
// A round is not split into pieces; the screen shows its progress.
func (d *Plans) Seek(s views.State) views.Piece {
	r := d.now()
	if r.stopped || r.Exhausted || r.err != nil || d.longest > 0 && r.Rounds > 0 && r.spent >= d.longest {
		return d.judge()
	}
	found, data, scenario, options := r.search, d.data, d.scenario, d.options()
	return r.begin(s, func(ctx context.Context, meter *progress.Meter) func() {
		started, err := time.Now(), error(nil)
		if found == nil {
			found, err = plan.New(ctx, data, scenario, options)
		}
		if err == nil {
			err = found.Continue(ctx, meter)
		}
		spent := time.Since(started)
		return func() { r.take(found, err, spent, options.Single) }
	})
}

// judge computes the outcome of the plan under the cursor, then of the others. It uses the data of the what-if if
// they are the whole file. It returns nil if there is nothing to compute.
func (d *Plans) judge() views.Piece {
	p, found := d.unjudged(), d.now().search
	if p == nil || d.Known.Pending {
		return nil
	}
	var made *microdata.Dataset
	if w := d.Known.WhatIf; d.asked == p && w != nil && w.Of == nil {
		made = w.Data
	}
	return d.outcome.Extend(p, func(ctx context.Context, _ time.Duration) (func(*outcome), error) {
		o, err := judged(ctx, found, p, made)
		return func(*outcome) { d.outcomes[p] = o }, err
	})
}

// unjudged returns the plan whose outcome is computed next: the one under the cursor or the first whose outcome is
// not known; nil if there is none.
func (d *Plans) unjudged() *plan.Point {
	r := d.now()
	if len(r.Frontier) == 0 {
		return nil
	}
	for _, p := range append([]*plan.Point{r.Frontier[r.at]}, r.Frontier...) {
		if d.outcomes[p] == nil {
			return p
		}
	}
	return nil
}

// judged computes the outcome of a plan; made is the data after it, or nil.
func judged(ctx context.Context, found *plan.Search, p *plan.Point, made *microdata.Dataset) (o *outcome, err error) {
	o = &outcome{}
	if made == nil {
		if made, err = found.Data(ctx, p); err != nil {
			return nil, err
		}
	}
	if p.Cells > 0 {
		if o.inferable, err = found.Inferred(ctx, made); err != nil {
			return nil, err
		}
	}
	o.risk, err = found.Risk(ctx, made)
	return o, err
}

// take stores the result of a round.
func (r *search) take(found *plan.Search, err error, spent time.Duration, single bool) {
	r.search = cmp.Or(found, r.search)
	r.spent += spent
	switch {
	case errors.Is(err, context.Canceled):
		return // earlier results stay, and the search can continue
	case err != nil:
		r.err = err
		return
	}
	before := r.Frontier
	if r.Result = *found.Found(); len(before) > 0 {
		r.keep(before[r.at])
	} else if best := r.Worthwhile(); single && len(best) > 0 {
		r.at = slices.Index(r.Frontier, best[0])
	}
}

// keep keeps a plan under the cursor, even if a better one was found.
func (r *search) keep(chosen *plan.Point) {
	if r.at = slices.Index(r.Frontier, chosen); r.at >= 0 {
		return
	}
	r.at = slices.IndexFunc(r.Frontier, func(p *plan.Point) bool { return p.Cells <= chosen.Cells })
	if r.at < 0 {
		r.at = len(r.Frontier)
	}
	r.Frontier = slices.Insert(slices.Clone(r.Frontier), r.at, chosen)
}

// Title includes the target k.
func (d *Plans) Title() string {
	title := "Plans"
	switch {
	case d.variable != "":
		title = "Suggested recodes of " + draw.Safe(d.variable)
	case d.single:
		title = "Suggested recodes"
	}
	title += " for k = " + draw.Count(d.k)
	of := func(some names, what string) {
		if all := some.all(); len(all) > 0 {
			title += ", " + draw.Safe(wording.Beginning(all, 3)) + what
		}
	}
	of(d.kept, " kept")
	of(d.spared, " spared")
	if d.called != "" {
		title += " · scenario " + draw.Safe(d.called)
	}
	return title
}

// Question asks for the figures after the plan under the cursor.
func (d *Plans) Question() *dialogs.Question {
	r := d.now()
	if len(r.Frontier) == 0 {
		return nil
	}
	d.asked = r.Frontier[r.at]
	return &dialogs.Question{K: d.k, Plan: &dialogs.PlannedSteps{Data: d.data, Scenario: d.scenario,
		Steps: stepsOf(d.asked)}}
}

// stepsOf returns the steps of a plan as steps of a session.
func stepsOf(p *plan.Point) []session.StepSpec {
	var steps []session.StepSpec
	for _, step := range p.Steps {
		steps = append(steps, dialogs.StepOf(step.Name, step.Method))
	}
	return steps
}

// Size returns a large window.
func (d *Plans) Size() (width, height int) { return 168, 48 }

// acts returns the keys that can be used now.
func (d *Plans) acts() []views.KeyAction {
	r := d.now()
	other, next := "plans", d.query
	next.single, next.variable = d.variable != "" || !d.single, ""
	switch {
	case d.variable != "":
		other = "all key variables"
	case !d.single:
		other = "suggested recodes"
	}
	turned := func(by int) {
		other := d.query
		other.k = max(2, d.k+by)
		d.want(other)
	}
	acts := []views.KeyAction{views.Presses("+/-", "change k", dialogs.Turns(turned), "+", "-", "="),
		views.Handles("v", other, func() { d.want(next) })}
	if len(r.Frontier) > 0 {
		if steps := r.Frontier[r.at].Steps; d.single && len(steps) == 1 {
			acts = append(acts, views.Emits("r", "edit", views.OpenStep{Name: steps[0].Name, Method: steps[0].Method}))
		}
	}
	lead := "try plan"
	if d.single {
		lead = "try recode"
	}
	acts = d.keys(d, &d.origin, &r.searchRun, acts, lead, "steps", !r.Exhausted)
	if len(r.Frontier) > 0 && d.variable == "" {
		acts = slices.Insert(acts, len(acts)-2, views.Presses("space", "exclude from recoding", d.pick("Key variables that are not recoded",
			func(w *query) *names { return &w.kept })))
	}
	if len(r.Frontier) > 0 && !d.single {
		acts = slices.Insert(acts, len(acts)-2, views.Presses("o", "importance", d.pick("Key variables that lose cells last, the most important first",
			func(w *query) *names { return &w.spared })))
	}
	return acts
}

// pick opens the list of the key variables to choose from.
func (d *Plans) pick(title string, of func(*query) *names) func(tea.KeyPressMsg, views.State) draw.Action {
	return func(_ tea.KeyPressMsg, s views.State) draw.Action {
		offer := method.Offer{Names: d.scenario.Keys, Chosen: of(&d.query).all(), Several: true}
		return dialogs.Cover{Dialog: dialogs.NewPicker(s, title, offer, func(chosen []string) error {
			other := d.query
			*of(&other) = namesOf(chosen)
			d.want(other)
			return nil
		})}
	}
}

// want changes what to search for. Earlier results are kept, so that the user can go back.
func (d *Plans) want(other query) {
	d.now().halt()
	d.outcome.For(nil)
	d.query, d.cursor = other, draw.Cursor{}
}

// Click moves the cursor to a plan.
func (d *Plans) Click(_, y int, _ views.State) draw.Action { return d.click(d, y) }

func (d *Plans) plans() (count, at int) { return len(d.now().Frontier), d.now().at }

func (d *Plans) move(to int) { d.now().at = to }

// steps returns the steps of the plan under the cursor, none if k is reached already.
func (d *Plans) steps() []session.StepSpec { return stepsOf(d.now().Frontier[d.now().at]) }
