package tui

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/job"
	"github.com/sdcdesk/sdcdesk/tui/pages"
)

// counting counts the keys that the program handles, with a delay for each.
type counting struct {
	*Model
	keys int
}

func (c *counting) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		c.keys++
		time.Sleep(time.Millisecond)
	}
	_, cmd := c.Model.Update(msg)
	return c, cmd
}

// Typed keys arrive in order, one after the other.
func TestTypedAheadComesInOrder(t *testing.T) {
	asked := make(chan tea.Msg)
	ahead := &keyQueue{send: func(msg tea.Msg) { asked <- msg }}
	sent := []tea.Msg{tea.KeyPressMsg{Code: 'a'}, tea.PasteMsg{Content: "b"}, tea.MouseClickMsg{X: 1},
		tea.MouseWheelMsg{Y: 2}, tea.KeyPressMsg{Code: 'c'}}
	for _, msg := range sent {
		if now := ahead.filter(nil, msg); now != nil {
			t.Errorf("%v does not wait", now)
		}
	}
	if resized := (tea.WindowSizeMsg{Width: 80}); ahead.filter(nil, resized) != tea.Msg(resized) {
		t.Error("what is not typed waits")
	}
	var taken []tea.Msg
	for len(taken) < len(sent) {
		if msg := ahead.filter(nil, <-asked); msg != nil {
			taken = append(taken, msg)
		}
	}
	for i := range sent {
		if taken[i] != sent[i] {
			t.Errorf("message %d is %v, not %v", i, taken[i], sent[i])
		}
	}
	if ahead.asked || len(ahead.waiting) > 0 {
		t.Error("more is asked for")
	}
	ahead.filter(nil, sent[0])
	if msg := ahead.filter(nil, <-asked); msg != nil {
		t.Error("a key is taken while more may come")
	}
	ahead.filter(nil, <-asked)
}

// ctrl+c overtakes waiting keys, which are discarded.
func TestControlCComesFirst(t *testing.T) {
	asked := make(chan tea.Msg)
	ahead := &keyQueue{send: func(msg tea.Msg) { asked <- msg }}
	for range 5000 {
		ahead.filter(nil, tea.KeyPressMsg{Code: tea.KeyDown})
	}
	end := tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}
	if ahead.filter(nil, end) != tea.Msg(end) {
		t.Error("ctrl+c waits")
	}
	if msg := ahead.filter(nil, <-asked); msg != nil || len(ahead.waiting) > 0 {
		t.Errorf("%v comes after ctrl+c", msg)
	}
	if ahead.filter(nil, end); ahead.asked {
		t.Error("nothing waits, and it is asked for")
	}
}

// whole runs the program with keys from a pipe, which stays open if open is set, and returns the number of keys
// handled until the program ended.
func whole(t *testing.T, typed string, open bool) int {
	t.Helper()
	in, keyboard, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	go func() {
		_, _ = io.WriteString(keyboard, typed)
		if !open {
			_ = keyboard.Close()
		}
	}()
	c := &counting{Model: New(Options{Theme: "none",
		Recent: func(*session.MethodSource) ([]session.JournalInfo, error) { return nil, nil }})}
	if _, err := newProgram(c, in, io.Discard).Run(); err != nil {
		t.Error(err)
	}
	return c.keys
}

// The real program ends at ctrl+c before it has handled all keys typed before.
func TestControlCOvertakes(t *testing.T) {
	if keys := whole(t, strings.Repeat("\x1b[B", 5000)+"\x03", true); keys > 2500 {
		t.Errorf("%d keys were taken before ctrl+c", keys)
	}
}

// Without its terminal the program ends, even without a signal.
func TestTheProgramEndsWithItsTerminal(t *testing.T) {
	whole(t, "", false)
}

// The program ends with its context, and waits for cancelled work to clean up.
func TestTheProgramEndsWithItsContext(t *testing.T) {
	in, keyboard, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer keyboard.Close()
	ctx, cancel := context.WithCancel(t.Context())
	m := New(Options{Theme: "none", NoTrace: true})
	cleared, begun := false, make(chan struct{})
	m.start(&work{title: "writing"}, func(ctx context.Context, _ *progress.Meter) (func(), error) {
		close(begun)
		<-ctx.Done()
		time.Sleep(50 * time.Millisecond)
		cleared = true
		return nil, ctx.Err()
	})
	go m.running()()
	go func() {
		<-begun
		cancel()
	}()
	if err := runUntil(ctx, newProgram(m, in, io.Discard)); err != nil {
		t.Error(err)
	}
	if _, err := m.ended(nil); err != nil || !cleared {
		t.Errorf("the work has cleared up: %v, %v", cleared, err)
	}
}

// A panic in Update or View ends the program, without printing arguments of calls.
func TestPanicInTheTurnEndsTheProgram(t *testing.T) {
	for name, panics := range map[string]func(o *quietTerminal){
		"job.go":  func(o *quietTerminal) { o.Update(job.Msg{}) },
		"view.go": func(o *quietTerminal) { o.theme = nil; o.View() },
	} {
		ended := make(chan struct{})
		o := &quietTerminal{Model: New(Options{NoTrace: true}), end: func() { close(ended) }}
		o.page = pages.NewStart(nil, nil)
		panics(o)
		<-ended
		_, err := o.ended(nil)
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "0x") {
			t.Errorf("after a panic in %s: %v", name, err)
		}
	}
}

// The size is asked for again after the start, and an unchanged size is ignored.
func TestSizeIsAskedForAfterTheStart(t *testing.T) {
	asked, waited := 0, time.Duration(0)
	a := &keyQueue{send: func(tea.Msg) { asked++ }}
	a.askSize(func(wait time.Duration) {
		waited += wait
		for _, c := range []struct {
			size tea.WindowSizeMsg
			done bool
		}{{tea.WindowSizeMsg{}, true}, {tea.WindowSizeMsg{Width: 80, Height: 24}, true}, {tea.WindowSizeMsg{Width: 80, Height: 24}, false}} {
			if got := a.filter(nil, c.size); (got != nil) != c.done {
				t.Errorf("%v is given to the program as %v", c.size, got)
			}
		}
	})
	if asked < 4 || waited < time.Second || waited > 3*time.Second {
		t.Errorf("asked %d times in %v", asked, waited)
	}
	if a.filter(nil, a.size) == nil {
		t.Error("a later signal is not heard")
	}
}
