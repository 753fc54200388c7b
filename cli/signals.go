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

// patience is how long a program that was asked by SIGQUIT or SIGABRT has to end in order.
const patience = 5 * time.Second

// signals are the signals that end the program. All of them end it in order: commands remove what they have
// not finished, and the screen is restored.
type signals struct {
	errs    io.Writer
	came    chan os.Signal
	mutex   sync.Mutex
	reports []string // where the program was when SIGQUIT or SIGABRT came
}

// watchSignals returns a context that ends when a signal asks the program to. A program that was started so that the
// end of its terminal does not end it (nohup) goes on at SIGHUP.
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

// broken notes where the program is, and ends it when it does not end in order.
func (s *signals) broken(came os.Signal) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.reports = append([]string{"ended by the signal " + came.String() + ", in these calls:"}, crash.Calls()...)
	time.AfterFunc(patience, func() {
		s.report()
		os.Exit(1)
	})
}

// stop no longer watches, and reports where the program was. It reports whether there is such a report.
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
