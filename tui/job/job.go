package job

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/crash"
	"github.com/sdcdesk/sdcdesk/engine/base/progress"
)

// Job is work in the background, for one purpose: a step, the answer to a
// question, a search. One piece of it runs at a time. A piece that is begun
// takes the place of the one that runs, and what an older one still brings is
// dropped; a job that goes on begins its next piece when it takes in the last.
type Job struct {
	Owner   any // that asked for the work: a dialog, a page, a pane; nil: the program
	epoch   int // of the piece that was begun last
	stop    context.CancelFunc
	ended   chan struct{}   // closed when the piece that was begun last has ended
	Meter   *progress.Meter // of the piece that runs, or of the last
	Started time.Time
}

// Piece is what a job does beside the program. It touches nothing of it: what is
// to follow is returned, and carried out in the program's own turn.
type Piece func(ctx context.Context, meter *progress.Meter) (take func())

// Msg is what a job brings: the end of a piece, or an alarm.
type Msg struct {
	job   *Job
	epoch int
	alarm bool // the piece goes on
	take  func()
}

// PanicMsg brings the panic of a piece, with the place where it happened.
type PanicMsg struct{ Report crash.Report }

// Begin runs a piece in place of the one that runs.
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
				msg = PanicMsg{crash.Told(reason)}
			}
		}()
		return Msg{job: j, epoch: epoch, take: run(ctx, meter)}
	}
}

// After has something done when a time has passed, unless another piece was
// begun by then.
func (j *Job) After(timer Timer, wait time.Duration, take func()) tea.Cmd {
	msg := Msg{job: j, epoch: j.epoch, alarm: true, take: take}
	return timer(wait, func(time.Time) tea.Msg { return msg })
}

// Runs reports whether a piece runs.
func (j *Job) Runs() bool { return j.stop != nil }

// RunsFor reports whether a piece runs that an owner asked for.
func (j *Job) RunsFor(owner any) bool { return j.Runs() && j.Owner == owner }

// Cancel asks the piece that runs to end; what it brings is taken in.
func (j *Job) Cancel() {
	if j.stop != nil {
		j.stop()
	}
}

// Wait waits until the piece that was begun last has ended, but no longer than a given time.
func (j *Job) Wait(most time.Duration) {
	if j.ended == nil {
		return
	}
	select {
	case <-j.ended:
	case <-time.After(most):
	}
}

// Drop cancels the piece that runs and gives up what it and alarms would bring.
func (j *Job) Drop() {
	j.Cancel()
	j.stop = nil
	j.epoch++
}

// HandOver gives away the piece that runs: it goes on, and what it would bring is given
// up.
func (j *Job) HandOver() *Job {
	given := *j
	*j = Job{epoch: j.epoch + 1}
	return &given
}

// TakeIn takes in what a job brings, unless it is that of an older piece.
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

// Timer returns a command that brings a message after a time.
type Timer func(d time.Duration, bring func(time.Time) tea.Msg) tea.Cmd
