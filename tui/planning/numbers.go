package planning

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Numbers is the dialog of masking plans: masking methods, each with several values of the strength parameter, are
// tried on all records, one at a time while the dialog is open. Results are kept while it is closed. It belongs to
// the data and the scenario it was opened with.
type Numbers struct {
	dialogs.KeyHandler
	origin
	NumbersOf
	worths []tradeoff.RiskLoss // of each candidate that was tried
	done   []bool              // candidates that were tried
	err    error               // error of the last candidate that failed
	failed int                 // number of failed candidates

	by     string // the limited risk
	limit  int    // index in limits
	chosen int    // the candidate that the user moved to; -1: none
	searchRun
	view
}

// NumbersOf is the input of a search for masking plans.
type NumbersOf struct {
	Data      *microdata.Dataset
	Variables []string
	Plans     []session.NumberPlan
	Kept      []session.TriedStep // steps evaluated before on these data; the search uses their seed
	Longest   time.Duration       // limit of the search time; 0: until stopped
	// Worth tries a step on the data, in the background.
	Worth func(ctx context.Context, step session.StepSpec, meter *progress.Meter) (tradeoff.RiskLoss, error)
	// Keep stores a result.
	Keep func(session.TriedStep)
}

// limits are the choices for the limit of the risk, in percent.
var limits = []float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 50, 75}

// riskNames are the names of the risks that can be limited.
var riskNames = map[string]string{tradeoff.ByLinkage: "record linkage", tradeoff.ByInterval: "interval risk"}

// usualLimit is the index of the default limit: 5 percent.
const usualLimit = 5

// NewNumbers opens the dialog with the data of a node of the session's tree. try applies the steps of a plan from
// there.
func NewNumbers(of NumbersOf, node int, try func(node int, steps []session.StepSpec)) *Numbers {
	d := &Numbers{NumbersOf: of, origin: origin{node: node, try: try}, by: tradeoff.ByLinkage, limit: usualLimit, chosen: -1}
	d.Plans = slices.Clone(of.Plans)
	d.worths, d.done = slices.Repeat([]tradeoff.RiskLoss{tradeoff.Unknown()}, len(d.Plans)), make([]bool, len(d.Plans))
	for i := range d.Plans {
		for _, kept := range of.Kept {
			if kept.Step.Same(d.Plans[i].Step) {
				d.Plans[i].Step, d.worths[i], d.done[i] = kept.Step, kept.Worth, true
			}
		}
	}
	d.Acts = d.acts
	return d
}

// next returns the next candidate to try, or -1.
func (d *Numbers) next() int { return slices.Index(d.done, false) }

// Seek tries the next candidate.
func (d *Numbers) Seek(s views.State) views.Piece {
	at := d.next()
	if at < 0 || d.stopped || d.Longest > 0 && d.elapsed >= d.Longest {
		return nil
	}
	step, worth := d.Plans[at].Step, d.Worth
	return d.begin(s, func(ctx context.Context, meter *progress.Meter) func() {
		found, err := worth(ctx, step, meter)
		return func() { d.take(at, found, err) }
	})
}

// take stores the result of a candidate.
func (d *Numbers) take(at int, found tradeoff.RiskLoss, err error) {
	if errors.Is(err, context.Canceled) {
		return // earlier results stay, and the search can continue
	}
	if d.done[at] = true; err != nil {
		d.err, d.failed = err, d.failed+1
		return
	}
	d.worths[at] = found
	d.Keep(session.TriedStep{Step: d.Plans[at].Step, Worth: found})
}

// frontier returns the candidates that are not dominated, and the index of the one under the cursor: the one the
// user moved to, otherwise the one with the least loss within the limit, otherwise the one with the least risk. If
// the user's choice is dominated now, it is replaced by one with no more loss.
func (d *Numbers) frontier() (at []int, under int) {
	at = tradeoff.Frontier(d.worths, d.by)
	if d.chosen >= 0 {
		for i := range at {
			if d.worths[at[i]].Loss <= d.worths[d.chosen].Loss {
				under = i
			}
		}
		return at, under
	}
	if under = tradeoff.Within(d.worths, at, d.by, limits[d.limit]/100); under < 0 {
		under = max(0, len(at)-1)
	}
	return at, under
}

// Title names the variables.
func (d *Numbers) Title() string {
	return "Plans for " + wording.Joined(d.Variables, ", ", draw.Safe)
}

// Size returns a large window.
func (d *Numbers) Size() (width, height int) { return 168, 48 }

// acts returns the keys that can be used now.
func (d *Numbers) acts() []views.KeyAction {
	other := tradeoff.ByLinkage
	if d.by == other {
		other = tradeoff.ByInterval
	}
	acts := []views.KeyAction{
		views.Presses("+/-", "change limit", dialogs.Turns(func(by int) {
			d.limit, d.chosen = min(len(limits)-1, max(0, d.limit+by)), -1
		}), "+", "-", "="),
		views.Handles("r", riskNames[other], func() {
			d.by, d.chosen = other, -1
		})}
	return d.keys(d, &d.origin, &d.searchRun, acts, "try plan", "table", d.next() >= 0)
}

// Click moves the cursor to a plan.
func (d *Numbers) Click(_, y int, _ views.State) draw.Action { return d.click(d, y) }

func (d *Numbers) plans() (count, at int) {
	all, under := d.frontier()
	return len(all), under
}

func (d *Numbers) move(to int) {
	at, _ := d.frontier()
	d.chosen = at[to]
}

// under returns the candidate under the cursor.
func (d *Numbers) under() int {
	at, under := d.frontier()
	return at[under]
}

// steps returns the step of the plan under the cursor, none for the plan that changes nothing.
func (d *Numbers) steps() []session.StepSpec {
	if step := d.Plans[d.under()].Step; step.Step != "" {
		return []session.StepSpec{step}
	}
	return nil
}
