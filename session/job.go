package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Job is a change of the session that is prepared: a new step, another step in
// the place of one, a step taken out, or a move. It is a value, so that the work
// can run in the background while the session stays as it is.
type Job struct {
	version  uint64
	scenario *microdata.Scenario
	source   *Source
	chain    chain // to the data that the steps are done on
	methods  method.Catalog
	steps    []StepSpec // the one asked for; none of a move or a removal
	later    []Step     // to do again on top
	change   string     // "" for a new step, else changeEdit, changeRemove or changeMove
	behind   int        // undone steps that a new step leaves on their own branch
	history  int        // -1, 1: undo or redo of a change of the scenarios or of a deletion; 0: none
	anew     bool       // steps made by an earlier version of their method are done by today's

	scenarios bool // that change is one of the scenarios
}

// Later returns the steps that are done again on top, as they were made.
func (j Job) Later() []Step { return append([]Step(nil), j.later...) }

// WithoutLater returns the job without them: they are left on the branch they are on.
func (j Job) WithoutLater() Job {
	j.later = nil
	return j
}

// Moves reports whether the job is a move.
func (j Job) Moves() bool { return j.change == changeMove }

// Anew returns the job of a move that meets ErrEarlier as one that does that step and those
// after it by today's methods, on a branch of their own.
func (j Job) Anew() Job {
	j.anew = true
	return j
}

// renewed returns the job on top of the steps that gave what they gave.
func (j Job) renewed(followed chain) Job {
	old := j.chain.steps[len(followed.steps):]
	j.steps, j.later = []StepSpec{old[0].Spec}, old[1:]
	j.chain, j.change, j.history = followed, changeEdit, 0
	return j
}

// changeMove is a move of the position, which the journal tells by another line.
const changeMove = "move"

// Result is what a job made, for Commit.
type Result struct {
	Report method.Report      // of the step asked for
	Data   *microdata.Dataset // at the position the session will have
	Behind int                // undone steps that a new step leaves on their own branch
	Left   []Conflict         // later steps that do not fit any more, which are left out

	job   Job
	chain chain // to the position from which on the steps are new
	steps []Step
}

// Replayed returns the steps that were done again on top, without those left out.
func (r *Result) Replayed() []Step {
	if r.job.change == changeEdit {
		return append([]Step(nil), r.steps[1:]...)
	}
	return append([]Step(nil), r.steps...)
}

// Scenarios reports whether the job was to take back a change of the scenarios, or to
// redo it.
func (r *Result) Scenarios() bool { return r.job.scenarios }

// Deletion reports whether the job was to take back the deletion of a branch, or to redo it.
func (r *Result) Deletion() bool { return r.job.history != 0 && !r.job.scenarios }

// Removed reports whether the job was to take a step out.
func (r *Result) Removed() bool { return r.job.change == changeRemove }

// Prepare returns the job of a new step at the position. Where there are steps
// ahead it begins a branch, and they remain on theirs.
func (s *Session) Prepare(step StepSpec) Job {
	job := s.job(s.tree.at, "")
	job.steps, job.behind = []StepSpec{step}, len(s.tree.branch())-s.Position()
	return job
}

// PrepareEdit returns the job that begins a branch with another step in the place
// of a step that stands, counted from 0, and does the later ones again on top,
// those that were undone too, under the scenario as it is now. Those that cannot be
// done any more are left out.
func (s *Session) PrepareEdit(step int, other StepSpec) (Job, error) {
	return s.replacing(step, changeEdit, other)
}

// PrepareRedraw returns the job that begins a branch on which some steps that stand, counted
// from 0 and in their order, draw from new seeds. Later ones are done again as by PrepareEdit.
func (s *Session) PrepareRedraw(steps ...int) (Job, error) {
	drawn := s.Steps()
	if len(steps) == 0 || steps[0] < 0 || steps[len(steps)-1] >= len(drawn) {
		return Job{}, fmt.Errorf("%w: steps %v do not exist", ErrPosition, steps)
	}
	first := drawn[steps[0]].Spec
	first.Seed = 0
	job, err := s.PrepareEdit(steps[0], first)
	for _, step := range steps[1:] {
		if err == nil {
			job.later[step-steps[0]-1].Spec.Seed = 0
		}
	}
	return job, err
}

// PrepareRemove returns the job that begins a branch without a step that stands,
// counted from 0, and does the later ones again, as PrepareEdit.
func (s *Session) PrepareRemove(step int) (Job, error) { return s.replacing(step, changeRemove) }

// PrepareMove returns the job of a move to a position on the current branch: the number of steps that
// are to stand. Where its data were let go, the steps up to it are done again.
// The position it has is no move.
func (s *Session) PrepareMove(position int) (Job, error) {
	id, err := s.tree.nodeAt(position)
	if err != nil {
		return Job{}, err
	}
	return s.job(id, changeMove), nil
}

