package tui

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/tui/job"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// The results and alarms of an earlier piece, and everything after a drop, are dropped; the result of a cancelled
// piece is taken.
func TestJobTakesInItsNewestPieceAlone(t *testing.T) {
	var taken []string
	var contexts []context.Context
	j := new(job.Job)
	begin := func(name string) tea.Cmd {
		return j.Begin(name, time.Time{}, func(ctx context.Context, _ *progress.Meter) func() {
			contexts = append(contexts, ctx)
			return func() { taken = append(taken, name) }
		})
	}
	alarm := func() tea.Cmd {
		timer := func(_ time.Duration, bring func(time.Time) tea.Msg) tea.Cmd {
			return func() tea.Msg { return bring(time.Time{}) }
		}
		return j.After(timer, 0, func() { taken = append(taken, "alarm") })
	}
	come := func(cmd tea.Cmd) { cmd().(job.Msg).TakeIn() }
	first, early := begin("first"), alarm()
	second := begin("second")
	come(first)
	if !j.Runs() || contexts[0].Err() == nil {
		t.Errorf("the end of an older piece ends the newer: runs %v, the older is cancelled: %v", j.Runs(), contexts[0].Err())
	}
	late := alarm()
	come(early)
	come(late)
	come(second)
	if j.Runs() {
		t.Error("the piece has ended and runs")
	}
	dropped := begin("dropped")
	j.Drop()
	come(dropped)
	cancelled := begin("cancelled")
	j.Cancel()
	come(cancelled)
	if want := []string{"alarm", "second", "cancelled"}; !slices.Equal(taken, want) {
		t.Errorf("taken in: %q, want %q", taken, want)
	}
}

// Figures requested earlier never replace newer ones, whatever the order of their arrival.
func TestStaleFiguresAreDropped(t *testing.T) {
	beside(t)
	d := recodeAge(surveyOf(t, 120, 40)).Hold().Press("u")
	older := d.held
	d.held = nil
	d.Press("ctrl+r")
	newer := d.held
	d.held, d.hold = nil, false
	for _, cmd := range slices.Concat(newer, older) {
		d.run(cmd)
	}
	if s := d.m.state(); s.Stale || s.Current.Data != d.m.bench.doc.Data() {
		t.Errorf("stale %v; the figures are those of the session's data: %v", s.Stale, s.Current.Data == d.m.bench.doc.Data())
	}
}

// However a session ends, no background work continues.
func TestEndingCancelsEverything(t *testing.T) {
	beside(t)
	ends := map[string]func(d *driver){
		"quit":         func(d *driver) { d.act(func() { d.m.end() }) },
		"a signal":     func(d *driver) { _, _ = d.m.ended(nil) },
		"another file": func(d *driver) { d.m.work = nil; d.act(func() { d.m.openAnother() }) },
	}
	for name, end := range ends {
		d := surveyOf(t, 120, 40).Hold()
		var contexts []context.Context
		run := func(ctx context.Context, _ *progress.Meter) func() {
			contexts = append(contexts, ctx)
			return func() { t.Errorf("%s: the end of a job is taken in", name) }
		}
		cmds := []tea.Cmd{d.m.seeking.Begin(nil, d.now, run), d.m.figures.Begin(nil, d.now, run),
			d.m.asking.job.Begin(nil, d.now, run)}
		if name != "another file" {
			d.m.start(&work{title: "work"}, func(ctx context.Context, _ *progress.Meter) (func(), error) {
				contexts = append(contexts, ctx)
				return func() {}, nil
			})
			cmds = append(cmds, d.m.started...)
			d.m.started = nil
		}
		brought := make([]tea.Msg, len(cmds))
		for i, cmd := range cmds {
			brought[i] = cmd()
		}
		end(d)
		for i, ctx := range contexts {
			if ctx.Err() == nil {
				t.Errorf("%s: job %d was not cancelled", name, i)
			}
		}
		for _, msg := range brought {
			_, _ = d.m.Update(msg)
		}
	}
}

// A panic in the background ends the program in order, with the path of the session.
func TestPanicInTheBackground(t *testing.T) {
	d := start(t, Options{Path: writeSurvey(t)}, 120, 40).Press("enter", "a", "enter")
	recodeAge(d)
	d.run(d.m.seeking.Begin(nil, d.now, func(context.Context, *progress.Meter) func() { panic("broken") }))
	if !d.quit {
		t.Fatal("the program goes on after a panic")
	}
	journal, err := d.m.ended(nil)
	if err == nil || journal == "" || strings.Contains(err.Error(), "broken") ||
		!strings.Contains(err.Error(), journal) || !strings.Contains(err.Error(), "job_test.go") {
		t.Errorf("after a panic: %q, %v", journal, err)
	}
}

