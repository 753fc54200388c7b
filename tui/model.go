package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/job"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Model is the running program: the current page, the session, the open dialog and the running work.
type Model struct {
	options       Options
	width, height int
	dark          bool
	theme         *draw.Theme

	page    dialogs.Room   // full-screen page; nil in the workbench
	bench   *workbench     // nil until a file is open
	dialog  dialogs.Dialog // nil: none
	covered dialogs.Dialog // the dialog below the open one; nil: none
	editing *editing       // the step that the dialog changes; nil: it adds a new one

	learning   *lessonState // nil: no lesson
	lessonOpen bool         // the file belongs to a lesson, which may have ended
	left       *workbench   // the session replaced by a lesson; nil: none
	asking     previewQuestion
	seeking    job.Job // searches of dialogs, pages and panes
	later      job.Job // replay of the steps after a changed one
	figures    job.Job // figures of the session's data
	trying     job.Job // candidates
	measuring  job.Job // active measures
	grading    grading
	work       *work             // nil: none
	queue      []func()          // postponed until the work ends
	ahead      []tea.KeyPressMsg // keys that wait for a file
	started    []tea.Cmd         // commands to run in the background after this message
	ticking    bool              // a tick for progress is scheduled
	broken     error             // a panic in background work, which ends the program

	listed map[[2]bool][]command // by whether a file is open and the tab is Numeric; built on demand

	notice   notice   // message on the status line until the next key
	notices  []notice // the latest messages
	chosen   []string // names of commands chosen from the palette, the latest first
	mouseOff bool
	bare     bool // labels of codes and variables are hidden
}

// New returns the program before it has opened anything.
func New(options Options) *Model {
	options.complete()
	m := &Model{options: options, width: 80, height: 24, dark: options.Theme != "light",
		listed: map[[2]bool][]command{}}
	m.applyTheme()
	return m
}

// applyTheme sets the theme from the options and the terminal.
func (m *Model) applyTheme() {
	m.theme = draw.NewTheme(m.dark, m.options.Theme != "none")
}

// Init asks the terminal for its background colour and opens what the options say.
func (m *Model) Init() tea.Cmd {
	m.run(tea.RequestBackgroundColor)
	m.openFirst()
	if m.page == nil { // the start page does this, also for the folders of recent sessions
		m.sweep(nil)
	}
	return m.running()
}

// Update handles one message. The state of the program changes only here.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.update(msg)
	if m.bench != nil {
		m.bench.large = m.width >= largeWidth && m.height >= largeHeight
	}
	m.showLesson()
	m.selectVariable()
	m.ask()
	m.seek()
	m.grade()
	m.readFile()
	m.tick()
	return m, m.running()
}

// run schedules a command to run in the background after the current message.
func (m *Model) run(cmd tea.Cmd) { m.started = append(m.started, cmd) }

// running returns the scheduled commands, once.
func (m *Model) running() tea.Cmd {
	commands := m.started
	m.started = nil
	return tea.Batch(commands...)
}

// begin runs a piece of a job for an owner.
func (m *Model) begin(j *job.Job, owner any, piece job.Piece) {
	m.run(j.Begin(owner, m.options.Now(), piece))
}

func (m *Model) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		if m.options.Theme == "" {
			m.dark = msg.IsDark()
			m.applyTheme()
		}
	case tea.KeyPressMsg:
		m.key(msg)
	case tea.PasteMsg:
		m.paste(msg.Content)
	case tea.MouseClickMsg:
		m.click(msg.X, msg.Y)
	case tea.MouseWheelMsg:
		m.wheel(msg)
	case tickMsg:
		m.ticking = false
		if m.work != nil {
			m.work.pace.look(m.options.Now(), m.work.Meter.Fraction())
		}
	case job.Msg:
		msg.TakeIn()
	case job.PanicMsg:
		m.broken = errors.New(string(msg.Report))
		m.end()
	}
}

// paste types a text if one is being typed.
func (m *Model) paste(text string) {
	if !m.typing() {
		return
	}
	for _, r := range strings.NewReplacer("\n", " ", "\t", " ").Replace(text) {
		msg := tea.KeyPressMsg{Code: r, Text: string(r)}
		if unicode.IsControl(r) || m.inLesson() && !m.typingDuringLesson() && !m.learning.part.Takes(msg) {
			continue // pasted text never acts as a key
		}
		m.key(msg)
	}
}

// typing reports whether letters are text now.
func (m *Model) typing() bool {
	switch {
	case m.typingDuringLesson():
		return true
	case m.dialog != nil:
		return m.dialog.Typing()
	case m.page != nil:
		return m.page.Typing()
	default:
		pane := m.focused()
		return pane != nil && pane.Typing()
	}
}

func (m *Model) focused() views.Pane {
	if m.bench == nil {
		return nil
	}
	return m.bench.focused()
}

// Run runs the program in the terminal until it is quit or ctx is done. It returns the path of the session's
// journal, or "". After a panic, the terminal is restored and the error says where the session can be resumed.
func Run(ctx context.Context, options Options) (journal string, err error) {
	m := New(options)
	orderly := &quietTerminal{Model: m}
	program := newProgram(orderly, os.Stdin, os.Stdout)
	orderly.end = program.Quit
	return m.ended(runUntil(ctx, program))
}

// runUntil runs a program until it is quit or ctx is done.
func runUntil(ctx context.Context, program *tea.Program) error {
	defer context.AfterFunc(ctx, program.Quit)()
	_, err := program.Run()
	return err
}

// unfinished is how long the program waits at its end for cancelled work to remove its unfinished files.
const unfinished = 3 * time.Second

// ended closes the session after the program has ended: by quitting, a signal, or a panic, which Bubble Tea has
// recovered.
func (m *Model) ended(err error) (journal string, _ error) {
	m.stopJobs()
	if m.work != nil {
		m.work.Wait(unfinished)
	}
	err = errors.Join(err, m.broken)
	for _, b := range []*workbench{m.bench, m.left} {
		if b != nil {
			journal = cmp.Or(b.doc.JournalPath(), journal)
		}
		err = errors.Join(err, b.close())
	}
	switch {
	case err == nil || errors.Is(err, tea.ErrInterrupted):
		return journal, nil
	case journal == "":
		return "", fmt.Errorf("the program ended unexpectedly: %w", err)
	default:
		return journal,
			fmt.Errorf("the program ended unexpectedly: %w; the session is kept in %s. To resume it, open the file again, or pass "+
				"--session with this path",
				err, journal)
	}
}

const quitQuestion = "Quit while work runs?"

// quit ends the program; while work runs it asks first. Every step shown is on disk already.
func (m *Model) quit() {
	if m.work == nil {
		m.letGo("quit", m.end)
		return
	}
	if m.dialog != nil && m.dialog.Title() == quitQuestion {
		m.end()
		return // asked twice means yes
	}
	kept := "All steps before it are kept."
	if m.options.NoTrace {
		kept = "No step of this session is kept."
	}
	m.cover(dialogs.NewConfirm(quitQuestion, m.work.title+" is not finished and would be lost. "+kept,
		"quit", m.end))
}

// end cancels everything and quits; the session is closed after the program has ended.
func (m *Model) end() {
	m.stopJobs()
	m.run(tea.Quit)
}
