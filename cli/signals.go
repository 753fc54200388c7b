package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/crash"
)

// patience is how long a program has to end in order after SIGQUIT or SIGABRT.
const patience = 5 * time.Second

// signals are the signals that end the program in order: commands remove unfinished files, and the screen is
// restored.
type signals struct {
	errs    io.Writer
	came    chan os.Signal
	mutex   sync.Mutex
	reports []string // stack traces at SIGQUIT or SIGABRT
}

// watchSignals returns a context that is cancelled by a signal to end. A program started with nohup ignores
// SIGHUP.
func watchSignals(parent context.Context, errs io.Writer) (context.Context, *signals) {
	ctx, cancel := context.WithCancel(parent)
	s := &signals{errs: errs, came: make(chan os.Signal, 1)}
	wanted := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGABRT}
	if !signal.Ignored(syscall.SIGHUP) {
		wanted = append(wanted, syscall.SIGHUP)
	}
	signal.Notify(s.came, wanted...)
	go func() {
		defer cancel()
		came, open := <-s.came
		if open && (came == syscall.SIGQUIT || came == syscall.SIGABRT) {
			s.broken(came)
		}
	}()
	return ctx, s
}

// broken records the stack, and ends the program if it does not end in order.
func (s *signals) broken(came os.Signal) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.reports = append([]string{"ended by the signal " + came.String() + ", in these calls:"}, crash.Calls()...)
	time.AfterFunc(patience, func() {
		s.report()
		os.Exit(1)
	})
}

// stop stops watching, and prints the recorded stacks. It reports whether there are any.
func (s *signals) stop() bool {
	signal.Stop(s.came)
	close(s.came)
	return s.report()
}

func (s *signals) report() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, line := range s.reports {
		say(s.errs, failed, line)
	}
	return len(s.reports) > 0
}
