package views

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Pane is one framed part of the workbench. A pane keeps only its cursor and scroll position: what it draws comes
// from the State.
type Pane interface {
	ID() string              // stable name for tests and layout: "key-variables"
	Title() string           // for example "Key variables"
	TitleFor(s State) string // the text in the frame: the title, or what is shown
	Keys() []key.Binding
	// HandleKey returns nil if the pane does not use the key. It does no I/O.
	HandleKey(msg tea.KeyPressMsg, s State) draw.Action
	Click(x, y int, s State) draw.Action  // x and y are cells inside the frame, from 0
	Wheel(lines int, s State) draw.Action // negative: up
	Typing() bool                         // text is being typed: the pane gets all keys, and no letter is a command
	// View draws the inside of the frame: exactly height lines of width cells.
	View(s State, width, height int, focused bool) string
	// Figures returns the figures that can be explained.
	Figures(s State) []Figure
}

// Seeker is a pane, a page or a dialog that searches for something in the background while it is visible, one
// piece at a time, so that partial results can be shown.
type Seeker interface {
	// Seek returns the next piece of work, or nil if there is nothing to do.
	Seek(s State) Piece
}

// OnVariable is a pane whose cursor is on a variable. While the pane has the focus, that variable is the selected
// one, to which commands apply.
type OnVariable interface {
	// Variable returns the variable under the cursor, or "".
	Variable(s State) string
}

// OnMethod is a pane that shows what a method did; the method is explained with the figures.
type OnMethod interface {
	// Method returns the script name of the method, or "".
	Method(s State) string
}

// Figure is a figure with its explanation.
type Figure = measure.Explanation
