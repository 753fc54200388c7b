package views

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Pane is one framed part of the workbench. Panes keep their own cursor and
// scroll position and nothing else: what they draw comes from the State.
type Pane interface {
	ID() string              // stable, for tests and layout: "key-variables"
	Title() string           // what it is called: "Key variables"
	TitleFor(s State) string // what stands in the frame: the title, or one that says what is shown
	Keys() []key.Binding
	// HandleKey returns nil where the key is not the pane's. No input, no output.
	HandleKey(msg tea.KeyPressMsg, s State) draw.Action
	Click(x, y int, s State) draw.Action  // x and y are cells inside the frame, from 0
	Wheel(lines int, s State) draw.Action // negative: up
	Typing() bool                         // a text is typed: all keys are the pane's, and no letter is a command
	// View draws the inside of the frame: exactly height lines of exactly width
	// cells.
	View(s State, width, height int, focused bool) string
	// Figures are those that can be walked through and explained.
	Figures(s State) []Figure
}

// Seeker is a pane, a page or a dialog that looks for something in the background
// while it is in sight, a piece at a time, so that what was found so far can be
// seen.
type Seeker interface {
	// Seek returns the next piece of work; nil: there is nothing to look for.
	Seek(s State) Piece
}

// OnVariable is a pane whose cursor stands on a variable: while the pane has the
// focus that variable is the selected one, which commands are about.
type OnVariable interface {
	// Variable returns the variable under the cursor; "" where there is none.
	Variable(s State) string
}

// OnMethod is a pane that shows what a method did: it is explained with the figures.
type OnMethod interface {
	// Method returns the script name of the method; "" where there is none.
	Method(s State) string
}

// Figure is a figure that can be explained.
type Figure = measure.Explanation
