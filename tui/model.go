package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// Model is the running program: which room it is in, the session that is
// worked on, the dialog that is open and the work that runs.
type Model struct {
	options       Options
	width, height int
	dark          bool
	theme         *views.Theme

	page    page       // the room before the workbench; nil in the workbench
	bench   *workbench // nil until a file is open
	dialog  Dialog     // nil: none is open
	covered Dialog     // the dialog below the open one; nil: none
	editing *editing   // the step that the dialog changes; nil: it makes a new one
	asking  asking
	seeking seeking
	work    *work                    // nil: none runs
	works   int                      // begun so far
	looking bool                     // the focused pane is to look through more records
	queue   []func(m *Model) tea.Cmd // what waits for work to end

	notice   notice   // on the status line until the next key
	notices  []notice // the last ones
	mouseOff bool
	journal  string // where an ended session can be resumed
}

// New returns the program in its first room.
func New(options Options) *Model {
	options.complete()
	m := &Model{options: options, width: 80, height: 24, dark: options.Theme != "light"}
	m.dress()
	return m
}

// dress takes the theme of the options and the terminal.
func (m *Model) dress() {
	m.theme = views.NewTheme(m.dark, m.options.Theme != "none")
}

// Init asks the terminal for its background and opens what the options say.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.begins())
}

// Update carries out one message. All that changes the program happens here.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	return m, tea.Batch(m.update(msg), m.look(), m.seek())
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		if m.options.Theme == "" {
			m.dark = msg.IsDark()
			m.dress()
		}
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case tea.MouseClickMsg:
		return m.click(msg.X, msg.Y)
	case tea.MouseWheelMsg:
		return m.wheel(msg)
	case tickMsg:
		if m.work != nil && m.work.id == msg.id {
			return m.tick(msg.id)
		}
	case workDoneMsg:
		return m.finish(msg)
	case figuresMsg:
		return m.show(msg)
	case askMsg:
		return m.begin(msg.epoch)
	case needMsg:
		return m.need(msg.epoch)
	case searchMsg:
		return m.searched(msg)
	case answerMsg:
		return m.receive(msg)
	case seekMsg:
		return m.sought(msg)
	case profileMsg:
		return m.profiled(msg)
	case lookMsg:
		m.lookOn()
	}
	return nil
}

// paste types a text where one is being typed.
func (m *Model) paste(text string) tea.Cmd {
	if !m.typing() {
		return nil
	}
	var commands []tea.Cmd
	for _, r := range strings.Map(printable, text) {
		commands = append(commands, m.key(tea.KeyPressMsg{Code: r, Text: string(r)}))
	}
	return tea.Batch(commands...)
}

// printable lets no control character of a pasted text act as a key.
func printable(r rune) rune {
	if r == '\n' || r == '\t' {
		return ' '
	}
	if r < ' ' || r == 0x7f {
		return -1
	}
	return r
}

// typing reports whether letters are text now.
func (m *Model) typing() bool {
	switch {
	case m.dialog != nil:
		return m.dialog.Typing()
	case m.page != nil:
		return m.page.Typing()
	default:
		typist, ok := m.focused().(interface{ Typing() bool })
		return ok && typist.Typing()
	}
}

func (m *Model) focused() views.Pane {
	if m.bench == nil {
		return nil
	}
	return m.bench.focused()
}