// PrepareAnew returns the job that goes to where a session stood that Halted with ErrEarlier,
// by today's methods.
func (s *Session) PrepareAnew() (Job, error) {
	job, err := s.PrepareNode(s.stood)
	return job.Anew(), err
}

func (s *Session) replacing(step int, change string, by ...StepSpec) (Job, error) {
	if position := s.Position(); step < 0 || step >= position {
		return Job{}, fmt.Errorf("%w: step %d is not applied, only %s", ErrPosition, step+1, wording.Counted(position, "step"))
	}
	branch := s.tree.branch()
	job := s.job(s.tree.nodes[branch[step]].parent, change)
	job.steps, job.later = by, s.tree.steps(branch[step+1:])
	return job, nil
}

// job returns the job of a change on top of a node, or of a move to it.
func (s *Session) job(from int, change string) Job {
	return Job{version: s.version, scenario: s.scenario, source: s.opened.Source, methods: s.opened.Methods,
		chain: s.chainTo(from), change: change}
}

// Ready reports whether the job takes no time: a move to data that are held.
func (j Job) Ready() bool { return j.change == changeMove && len(j.chain.steps) == 0 }

// Run computes what the job is to do and touches nothing. With an analyst the
// figures after a step are computed as well. A meter is moved by the methods; of
// a move it counts the steps that are done again.
func (j Job) Run(ctx context.Context, analyst *Analyst, meter *progress.Meter) (*Result, error) {
	again := meter
	if j.change != changeMove {
		again = nil
	}
	data, followed, err := j.chain.follow(ctx, again)
	if j.anew && errors.Is(err, ErrEarlier) {
		j, err = j.renewed(followed), nil
	}
	if err != nil {
		return nil, err
	}
	r := &Result{Data: data, Behind: j.behind, job: j, chain: followed}
	if j.change != changeMove {
		if err := j.make(ctx, r, analyst, meter); err != nil {
			return nil, err
		}
	}
	return r, ctx.Err()
}

// make does the step asked for, and the later ones again as far as they fit.
func (j *Job) make(ctx context.Context, r *Result, analyst *Analyst, meter *progress.Meter) error {
	for _, spec := range j.steps {
		if err := j.add(ctx, r, spec, analyst, meter); err != nil {
			return err
		}
	}
	for i := range j.later {
		err := j.add(ctx, r, j.later[i].Spec, analyst, meter)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.Left = append(r.Left, Conflict{j.chain.position() + 1 + i, j.later[i].Title, err.Error()})
		}
	}
	if len(r.steps) > 0 {
		r.Report = r.steps[0].Report
	}
	// After a change the scenario has to fit, though the steps before a variable is
	// made were done without its roles.
	if j.change == "" {
		return nil
	}
	if err := j.scenario.Check(r.Data); err != nil {
		return refusedMove("change", j.scenario, r.Data, err)
	}
	return nil
}

// add does one step on the data that the result has come to.
func (j *Job) add(ctx context.Context, r *Result, spec StepSpec, analyst *Analyst, meter *progress.Meter) error {
	scenario := j.scenario
	if j.change != "" {
		scenario = Fitted(scenario, r.Data)
	}
	c, err := spec.complete(j.methods)
	if err != nil {
		return err
	}
	step, err := perform(ctx, r.Data, scenario, c, j.source, analyst, meter)
	if err != nil {
		return err
	}
	if analyst != nil {
		if err := step.assess(ctx, analyst); err != nil {
			return err
		}
	}
	r.Data, r.steps = step.data, append(r.steps, step)
	return nil
}

// Commit writes the result's line to the journal, synced, and then makes the
// session what the result says. ErrMoved: data or scenario have changed since
// the job was prepared. After any error the session is as it was.
func (s *Session) Commit(r *Result) error {
	if r.job.version != s.version {
		return fmt.Errorf("%w: the result was discarded; repeat the step", ErrMoved)
	}
	if r.job.change == changeMove {
		return s.move(r)
	}
	line, err := r.line()
	if err != nil {
		return err
	}
	if err := s.store(line); err != nil {
		return err
	}
	s.accept(r.chain)
	s.tree.grow(r.chain.end(), r.steps)
	for i := range r.steps {
		s.hold(len(s.tree.nodes) - len(r.steps) + i)
	}
	s.changedPlace()
	return nil
}

// line returns what the journal says of the result.
func (r *Result) line() (any, error) {
	steps := make([]json.RawMessage, len(r.steps))
	for i := range r.steps {
		var err error
		if steps[i], err = marshal(r.steps[i].line()); err != nil {
			return nil, fmt.Errorf("step %s cannot be stored: %w", r.steps[i].Spec.Step, err)
		}
	}
	if r.job.change == "" {
		return steps[0], nil
	}
	return changeLine{Change: r.job.change, From: r.chain.position(), Steps: steps, At: now()}, nil
}

// changedPlace follows a change of the place where the session stands.
func (s *Session) changedPlace() {
	s.version++
	s.forget()
}
