package job

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/crash"
	"github.com/sdcdesk/sdcdesk/engine/base/progress"
)

// Job is background work for one purpose: a step, the answer to a question, a search. Only one piece runs at a
// time. A new piece replaces the running one, whose result is dropped. A job of several pieces begins the next one
// when it takes the result of the last.
type Job struct {
	Owner   any // what asked for the work: a dialog, a page, a pane; nil: the program
	epoch   int // number of the latest piece
	stop    context.CancelFunc
	ended   chan struct{}   // closed when the latest piece has ended
	Meter   *progress.Meter // of the running piece, or of the last one
	Started time.Time
}

// Piece is a function that a job runs in the background. It must not touch the program; the function that it
// returns is called in the program's own turn.
type Piece func(ctx context.Context, meter *progress.Meter) (take func())

// Msg is the message of a job: the end of a piece, or an alarm.
type Msg struct {
	job   *Job
	epoch int
	alarm bool // the piece continues
	take  func()
}

// PanicMsg reports the panic of a piece, with the place where it happened.
type PanicMsg struct{ Report crash.Report }

// Begin runs a piece and replaces the running one.
func (j *Job) Begin(owner any, now time.Time, run Piece) tea.Cmd {
	j.Drop()
	ctx, stop := context.WithCancel(context.Background())
	meter := new(progress.Meter)
	j.Owner, j.stop, j.Meter, j.Started = owner, stop, meter, now
	epoch, ended := j.epoch, make(chan struct{})
	end := sync.OnceFunc(func() { close(ended) })
	j.ended = ended
	return func() (msg tea.Msg) {
		defer end()
		defer func() {
			if reason := recover(); reason != nil {
				msg = PanicMsg{crash.ReportOf(reason)}
			}
		}()
		return Msg{job: j, epoch: epoch, take: run(ctx, meter)}
	}
}

// After calls take after a time, unless another piece was begun by then.
func (j *Job) After(timer Timer, wait time.Duration, take func()) tea.Cmd {
	msg := Msg{job: j, epoch: j.epoch, alarm: true, take: take}
	return timer(wait, func(time.Time) tea.Msg { return msg })
}

// Runs reports whether a piece is running.
func (j *Job) Runs() bool { return j.stop != nil }

// RunsFor reports whether a piece is running for an owner.
func (j *Job) RunsFor(owner any) bool { return j.Runs() && j.Owner == owner }

// Cancel asks the running piece to end; its result is still taken.
func (j *Job) Cancel() {
	if j.stop != nil {
		j.stop()
	}
}

// Wait waits until the latest piece has ended, at most for the given time.
func (j *Job) Wait(most time.Duration) {
	if j.ended == nil {
		return
	}
	select {
	case <-j.ended:
	case <-time.After(most):
	}
}

// Drop cancels the running piece and drops its result and alarms.
func (j *Job) Drop() {
	j.Cancel()
	j.stop = nil
	j.epoch++
}

// HandOver returns the running piece as a separate job, which continues; its result is no longer taken here.
func (j *Job) HandOver() *Job {
	given := *j
	*j = Job{epoch: j.epoch + 1}
	return &given
}

// TakeIn takes the result of a job, unless it is from an earlier piece.
func (msg Msg) TakeIn() {
	j := msg.job
	if msg.epoch != j.epoch {
		return
	}
	if !msg.alarm {
		j.Cancel()
		j.stop = nil
	}
	msg.take()
}

// Timer returns a command that sends a message after a time.
type Timer func(d time.Duration, bring func(time.Time) tea.Msg) tea.Cmd
