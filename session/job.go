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

// Job is a prepared change of the session: a new step, a replaced step, a removed step, or a move. It is a value,
// so that it can run in the background while the session does not change.
type Job struct {
	version  uint64
	scenario *microdata.Scenario
	source   *Source
	chain    chain // chain to the data that the steps are applied to
	methods  method.Catalog
	steps    []StepSpec // the new step; none for a move or a removal
	later    []Step     // steps to replay after it
	change   string     // "" for a new step, else changeEdit, changeRemove or changeMove
	behind   int        // undone steps that a new step leaves on their own branch
	history  int        // -1, 1: undo or redo of a change of the scenarios or of a deletion; 0: none
	repeated bool       // steps of an earlier version of their method are repeated with the current one

	scenarios bool // the undone or redone change is one of the scenarios
}

// Later returns the later steps to replay.
func (j Job) Later() []Step { return append([]Step(nil), j.later...) }

// WithoutLater returns the job without replaying the later steps, which stay on their branch.
func (j Job) WithoutLater() Job {
	j.later = nil
	return j
}

// Moves reports whether the job is a move.
func (j Job) Moves() bool { return j.change == changeMove }

// WithCurrentMethods returns a job for a move that failed with ErrEarlier. It repeats that step and the later ones with the
// current methods, on a new branch.
func (j Job) WithCurrentMethods() Job {
	j.repeated = true
	return j
}

// renewed returns the job that starts after the steps whose results are unchanged.
func (j Job) renewed(followed chain) Job {
	old := j.chain.steps[len(followed.steps):]
	j.steps, j.later = []StepSpec{old[0].Spec}, old[1:]
	j.chain, j.change, j.history = followed, changeEdit, 0
	return j
}

// changeMove is a move of the position, which has another kind of line in the journal.
const changeMove = "move"

// Result is the result of a job, for Commit.
type Result struct {
	Report method.Report      // of the new step
	Data   *microdata.Dataset // at the new position
	Behind int                // undone steps that a new step leaves on their own branch
	Left   []Conflict         // later steps that no longer fit and are left out

	job   Job
	chain chain // chain to the position after which the steps are new
	steps []Step
}

// Replayed returns the later steps that were replayed.
func (r *Result) Replayed() []Step {
	if r.job.change == changeEdit {
		return append([]Step(nil), r.steps[1:]...)
	}
	return append([]Step(nil), r.steps...)
}

// Scenarios reports whether the job undoes or redoes a change of the scenarios.
func (r *Result) Scenarios() bool { return r.job.scenarios }

// Deletion reports whether the job undoes or redoes the deletion of a branch.
func (r *Result) Deletion() bool { return r.job.history != 0 && !r.job.scenarios }

// Removed reports whether the job removes a step.
func (r *Result) Removed() bool { return r.job.change == changeRemove }

// Prepare returns the job of a new step at the position. If there are undone steps, it starts a branch, and they
// stay on theirs.
func (s *Session) Prepare(step StepSpec) Job {
	job := s.job(s.tree.at, "")
	job.steps, job.behind = []StepSpec{step}, len(s.tree.branch())-s.Position()
	return job
}

// PrepareEdit returns the job that replaces an applied step, counted from 0, on a new branch, and replays the
// later ones, including undone ones, under the current scenario. Steps that are no longer possible are left out.
func (s *Session) PrepareEdit(step int, other StepSpec) (Job, error) {
	return s.replacing(step, changeEdit, other)
}

// PrepareRedraw returns the job that repeats applied steps, counted from 0 and in ascending order, with new seeds
// on a new branch. Later steps are replayed as by PrepareEdit.
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

// PrepareRemove returns the job that removes an applied step, counted from 0, on a new branch, and replays the
// later ones as PrepareEdit.
func (s *Session) PrepareRemove(step int) (Job, error) { return s.replacing(step, changeRemove) }

// PrepareMove returns the job of a move to a position on the current branch, that is the number of steps to be
// applied. If the data there were discarded, the steps up to it are replayed. A move to the current position has
// no effect.
func (s *Session) PrepareMove(position int) (Job, error) {
	id, err := s.tree.nodeAt(position)
	if err != nil {
		return Job{}, err
	}
	return s.job(id, changeMove), nil
}

// PrepareWithCurrentMethods returns the job that goes to the former position of a session that Halted with ErrEarlier, using the
// current methods.
func (s *Session) PrepareWithCurrentMethods() (Job, error) {
	job, err := s.PrepareNode(s.stood)
	return job.WithCurrentMethods(), err
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

// job returns the job of a change after a node, or of a move to it.
func (s *Session) job(from int, change string) Job {
	return Job{version: s.version, scenario: s.scenario, source: s.opened.Source, methods: s.opened.Methods,
		chain: s.chainTo(from), change: change}
}

// Ready reports whether the job takes no time, that is a move to data in memory.
func (j Job) Ready() bool { return j.change == changeMove && len(j.chain.steps) == 0 }

// Run computes the result of the job and changes nothing. With an analyst it also computes the figures after a
// step. The methods advance the meter; for a move it counts the steps replayed.
func (j Job) Run(ctx context.Context, analyst *Analyst, meter *progress.Meter) (*Result, error) {
	again := meter
	if j.change != changeMove {
		again = nil
	}
	data, followed, err := j.chain.follow(ctx, again)
	if j.repeated && errors.Is(err, ErrEarlier) {
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

// make applies the new step, and the later ones as far as they fit.
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
	// After a change the scenario must fit, although steps before a variable was added ran without its roles.
	if j.change == "" {
		return nil
	}
	if err := j.scenario.Check(r.Data); err != nil {
		return refusedMove("change", j.scenario, r.Data, err)
	}
	return nil
}

// add applies one step to the data of the result.
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

// Commit writes the result to the journal, synced, and then changes the session. The error wraps ErrMoved if data
// or scenario have changed since the job was prepared. After any error the session is unchanged.
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

// line returns the line of the result for the journal.
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

// changedPlace follows a change of the current node.
func (s *Session) changedPlace() {
	s.version++
	s.forget()
}
