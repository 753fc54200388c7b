package parallel

import "github.com/sdcdesk/sdcdesk/engine/base/crash"

// Pending is work in another goroutine.
type Pending struct {
	done     chan struct{} // closed when the work ends
	panicked *crash.Report // report of a panic; nil if none
}

// Go starts work in a new goroutine. The caller must call Wait; otherwise a panic of the work is lost.
func Go(work func()) *Pending {
	p := &Pending{done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.panicked = caught(work)
	}()
	return p
}

// Wait returns when the work has ended. A panic of the work is repeated in the caller, so that the screen can be
// restored before the program ends.
func (p *Pending) Wait() {
	<-p.done
	if p.panicked != nil {
		panic(*p.panicked)
	}
}

// caught calls work and returns the report of its panic, or nil.
func caught(work func()) (panicking *crash.Report) {
	defer func() {
		if reason := recover(); reason != nil {
			report := crash.ReportOf(reason)
			panicking = &report
		}
	}()
	work()
	return nil
}
