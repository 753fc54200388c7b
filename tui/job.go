package tui

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/progress"
)

// job is work in the background, for one purpose: a step, the answer to a
// question, a search. One piece of it runs at a time. A piece that is begun
// takes the place of the one that runs, and what an older one still brings is
// dropped; a job that goes on begins its next piece when it takes in the last.
type job struct {
	owner   any // that asked for the work: a dialog, a page, a pane; nil: the program
	epoch   int // of the piece that was begun last
	stop    context.CancelFunc
	meter   *progress.Meter // of the piece that runs, or of the last
	started time.Time
}

// piece is what a job does beside the program. It touches nothing of it: what is
// to follow is returned, and carried out in the program's own turn.
type piece func(ctx context.Context, meter *progress.Meter) (take func() tea.Cmd)

// jobMsg is what a job brings: the end of a piece, or an alarm.
type jobMsg struct {
	job   *job
	epoch int
	alarm bool // the piece goes on
	take  func() tea.Cmd
}

// panicMsg brings the panic of a piece, with the place where it happened.
type panicMsg struct{ text string }

// begin runs a piece in place of the one that runs.
func (j *job) begin(owner any, now time.Time, run piece) tea.Cmd {
	j.drop()
	ctx, stop := context.WithCancel(context.Background())
	meter := new(progress.Meter)
	j.owner, j.stop, j.meter, j.started = owner, stop, meter, now
	epoch := j.epoch
	return func() (msg tea.Msg) {
		defer func() {
			if reason := recover(); reason != nil {
				msg = panicMsg{fmt.Sprintf("%v\n%s", reason, debug.Stack())}
			}
		}()
		return jobMsg{job: j, epoch: epoch, take: run(ctx, meter)}
	}
}

// after has something done when a time has passed, unless another piece was
// begun by then.
func (j *job) after(timer Timer, wait time.Duration, take func() tea.Cmd) tea.Cmd {
	msg := jobMsg{job: j, epoch: j.epoch, alarm: true, take: take}
	return timer(wait, func(time.Time) tea.Msg { return msg })
}

// runs reports whether a piece runs.
func (j *job) runs() bool { return j.stop != nil }

// cancel asks the piece that runs to end; what it brings is taken in.
func (j *job) cancel() {
	if j.stop != nil {
		j.stop()
	}
}

// drop cancels the piece that runs and gives up what it and alarms would bring.
func (j *job) drop() {
	j.cancel()
	j.stop = nil
	j.epoch++
}

// disown gives up what the piece that runs would bring, and lets it go on.
func (j *job) disown() { j.epoch++ }

// takeIn takes in what a job brings, unless it is that of an older piece.
func (msg jobMsg) takeIn() tea.Cmd {
	j := msg.job
	if msg.epoch != j.epoch {
		return nil
	}
	if !msg.alarm {
		j.cancel()
		j.stop = nil
	}
	return msg.take()
}

// Timer returns a command that brings a message after a time.
type Timer func(d time.Duration, bring func(time.Time) tea.Msg) tea.Cmd
