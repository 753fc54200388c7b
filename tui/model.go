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

// Model is the running program: which room it is in, the session that is
// worked on, the dialog that is open and the work that runs.
type Model struct {
	options       Options
	width, height int
	dark          bool
	theme         *draw.Theme

	page    dialogs.Room   // the room before the workbench; nil in the workbench
	bench   *workbench     // nil until a file is open
	dialog  dialogs.Dialog // nil: none is open
	covered dialogs.Dialog // the dialog below the open one; nil: none
	editing *editing       // the step that the dialog changes; nil: it makes a new one

	learning   *learning  // nil: no lesson is being taken
	lessonOpen bool       // the file is that of a lesson, which may have ended
	left       *workbench // that made way for a lesson; nil: none did
	asking     asking
	seeking    job.Job // searches of what is open
	later      job.Job // later steps that are done again on top of a changed one
	figures    job.Job // the figures of the session's data
	trying     job.Job // candidates
	measuring  job.Job // the measures that are open
	grading    grading
	work       *work             // nil: none runs
	queue      []func()          // what waits for work to end
	ahead      []tea.KeyPressMsg // keys that wait for a file
	started    []tea.Cmd         // that run beside the program after this message
	ticking    bool              // progress is going to be looked at
	broken     error             // a panic of work in the background; the program ends

	listed map[[2]bool][]command // by whether a file is open, and the tab Numeric; made when first asked for

	notice   notice   // on the status line until the next key
	notices  []notice // the last ones
	chosen   []string // names of the commands that were chosen from the palette, the last first
	mouseOff bool
	bare     bool // what codes and variables mean is hidden
}

// New returns the program in its first room.
func New(options Options) *Model {
	options.complete()
	m := &Model{options: options, width: 80, height: 24, dark: options.Theme != "light",
		listed: map[[2]bool][]command{}}
	m.applyTheme()
	return m
}

// applyTheme takes the theme of the options and the terminal.
func (m *Model) applyTheme() {
	m.theme = draw.NewTheme(m.dark, m.options.Theme != "none")
}

// Init asks the terminal for its background and opens what the options say.
func (m *Model) Init() tea.Cmd {
	m.run(tea.RequestBackgroundColor)
	m.openFirst()
	if m.page == nil { // the start page does it, beside the files of recent sessions too
		m.sweep(nil)
	}
	return m.running()
}

// Update carries out one message. All that changes the program happens here.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.update(msg)
	if m.bench != nil {
		m.bench.large = m.width >= largeWidth && m.height >= largeHeight
	}
	m.settleLesson()
	m.settleVariable()
	m.ask()
	m.seek()
	m.grade()
	m.readFile()
	m.tick()
	return m, m.running()
}

// run has a command run beside the program after the message that is carried out.
func (m *Model) run(cmd tea.Cmd) { m.started = append(m.started, cmd) }

// running returns the commands that are to run, once.
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

// paste types a text where one is being typed.
func (m *Model) paste(text string) {
	if !m.typing() {
		return
	}
	for _, r := range strings.NewReplacer("\n", " ", "\t", " ").Replace(text) {
		msg := tea.KeyPressMsg{Code: r, Text: string(r)}
		if unicode.IsControl(r) || m.besideLesson() && !m.typesBesideLesson() && !m.learning.part.Takes(msg) {
			continue // none of a pasted text acts as a key
		}
		m.key(msg)
	}
}

// typing reports whether letters are text now.
func (m *Model) typing() bool {
	switch {
	case m.typesBesideLesson():
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

// Run runs the program in the terminal until it is quit or the context ends. It returns the path of the
// session's journal; "" if there is none. After a panic the terminal is
// restored and the error says where the session can be continued.
func Run(ctx context.Context, options Options) (journal string, err error) {
	m := New(options)
	orderly := &orderly{Model: m}
	program := newProgram(orderly, os.Stdin, os.Stdout)
	orderly.end = program.Quit
	return m.ended(runUntil(ctx, program))
}

// runUntil runs a program until it is quit or the context ends.
func runUntil(ctx context.Context, program *tea.Program) error {
	defer context.AfterFunc(ctx, program.Quit)()
	_, err := program.Run()
	return err
}

// unfinished is how long the program waits at its end for the work that was cancelled to remove what it has not finished.
const unfinished = 3 * time.Second

// ended lets go of the session after the program has ended, in whatever way: it
// was quit, a signal came, or a panic, which Bubble Tea has caught.
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

// quit ends the program; while work runs it asks first. Every step that was
// shown is on disk already.
func (m *Model) quit() {
	if m.work == nil {
		m.letGo("quit", m.end)
		return
	}
	if m.dialog != nil && m.dialog.Title() == quitQuestion {
		m.end()
		return // the second time it is meant
	}
	kept := "All steps before it are kept."
	if m.options.NoTrace {
		kept = "No step of this session is kept."
	}
	m.cover(dialogs.NewConfirm(quitQuestion, m.work.title+" is not finished and would be lost. "+kept,
		"quit", m.end))
}

// end cancels everything and leaves; the session is let go of when the program
// has ended.
func (m *Model) end() {
	m.stopJobs()
	m.run(tea.Quit)
}