// All background work is a piece of a job: another command could panic without restoring the terminal, or deliver
// stale results.
func TestEveryCommandIsAJobs(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(here, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || filepath.Base(file) == "job.go" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "func() tea.Msg {") || strings.Contains(string(text), "func() (msg tea.Msg)") ||
			strings.Contains(string(text), "go func(") {
			t.Errorf("%s makes a command of its own", filepath.Base(file))
		}
	}
}

// A slow what-if shows its elapsed time and progress; help over the dialog does not restart it.
func TestLongWhatIfShowsProgress(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("K").Hold().Press("right")
	under, running := d.m.asking.running, d.m.asking.job.Meter
	if under == nil {
		t.Fatal("nothing is computed")
	}
	d.m.asking.job.Meter.Set(1, 2)
	d.Dialog().Lacks("counting")
	d.now = d.now.Add(views.Unhurried)
	d.Dialog().Contains("counting 300 ms", "▕", "█")
	d.Press("down", "up", "?", "down", "esc")
	if d.m.asking.running != under || d.m.asking.job.Meter != running {
		t.Error("the figures are computed anew though the question is the same")
	}
	d.Press("right") // another question: it waits for the figures of the first, but not for long
	if d.m.asking.running != under || d.m.asking.question == under {
		t.Error("the figures of the first question are given up at once")
	}
	d.Press("left")
	d.Release()
	if a := d.m.asking.answer; a.Pending || a.WhatIf.Report.Suppression.K != 4 {
		t.Errorf("pending %v, k %d", a.Pending, a.WhatIf.Report.Suppression.K)
	}
	d.Dialog().Lacks("counting")
}

// A step applied while its what-if is running takes over that computation with its progress; esc then cancels
// both.
func TestStepJoinsItsWhatIf(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("K").Hold().Press("right")
	under := &d.m.asking.job
	var ctx context.Context
	question := d.m.asking.running
	d.run(under.Begin(d.m.dialog, d.now,
		func(c context.Context, _ *progress.Meter) func() { ctx = c; return nil }))
	d.held[len(d.held)-1]()
	under.Meter.Set(1, 2)
	d.Press("enter")
	if d.m.work == nil || ctx.Err() != nil {
		t.Fatalf("work %v; the what-if was ended: %v", d.m.work, ctx.Err())
	}
	d.Screen().Contains("█")
	if d.m.asking.running != nil || under.Runs() || question == nil {
		t.Error("the question still waits for its answer")
	}
	d.Press("esc")
	if ctx.Err() == nil {
		t.Error("the what-if goes on though the step was given up")
	}
	d.Release()
	if len(d.steps()) != 0 {
		t.Errorf("steps %q", d.steps())
	}
	d.Press("K").Hold().Press("right", "enter").Release()
	if steps := d.steps(); len(steps) != 1 || !strings.Contains(steps[0], "k=4") {
		t.Errorf("steps %q", steps)
	}
}

// A step applied while a search for it is running does not take over the running piece, which gives no step.
func TestStepDoesNotJoinASearch(t *testing.T) {
	d := guide(t, 120, 40).Press("K", "down", "down", "right", "up", "up").Hold().Press("right")
	under, step := d.m.asking.running, d.m.dialog.(interface{ Step() session.StepSpec }).Step()
	if under == nil || under.Search == 0 || !under.Makes(step) {
		t.Fatalf("under way is %+v", under)
	}
	d.Press("enter")
	if d.m.work == nil || d.m.work.joined != nil {
		t.Errorf("work %+v", d.m.work)
	}
	d.Release()
	if steps := d.steps(); len(steps) != 1 || !strings.Contains(steps[0], "k=4") {
		t.Errorf("steps %q", steps)
	}
}

// A question asked again continues with its search.
func TestSearchIsNotBegunTwice(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("K")
	d.Press("down", "down", "right", "up", "up", "right", "left")
	first := d.m.asking.search
	d.Press("right")
	if second := d.m.asking.search; first == nil || second == nil || second == first {
		t.Fatalf("searches %p and %p of two questions", first, second)
	}
	d.Press("left")
	if d.m.asking.search != first || d.m.asking.answer.Pending {
		t.Errorf("the search of a question that was answered is begun anew; pending %v", d.m.asking.answer.Pending)
	}
}
