package views

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// Pane is one framed part of the workbench. Panes keep their own cursor and
// scroll position and nothing else: what they draw comes from the State.
type Pane interface {
	ID() string    // stable, for tests and layout: "key-variables"
	Title() string // what stands in the frame: "Key variables"
	Keys() []key.Binding
	// HandleKey returns nil where the key is not the pane's. No input, no output.
	HandleKey(msg tea.KeyPressMsg, s State) Action
	// View draws the inside of the frame: exactly height lines of exactly width
	// cells.
	View(s State, width, height int, focused bool) string
}

// MousePane is a pane that also takes the mouse. x and y are cells inside the
// frame, from 0.
type MousePane interface {
	Pane
	Click(x, y int, s State) Action
	Wheel(lines int, s State) Action // negative: up
}

// Named is a pane whose title depends on what it shows.
type Named interface {
	Pane
	TitleFor(s State) string
}

// TitleOf returns what stands in the frame of a pane.
func TitleOf(p Pane, s State) string {
	if named, ok := p.(Named); ok {
		return named.TitleFor(s)
	}
	return p.Title()
}

// Typist is a pane that text can be typed into. While Typing is true all keys
// are the pane's and no letter is a command.
type Typist interface {
	Pane
	Typing() bool
}

// Seeker is a pane, a page or a dialog that looks for something in the background
// while it is in sight, a piece at a time, so that what was found so far can be
// seen.
type Seeker interface {
	// Seek returns the next piece of work; nil: there is nothing to look for. The
	// piece touches nothing of the seeker: what it found is handed in by the
	// function that it returns, in the program's own turn. It takes about as long as
	// its budget, and ends early where the context does.
	Seek(s State) func(ctx context.Context, budget time.Duration) (take func())
}

// Figure is a figure that can be explained.
type Figure = measure.Explanation

// Explained is a pane whose figures can be walked through and explained.
type Explained interface {
	Pane
	Figures(s State) []Figure
}
