package session

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Job is a change of the session that is prepared: a new step, another step in
// the place of one, a step taken out, or a move. It is a value, so that the work
// can run in the background while the session stays as it is.
type Job struct {
	version  uint64
	scenario *microdata.Scenario
	format   fileio.Format // of the file
	chain    chain         // to the data that the steps are done on
	methods  method.Catalog
	steps    []StepSpec // the one asked for, and later ones to do again on top; none of a move
	change   string     // "" for a new step, else changeEdit, changeRemove or changeMove
	behind   int        // undone steps that a new step leaves behind
}

// changeMove is a move of the position, which the journal tells by another line.
const changeMove = "move"

// Result is what a job made, for Commit.
type Result struct {
	Report method.Report      // of the step asked for
	Data   *microdata.Dataset // at the position the session will have
	Behind int                // undone steps that a new step leaves behind

	version uint64
	chain   chain // to the position from which on the steps are new
	steps   []Step
	change  string
}

// Prepare returns the job of a new step at the position. Steps ahead of it are
// left behind when the result is committed; in the journal they remain.
func (s *Session) Prepare(step StepSpec) Job {
	job := s.job(s.position, "")
	job.steps, job.behind = []StepSpec{step}, len(s.steps)-s.position
	return job
}

// PrepareEdit returns the job that puts another step in the place of a step
// that stands, counted from 0, and does the later ones again on top, under the
// scenario as it is now.
func (s *Session) PrepareEdit(step int, other StepSpec) (Job, error) {
	return s.replacing(step, changeEdit, other)
}

// PrepareRemove returns the job that takes out a step that stands, counted
// from 0, and does the later ones again.
func (s *Session) PrepareRemove(step int) (Job, error) { return s.replacing(step, changeRemove) }

// PrepareMove returns the job of a move to a position: the number of steps that
// are to stand. Where its data were let go, the steps up to it are done again.
// The position it has is no move.
func (s *Session) PrepareMove(position int) (Job, error) {
	if position < 0 || position > len(s.steps) {
		return Job{}, fmt.Errorf("%w: %d; there are %s", ErrPosition, position, wording.Counted(len(s.steps), "step"))
	}
	return s.job(position, changeMove), nil
}

func (s *Session) replacing(step int, change string, by ...StepSpec) (Job, error) {
	if step < 0 || step >= s.position {
		return Job{}, fmt.Errorf("%w: step %d does not stand; %s do", ErrPosition, step+1, wording.Counted(s.position, "step"))
	}
	job := s.job(step, change)
	job.steps = by
	for _, later := range s.steps[step+1 : s.position] {
		job.steps = append(job.steps, later.Spec)
	}
	return job, nil
}

// job returns the job of a change from a position on.
func (s *Session) job(from int, change string) Job {
	return Job{version: s.version, scenario: s.scenario, format: s.opened.Format, methods: s.opened.Methods, chain: s.chainTo(from), change: change}
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
	if err != nil {
		return nil, err
	}
	r := &Result{version: j.version, chain: followed, change: j.change, Behind: j.behind}
	if j.change == changeMove {
		r.Data = data
		return r, nil
	}
	for i, spec := range j.steps {
		scenario := j.scenario
		if j.change != "" {
			scenario = Fitted(scenario, data)
		}
		c, err := spec.complete(j.methods)
		var step Step
		if err == nil {
			step, err = perform(ctx, data, scenario, c, j.format, analyst, meter)
		}
		if err != nil {
			if number := j.chain.position() + i + 1; i > 0 || j.change == changeRemove {
				err = fmt.Errorf("step %d, done again, does not fit any more: %w", number, err)
			}
			return nil, err
		}
		if analyst != nil {
			if err := step.assess(ctx, analyst); err != nil {
				return nil, err
			}
		}
		data = step.data
		r.steps = append(r.steps, step)
	}
	// After a change the scenario has to fit, though the steps before a variable is
	// made were done without its roles.
	if r.Data = data; j.change != "" {
		if err := j.scenario.Check(data); err != nil {
			return nil, refusedMove("change", j.scenario, data, err)
		}
	}
	if len(r.steps) > 0 {
		r.Report = r.steps[0].Report
	}
	return r, ctx.Err()
}

// Commit writes the result's line to the journal, synced, and then makes the
// session what the result says. ErrMoved: data or scenario have changed since
// the job was prepared. After any error the session is as it was.
func (s *Session) Commit(r *Result) error {
	if r.version != s.version {
		return fmt.Errorf("%w: the result is not used; do the step again", ErrMoved)
	}
	from := r.chain.position()
	if r.change == changeMove {
		return s.move(r)
	}
	line, err := r.line()
	if err != nil {
		return err
	}
	if err := s.store(nil, line); err != nil {
		return err
	}
	s.accept(r.chain)
	s.steps = append(s.steps[:from:from], r.steps...)
	s.arrive(len(s.steps))
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
	if r.change == "" {
		return steps[0], nil
	}
	return changeLine{Change: r.change, From: r.chain.position(), Steps: steps, At: now()}, nil
}

// arrive moves the position to where the data are held.
func (s *Session) arrive(position int) {
	s.position = position
	s.version++
	s.forget()
}
