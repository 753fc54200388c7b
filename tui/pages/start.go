package pages

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Start is the first page if no file is named: a line for a file's path, the demonstration, the lessons, and
// recent sessions.
type Start struct {
	recent []session.JournalInfo
	list   draw.Cursor
	err    error // why recent sessions cannot be listed
	at     int   // 0 is the path, then the fixed rows, then the recent sessions
	path   *draw.TextField
	offers []string // completions of the path
}

// fixedRows is the number of rows before the recent sessions.
const fixedRows = 3

// startRow is a fixed row.
type startRow struct {
	text  string
	opens draw.Action
}

// startRows returns the fixed rows after the path.
func startRows() [fixedRows - 1]startRow {
	return [...]startRow{
		{"demonstration  a fictitious survey of 5,000 persons with a scenario", dialogs.OpenDemonstration{}},
		{"lessons        learn disclosure control on small files", dialogs.OpenLessons{}},
	}
}

// NewStart lists the recent sessions, at most 20.
func NewStart(recent []session.JournalInfo, err error) *Start {
	recent = slices.DeleteFunc(slices.Clone(recent), func(info session.JournalInfo) bool { return info.Err != nil })
	return &Start{recent: recent[:min(20, len(recent))], err: err, path: draw.NewTextField(""), at: 1}
}

// Keys returns the keys of the page.
func (p *Start) Keys() []key.Binding {
	keys := []key.Binding{draw.Bind("↑↓", "choose", "up", "down"), draw.Bind("enter", "open")}
	if p.at == 0 {
		keys = append(keys, draw.Bind("tab", "complete the path"))
	}
	return keys
}

// Typing reports whether the path is in focus, so that letters are text.
func (p *Start) Typing() bool { return p.at == 0 }

// HandleKey moves and types. A slash, dot or tilde typed elsewhere starts the path.
func (p *Start) HandleKey(msg tea.KeyPressMsg, _ views.State) draw.Action {
	switch pressed := msg.String(); {
	case pressed == "up":
		p.at = max(0, p.at-1)
	case pressed == "down":
		p.at = min(fixedRows+len(p.recent)-1, p.at+1)
	case pressed == "enter":
		return p.enter()
	case p.at != 0 && (pressed == "/" || pressed == "." || pressed == "~"):
		p.at = 0
		p.path.Handle(msg)
	case p.at != 0:
		return nil
	case pressed == "tab":
		p.complete()
	case pressed == "esc":
		p.at, p.offers = 1, nil
	default:
		p.path.Handle(msg)
		p.offers = nil
	}
	return nil
}

func (p *Start) enter() draw.Action {
	switch {
	case p.at == 0 && strings.TrimSpace(p.path.Text()) == "":
		return nil
	case p.at == 0:
		return dialogs.OpenPath{Path: dialogs.ExpandHome(p.path.Text())}
	case p.at < fixedRows:
		return startRows()[p.at-1].opens
	default:
		return dialogs.Continue{Journal: p.recent[p.at-fixedRows]}
	}
}

// complete extends the path to the common beginning of all matching files.
func (p *Start) complete() {
	folder, start := filepath.Split(dialogs.ExpandHome(p.path.Text()))
	entries, _ := os.ReadDir(cmp.Or(folder, ".")) // a folder that cannot be read has no entries
	p.offers = nil
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, start) || start == "" && strings.HasPrefix(name, ".") {
			continue
		}
		if entry.IsDir() {
			name += string(filepath.Separator)
		}
		p.offers = append(p.offers, name)
	}
	if len(p.offers) == 0 {
		return
	}
	if common := commonStart(slices.Min(p.offers), slices.Max(p.offers)); len(common) > len(start) {
		p.path.Set(folder + common)
	}
	if len(p.offers) == 1 {
		p.offers = nil
	}
}

// commonStart returns the common beginning of two names, and of all names sorted between them.
func commonStart(a, b string) string {
	for i, r := range a {
		if !strings.HasPrefix(b[i:], string(r)) {
			return a[:i]
		}
	}
	return a
}

// View draws the page.
func (p *Start) View(s views.State, width, height int) string {
	theme := s.Theme
	const roomy = 8 // with fewer lines only the choices are shown
	var lines []string
	if height >= roomy {
		lines = []string{theme.Title.Fit("sdcdesk", width),
			theme.Faint.Fit("a workbench for statistical disclosure control of survey files", width), ""}
	}
	lines = append(lines, p.rowPath(theme, width))
	for _, offer := range p.offers[:min(6, len(p.offers))] {
		lines = append(lines, theme.Faint.Fit("               "+offer, width))
	}
	for i, row := range startRows() {
		mark, style := "  ", theme.Plain
		if p.at == i+1 {
			mark, style = "▸ ", theme.Selected
		}
		lines = append(lines, style.Fit(mark+row.text, width))
	}
	switch {
	case height < roomy && p.at >= fixedRows:
		lines = nil
	case height < roomy && p.at > 1:
		lines = lines[p.at-1:]
	case height >= roomy:
		lines = append(lines, "")
	}
	switch {
	case p.err != nil:
		lines = theme.Warning.Append(lines, p.err.Error(), width)
	case len(p.recent) > 0:
		t := p.sessions()
		lines = append(lines, t.Lines(s.Look, &p.list, width, max(2, height-len(lines)), true)...)
	}
	return draw.Within(theme, lines, width, height)
}

func (p *Start) rowPath(theme *draw.Theme, width int) string {
	const head = "open a file    "
	if p.at != 0 {
		text := p.path.Text()
		if text == "" {
			text = "type a path; tab completes it"
		}
		return "  " + theme.Plain.Render(head) + theme.Faint.Fit(text, max(1, width-len(head)-2))
	}
	return theme.Strong.Render("▸ "+head) + p.path.View(theme, max(1, width-len(head)-2))
}

// sessions has one row per recent session: file, steps, time, and what to know before opening it.
func (p *Start) sessions() draw.Table {
	return draw.Table{
		Columns: []draw.Column{{Head: "recent sessions", Most: 60, Least: 12}, {Kind: draw.Values, Rank: 2},
			{Rank: 3}, {Most: 40, Least: 8, Rank: 1}},
		Rows: len(p.recent), Indent: 2,
		Row: func(row int) []draw.Cell {
			info, note := &p.recent[row], ""
			switch {
			case info.InUse:
				note = "in use by another program"
			case info.Damage != nil:
				note = "line " + wording.Number(info.Damage.Line) + " of its file cannot be read"
			case info.Changed:
				note = "the file has changed since"
			}
			return []draw.Cell{{Text: session.Called(info.Identity.Path)},
				{Text: wording.Counted(info.Position, "step")},
				{Text: info.Modified.Local().Format("2 Jan 2006 15:04")}, {Text: note}}
		},
		Follows: true, Selected: p.at - fixedRows,
	}
}
