package tui

import (
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"

	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// keyCell is a key in the bottom line with its columns.
type keyCell struct {
	binding  key.Binding
	from, to int
}

// keyCells lays out as many of the usable keys as fit in width cells. The way out and help are always included,
// after the others.
func (m *Model) keyCells(width int) []keyCell {
	keys, always := m.shownKeys()
	for len(always) > 1 && sizeOf(always...) > width {
		always = always[1:]
	}
	fitting := 0
	for space := width - sizeOf(always...); fitting < len(keys) && sizeOf(keys[:fitting+1]...) <= space; {
		fitting++
	}
	var cells []keyCell
	used := 0
	for _, binding := range slices.Concat(keys[:fitting], always) {
		cells = append(cells, keyCell{binding, used, used + sizeOf(binding)})
		used += sizeOf(binding)
	}
	return cells
}

// sizeOf returns the width of bindings in the bottom line.
func sizeOf(bindings ...key.Binding) int {
	size := 0
	for _, binding := range bindings {
		if help := binding.Help(); help.Key != "" && binding.Enabled() {
			size += draw.Width(help.Key) + draw.Width(help.Desc) + 3
		}
	}
	return size
}

// keyLine draws the bottom line of keys.
func (m *Model) keyLine(width int) string {
	var line strings.Builder
	for _, c := range m.keyCells(width) {
		if help := c.binding.Help(); c.to > c.from {
			line.WriteString(" " + m.theme.Key.Render(help.Key) + " " + m.theme.KeyText.Render(help.Desc) + " ")
		}
	}
	return line.String()
}

// ownFirst is the number of keys of a pane before the global ones.
const ownFirst = 5

// shownKeys returns the bindings of the bottom line in order of importance, and those that are always shown.
func (m *Model) shownKeys() (keys, always []key.Binding) {
	switch {
	case m.typingDuringLesson():
		return m.focused().Keys(), nil
	case m.dialog != nil:
		// Apply and cancel are last among a dialog's keys and first in the line.
		all := m.dialog.Keys()
		n := max(0, len(all)-2)
		keys = slices.Concat(all[n:], all[:n])
		if sizeOf(all[n:]...) > m.width {
			slices.Reverse(keys[:len(all)-n]) // at least the way out, if there is room for one
		}
		if d, ok := m.dialog.(dialogs.HelpPage); ok && !d.Typing() && d.Page() != nil {
			keys = append(keys, draw.Bind("?", "help"))
		}
		slices.SortStableFunc(keys, func(a, b key.Binding) int { return rank(a) - rank(b) })
		if m.inLesson() {
			keys = m.commandKeys(keys, func(c *command) bool { return c.short })
		}
		return keys, nil
	case m.opening():
		return nil, []key.Binding{draw.Bind("esc", "cancel")}
	case m.page != nil:
		return enterFirst(m.page.Keys()), m.commandKeys(always,
			func(c *command) bool { return c.short && c.anywhere && !m.page.Typing() })
	case m.bench == nil:
		return nil, []key.Binding{draw.Bind("q", "quit")}
	case m.typing():
		return m.focused().Keys(), nil
	}
	switch {
	case len(m.bench.drill) > 0:
		keys = append(keys, draw.Bind("esc", "back"))
	case m.small() && len(m.bench.names()) > 1:
		keys = append(keys, draw.Bind("tab", "next pane"))
	}
	own, arrows := m.focused().Keys(), []key.Binding(nil)
	if m.small() && len(own) > 0 && strings.Contains(own[0].Help().Key, "↑") {
		own, arrows = own[1:], own[:1] // last if there is little room, because everybody tries them
	}
	does := func(c *command) bool { // a key that the pane has too is shown once
		return slices.ContainsFunc(own, func(b key.Binding) bool { return b.Help().Desc == c.binding.Help().Desc })
	}
	first := func(c *command) bool { return c.numeric && m.inNumeric() && len(m.bench.drill) == 0 }
	keys = append(m.commandKeys(keys, first), own[:min(len(own), ownFirst)]...)
	keys = append(m.commandKeys(keys, func(c *command) bool { return c.short && !c.anywhere && !does(c) && !first(c) }),
		arrows...)
	keys = append(keys, own[min(len(own), ownFirst):]...)
	return keys, m.commandKeys(nil, func(c *command) bool { return c.short && c.anywhere })
}

// rank returns 1 for rare keys, which come last.
func rank(binding key.Binding) int {
	if dialogs.Rare(binding) {
		return 1
	}
	return 0
}

// enterFirst moves the enter key to the front.
func enterFirst(keys []key.Binding) []key.Binding {
	at := slices.IndexFunc(keys, func(b key.Binding) bool { return slices.Contains(b.Keys(), "enter") })
	if at < 0 {
		return keys
	}
	return slices.Concat(keys[at:at+1], keys[:at], keys[at+1:])
}

// commandKeys appends the keys of the wanted commands that can be used now.
func (m *Model) commandKeys(keys []key.Binding, wanted func(c *command) bool) []key.Binding {
	commands := m.commands()
	for i := range commands {
		if c := &commands[i]; wanted(c) && c.why(m) == "" {
			keys = append(keys, m.named(c))
		}
	}
	return keys
}

// named returns the key of a command with the variable it applies to: "recode age".
func (m *Model) named(c *command) key.Binding {
	if !c.variable || m.bench == nil || m.bench.selected.Variable == "" {
		return c.binding
	}
	if c.numeric && m.inNumeric() {
		text := map[string]string{"r": "recode", "T": "top-code"}[c.binding.Help().Key]
		return draw.Bind(c.binding.Help().Key, text) // the variable is under the cursor
	}
	const longest = 16
	name, help := draw.Safe(m.bench.selected.Variable), c.binding.Help()
	if draw.Width(name) > longest {
		name = draw.Fit(name, longest)
	}
	return key.NewBinding(key.WithKeys(c.binding.Keys()...), key.WithHelp(help.Key, help.Desc+" "+name))
}

// clickKey presses the key at a column of the bottom line.
func (m *Model) clickKey(x int) {
	for _, c := range m.keyCells(m.width) {
		if names := c.binding.Keys(); x >= c.from && x < c.to &&
			(len(names) == 1 || slices.Contains(names, c.binding.Help().Key)) {
			m.key(draw.Press(names[0]))
			return
		}
	}
}

// notice is a message on the status line.
type notice struct {
	text    string
	isError bool
	at      time.Time
}

// keptNotices is the number of messages that can be read again.
const keptNotices = 100

// say shows a message until the next key.
func (m *Model) say(text string) { m.notify(text, false) }

// notify shows a message, or an error, until the next key.
func (m *Model) notify(text string, isError bool) {
	m.notice = notice{database.Redacted(text), isError, m.options.Now()}
	m.notices = append(m.notices, m.notice)
	m.notices = m.notices[max(0, len(m.notices)-keptNotices):]
}

// refuse shows the reason why something is not done.
func (m *Model) refuse(why string) {
	m.notify(why, true)
}

// fail shows an error.
func (m *Model) fail(err error) { m.refuse(err.Error()) }

// failed shows an error, if there is one, and reports whether there is.
func (m *Model) failed(err error) bool {
	if err != nil {
		m.fail(err)
	}
	return err != nil
}

// progressLine shows the running work, its progress, and the key that cancels it.
func (m *Model) progressLine(width int) string {
	text := " " + draw.Safe(m.work.title) + "  " + m.elapsed() + "  "
	const end = "  esc cancels"
	space := width - draw.Width(text) - len(end) - 2
	if space < 5 {
		return m.theme.Warning.Fit(text+end, width)
	}
	return m.theme.Warning.Render(text) + m.progressBar(min(40, space)) + m.theme.Faint.Render(end)
}

// progressBar draws the progress of the work.
func (m *Model) progressBar(width int) string {
	return views.ProgressBar(m.theme, m.work.Meter.Fraction(), width)
}

// elapsed returns the elapsed time of the work, and the remaining time if it can be estimated.
func (m *Model) elapsed() string {
	now := m.options.Now()
	text := draw.Duration(now.Sub(m.work.Started))
	if left := m.work.pace.left(now); left != "" {
		text += ", " + left
	}
	return text
}

// openingPage is shown while a session is being opened.
func (m *Model) openingPage(width int) string {
	return strings.Join([]string{
		m.theme.Title.Fit("sdcdesk", width), "",
		m.theme.Strong.Fit("  "+m.work.title, width), "",
		"  " + m.progressBar(max(1, min(60, width-6))), "",
		m.theme.Faint.Fit("  "+m.elapsed()+"   esc cancels", width),
	}, "\n")
}
