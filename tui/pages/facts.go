package pages

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/inspect"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// facts is the description of the file before any variable has a role.
type facts struct {
	suggested []microdata.Suggestion
	found     *inspect.Report // nil: not known yet
	open      bool            // it takes the whole page and the keys
	at        int             // the first visible line
}

// ShowFacts opens the description of the file.
func (p *Variables) ShowFacts() { p.facts.open, p.facts.at = true, 0 }

// seek examines the file, once.
func (f *facts) seek(data *microdata.Dataset, measures measure.Catalog) views.Piece {
	if f.found != nil {
		return nil
	}
	return func(ctx context.Context, _ time.Duration) func() {
		found, err := inspect.New(ctx, data, f.suggested, measures)
		return func() {
			if err == nil { // otherwise it was cancelled
				f.found = found
			}
		}
	}
}

func (f *facts) keys() []key.Binding {
	return []key.Binding{draw.Bind("↑↓", "scroll", "up", "down", "pgup", "pgdown", "home", "end"),
		draw.Bind("f", "back", "f", "esc", "enter", "q")}
}

func (f *facts) handleKey(msg tea.KeyPressMsg) {
	const most = 1 << 16 // more lines than the page has
	if back := f.keys()[1]; key.Matches(msg, back) {
		f.open = false
		return
	}
	f.at = dialogs.Moved(f.at, most, msg.String())
}

// sentence summarises the risk of the file.
func (f *facts) sentence() string {
	if f.found == nil {
		return "inspecting the file …"
	}
	return f.found.Sentence() + "; f: more"
}

// view draws the page in exactly height lines.
func (f *facts) view(s views.State, width, height int) string {
	lines := []string{"inspecting the file …"}
	if f.found != nil {
		lines = draw.Report(s.Theme, f.found.Page(s.File), width)
	}
	f.at = max(0, min(f.at, len(lines)-height))
	return draw.Within(s.Theme, dialogs.FitLines(lines[f.at:], width, max(height, len(lines)-f.at)), width, height)
}
