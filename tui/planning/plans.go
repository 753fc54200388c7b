package planning

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/recoding/plan"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Plans is the dialog of plans for a wanted k. The search goes on while the dialog
// is open, until it is stopped or nothing is left to be tried; what it found stays,
// also while the dialog is closed. It belongs to the data and the scenario it was
// opened on.
type Plans struct {
	dialogs.WhatIf
	dialogs.Keyed
	called   string // the scenario's name; "": there is one
	data     *microdata.Dataset
	scenario *microdata.Scenario
	longest  time.Duration // of a search; 0: until it is stopped
	origin

	k       int
	begun   map[int]*search               // by k
	told    map[*plan.Point]*int          // cells that are told from others; nil: not known yet
	telling views.Cache[*plan.Point, int] // of the plan under the cursor
	asked   *plan.Point                   // whose figures were asked for last
	view
}

// roundWork is the work of a round: short ones let the screen follow.
const roundWork = plan.DefaultWork / 4

// search is that for one k.
type search struct {
	search *plan.Search // nil until it has begun; only its pieces touch it
	plan.Found
	at    int // the point under the cursor
	err   error
	spent time.Duration // that the processors had
	seeking
}

// NewPlans opens on the data of a node of the session's tree. try makes the steps of
// a plan there. A search ends after longest, if that is above 0.
func NewPlans(data *microdata.Dataset, scenario *microdata.Scenario, called string, node, k int, longest time.Duration,
	try func(node int, steps []session.StepSpec)) *Plans {
	d := &Plans{data: data, scenario: scenario, called: called, origin: origin{node: node, try: try}, longest: longest, k: max(2, k),
		begun: map[int]*search{}, told: map[*plan.Point]*int{}}
	d.Acts = d.acts
	return d
}

// now returns the search for the k that is wanted.
func (d *Plans) now() *search {
	if d.begun[d.k] == nil {
		d.begun[d.k] = &search{}
	}
	return d.begun[d.k]
}

// Seek makes the next round of the search; where it rests, it looks what the plan under
// the cursor leaves to be told. A round takes what it takes: the screen follows by its
// progress, not by pieces of a length.
func (d *Plans) Seek(s views.State) views.Piece {
	r := d.now()
	if r.stopped || r.Exhausted || r.err != nil || d.longest > 0 && r.Rounds > 0 && r.spent >= d.longest {
		return d.tell()
	}
	found, data, scenario, options := r.search, d.data, d.scenario, plan.Options{K: d.k, Work: roundWork}
	return r.begin(s, func(ctx context.Context, meter *progress.Meter) func() {
		started, err := time.Now(), error(nil)
		if found == nil {
			found, err = plan.New(ctx, data, scenario, options)
		}
		if err == nil {
			err = found.Continue(ctx, meter)
		}
		spent := time.Since(started)
		return func() { r.take(found, err, spent) }
	})
}

// tell counts the cells of the plan under the cursor that are told from others, on the data
// of its figures where those are of the whole file; nil where there is nothing to count.
func (d *Plans) tell() views.Piece {
	r := d.now()
	if len(r.Frontier) == 0 || d.Known.Pending {
		return nil
	}
	p, found := r.Frontier[r.at], r.search
	if p.Cells == 0 || d.told[p] != nil {
		return nil
	}
	var made *microdata.Dataset
	if w := d.Known.WhatIf; d.asked == p && w != nil && w.Of == nil {
		made = w.Data
	}
	return d.telling.Extend(p, func(ctx context.Context, _ time.Duration) (func(*int), error) {
		told, err := found.Told(ctx, p, made)
		return func(*int) { d.told[p] = &told }, err
	})
}

// take shows what a round has found.
func (r *search) take(found *plan.Search, err error, spent time.Duration) {
	r.search = cmp.Or(found, r.search)
	r.spent += spent
	switch {
	case errors.Is(err, context.Canceled):
		return // what was found before stays, and the search can go on
	case err != nil:
		r.err = err
		return
	}
	before := r.Frontier
	if r.Found = *found.Found(); len(before) > 0 {
		// The cursor stays on its plan, or goes to the next better one in its place.
		lost := before[r.at].Lost
		r.at = max(0, slices.IndexFunc(r.Frontier, func(p *plan.Point) bool { return p.Lost >= lost }))
	}
}

// Title names the dialog with the k.
func (d *Plans) Title() string {
	title := "Plans for k = " + draw.Count(d.k)
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
	return &dialogs.Question{K: d.k, Plan: &dialogs.Planned{Data: d.data, Scenario: d.scenario,
		Steps: stepsOf(d.asked)}}
}

// stepsOf returns the steps of a plan as a session makes them.
func stepsOf(p *plan.Point) []session.StepSpec {
	var steps []session.StepSpec
	for _, step := range p.Steps {
		steps = append(steps, dialogs.StepOf(step.Name, step.Method))
	}
	return steps
}

// Size asks for a large window.
func (d *Plans) Size() (width, height int) { return 168, 48 }

// acts are the keys that work now.
func (d *Plans) acts() []views.KeyAction {
	r := d.now()
	return d.keys(d, &d.origin, &r.seeking,
		[]views.KeyAction{views.Presses("+/-", "k", dialogs.Turns(func(by int) { d.want(d.k + by) }), "+", "-", "=")}, "steps", !r.Exhausted)
}

// want changes k; what was found for another one stays and can be gone back to.
func (d *Plans) want(k int) {
	d.now().halt()
	d.telling.For(nil)
	d.k, d.cursor = max(2, k), draw.Cursor{}
}

// Click puts the cursor on a plan.
func (d *Plans) Click(_, y int, _ views.State) draw.Action { return d.click(d, y) }

func (d *Plans) plans() (count, at int) { return len(d.now().Frontier), d.now().at }

func (d *Plans) move(to int) { d.now().at = to }

// steps returns those of the plan under the cursor; none where k is reached as it is.
func (d *Plans) steps() []session.StepSpec { return stepsOf(d.now().Frontier[d.now().at]) }
