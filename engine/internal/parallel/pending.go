package parallel

import "github.com/sdcdesk/sdcdesk/engine/base/crash"

// Pending is work that goes on beside its caller.
type Pending struct {
	done     chan struct{} // closed when the work has ended
	panicked *crash.Report // what it panicked with, and where; nil: it did not
}

// Go begins work on a goroutine of its own. Somebody has to Wait for it, or a
// panic of the work is lost.
func Go(work func()) *Pending {
	p := &Pending{done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.panicked = caught(work)
	}()
	return p
}

// Wait returns when the work has ended. A panic of the work is one of the
// caller's, so that a screen can be put in order before the program ends.
func (p *Pending) Wait() {
	<-p.done
	if p.panicked != nil {
		panic(*p.panicked)
	}
}

// caught does work and returns what it panicked with and where; nil: it ended
// well.
func caught(work func()) (told *crash.Report) {
	defer func() {
		if reason := recover(); reason != nil {
			report := crash.Told(reason)
			told = &report
		}
	}()
	work()
	return nil
}
