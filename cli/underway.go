package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// underway runs the work of a command. On a terminal, a line shows the elapsed time and, if known, the progress of
// the present part.
func underway(cmd *cobra.Command, title string, work func(meter *progress.Meter) error) error {
	file, ok := cmd.ErrOrStderr().(*os.File)
	if !ok || !term.IsTerminal(file.Fd()) {
		return work(nil)
	}
	line := &progressLine{out: file}
	cmd.SetErr(line)
	defer cmd.SetErr(file)
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	return line.during(title, time.Now(), tick.C, work)
}

// progressLine is the last line of a terminal; messages are printed above it.
type progressLine struct {
	out   io.Writer
	mutex sync.Mutex
	shown bool
}

// Write clears the line and writes a message.
func (l *progressLine) Write(message []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.clear()
	return l.out.Write(message)
}

func (l *progressLine) clear() {
	if l.shown {
		fmt.Fprint(l.out, "\r\x1b[K")
	}
	l.shown = false
}

// shownAfter is how long work runs before its progress is shown.
const shownAfter = time.Second

// during runs work, and redraws the line with each tick.
func (l *progressLine) during(title string, began time.Time, ticks <-chan time.Time, work func(*progress.Meter) error) error {
	var meter progress.Meter
	var shows sync.WaitGroup
	done := make(chan struct{})
	shows.Go(func() {
		for {
			select {
			case now := <-ticks:
				l.show(title, now.Sub(began), meter.Fraction())
			case <-done:
				return
			}
		}
	})
	defer func() {
		close(done)
		shows.Wait()
		_, _ = l.Write(nil)
	}()
	return work(&meter)
}

func (l *progressLine) show(title string, elapsed time.Duration, share float64) {
	if elapsed < shownAfter {
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.clear()
	far := ""
	if share > 0 && share < 1 {
		far = fmt.Sprintf(", %.0f %% of this part", 100*share)
	}
	fmt.Fprintf(l.out, "%s: %s%s (ctrl+c ends it) ", title, draw.Duration(elapsed), far)
	l.shown = true
}
