package tui

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/survey"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// made opens a generated survey of any size.
func made(rows int) Opener {
	return func(ctx context.Context, meter *progress.Meter) (session.Opening, microdata.Scenario, error) {
		var text bytes.Buffer
		if err := survey.WriteCSV(&text, rows, 7); err != nil {
			return session.Opening{}, microdata.Scenario{}, err
		}
		data, report, err := fileio.ReadBytes(ctx, "made.csv", text.Bytes(), fileio.NewFormat(), meter)
		if err != nil {
			return session.Opening{}, microdata.Scenario{}, err
		}
		return session.Opening{Source: session.NewDemonstration("made.csv", report.Format), Data: data, Volatile: true},
			surveyScenario(), nil
	}
}

// At presses a key and waits for the finished frame with its figures, without the count of suppressions, which
// comes later.
func (d *driver) At(key string) {
	_, cmd := d.m.Update(draw.Press(key))
	d.run(cmd)
	d.timers = d.timers[:0]
	if d.m.asking.answer.Pending {
		d.Fatal("the frame has no figures")
	}
	_ = d.m.frame()
}

// onData opens the tab of the records at the first one.
func (d *driver) onData(b *testing.B) *driver {
	b.Helper()
	if d.Press("f1", "[", "["); tabs[d.m.bench.tab].name != "Data" {
		b.Fatalf("the tab is %s", tabs[d.m.bench.tab].name)
	}
	return d
}

// BenchmarkFrame measures the time from a key press to the finished frame: on
// the workbench, and in the recode dialog with the figures after a break moved.
func BenchmarkFrame(b *testing.B) {
	for _, rows := range []int{5_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			d := start(b, Options{Demo: true, OpenDemo: made(rows)}, 120, 40)
			b.Run("workbench", func(b *testing.B) {
				d.Press("1", "g")
				for i := range b.N {
					d.At([]string{"down", "up"}[i/6%2])
				}
			})
			b.Run("records", func(b *testing.B) {
				d.onData(b)
				b.ResetTimer()
				for i := range b.N {
					d.At([]string{"pgdown", "right", "down", "left"}[i%4])
				}
				b.StopTimer()
				d.Press("]")
			})
			b.Run("sorted", func(b *testing.B) {
				d.onData(b).Press("F", "s", "s", "right", "a", "right", "right", "right", "right", "a")
				b.ResetTimer()
				for range b.N {
					d.At("pgdown")
				}
				b.StopTimer()
				d.Press("]")
			})
			b.Run("recode", func(b *testing.B) {
				d.Press("1", "g", "down", "down", "down", "r", "down", "down", "down")
				b.ResetTimer()
				for i := range b.N {
					d.At([]string{"right", "left"}[i%2])
				}
				d.Press("esc")
			})
		})
	}
}

// BenchmarkMaskingFrame measures a frame of the dialog of microaggregation while the key for its size is held:
// from the key press to the screen without the next figures.
func BenchmarkMaskingFrame(b *testing.B) {
	for _, rows := range []int{5_000, 1_000_000} {
		d := start(b, Options{Demo: true, OpenDemo: made(rows)}, 120, 40)
		d.openMethod("microaggregate").retype("income, expend, savings").focus("size")
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
			d.Resize(size[0], size[1])
			b.Run(fmt.Sprintf("rows=%d/%dx%d", rows, size[0], size[1]), func(b *testing.B) {
				for i := range b.N {
					d.m.Update(draw.Press([]string{"right", "left"}[i/8%2])) // what it starts never runs
					_ = d.m.frame()
				}
			})
		}
	}
}

// BenchmarkKeysWhileWorkRuns measures the mean and the longest time of a key and its frame while a suppression is
// computed.
func BenchmarkKeysWhileWorkRuns(b *testing.B) {
	const rows = 1_000_000
	d := start(b, Options{Demo: true, OpenDemo: made(rows)}, 120, 40)
	d.Press("K").Hold().Press("right", "enter") // a k whose suppression is not known from the what-if
	job := d.held[len(d.held)-1]().(tea.BatchMsg)[0]
	done := make(chan struct{})
	go func() {
		job()
		close(done)
	}()
	d.hold = false
	var longest time.Duration
	b.ResetTimer()
	for i := range b.N {
		started := time.Now()
		d.At([]string{"down", "tab", "]", "2", "i", "esc"}[i%6])
		longest = max(longest, time.Since(started))
		time.Sleep(5 * time.Millisecond)
	}
	b.StopTimer()
	b.ReportMetric(float64(longest.Microseconds())/1000, "ms-longest")
	d.m.work.Cancel()
	<-done
}
