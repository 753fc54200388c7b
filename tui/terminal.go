package tui

import (
	"errors"
	"io"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/crash"
)

// newProgram returns the program that reads keys from in and draws on out.
func newProgram(m tea.Model, in *os.File, out io.Writer) *tea.Program {
	ahead, input := new(keyQueue), &terminal{File: in}
	p := tea.NewProgram(m, tea.WithInput(input), tea.WithOutput(out), tea.WithFilter(ahead.filter))
	ahead.send, input.gone = p.Send, p.Quit
	go ahead.askSize(time.Sleep)
	return p
}

// askSize asks for the size of the terminal a few times after the start. A terminal that gets its size only then,
// as in containers, may do so before its signals are handled.
func (a *keyQueue) askSize(sleep func(time.Duration)) {
	for wait := 50 * time.Millisecond; wait <= 800*time.Millisecond; wait *= 2 {
		sleep(wait)
		a.send(tea.RequestWindowSize())
	}
	a.sized.Store(true)
}

// quietTerminal is the program in a terminal. A panic in Update or View ends it like a panic in a job, because otherwise
// a stack trace with the arguments of all calls would be printed on the terminal.
type quietTerminal struct {
	*Model
	end func()
}

// Update handles one message.
func (o *quietTerminal) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	defer o.catch()
	_, cmd := o.Model.Update(msg)
	return o, cmd
}

// View draws the whole screen.
func (o *quietTerminal) View() tea.View {
	defer o.catch()
	return o.Model.View()
}

// catch ends the program after a panic.
func (o *quietTerminal) catch() {
	if reason := recover(); reason != nil {
		o.broken = errors.New(string(crash.ReportOf(reason)))
		go o.end() // end waits for the program's turn
	}
}

// terminal is the source of keys. If it disappears, the program ends; a signal may not arrive or may be ignored.
type terminal struct {
	*os.File
	gone func()
}

// Read reads what was typed.
func (t *terminal) Read(typed []byte) (int, error) {
	n, err := t.File.Read(typed)
	if err != nil {
		go t.gone() // gone waits for the program's turn, which the reader must not
		return n, io.EOF
	}
	return n, nil
}

// keyQueue queues what is typed, pasted and clicked until the program has time for it, so that ctrl+c takes
// effect before thousands of queued keys, which it discards.
type keyQueue struct {
	waiting []tea.Msg
	asked   bool // an inputMsg is on its way
	grew    bool // messages arrived since the last inputMsg
	send    func(tea.Msg)

	size  tea.WindowSizeMsg // the latest one
	sized atomic.Bool       // askSize has ended
}

// inputMsg asks for the first queued message.
type inputMsg struct{}

// filter takes a message and returns the one that the program must handle now, or nil.
func (a *keyQueue) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch m := msg.(type) {
	case inputMsg:
		return a.next()
	case tea.KeyPressMsg:
		if m.Code == 'c' && m.Mod == tea.ModCtrl {
			a.waiting = nil
			return msg
		}
	case tea.WindowSizeMsg:
		if m == a.size && m.Width > 0 && !a.sized.Load() {
			return nil // the same size again: no need to redraw
		}
		a.size = m
		return msg
	case tea.PasteMsg, tea.MouseClickMsg, tea.MouseWheelMsg:
	default:
		return msg
	}
	a.waiting, a.grew = append(a.waiting, msg), true
	if !a.asked {
		a.ask()
	}
	return nil
}

// next returns the first queued message, once no more arrive.
func (a *keyQueue) next() (first tea.Msg) {
	a.asked = false
	if len(a.waiting) == 0 {
		return nil
	}
	if !a.grew {
		first, a.waiting = a.waiting[0], a.waiting[1:]
	}
	a.grew = false
	if len(a.waiting) > 0 {
		a.ask()
	}
	return first
}

// ask schedules the request for the next message.
func (a *keyQueue) ask() {
	a.asked = true
	go a.request()
}

// request asks for the next message, after those being read.
func (a *keyQueue) request() {
	runtime.Gosched()
	a.send(inputMsg{})
}
