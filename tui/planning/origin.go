package planning

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Dialog is a dialog of plans, which are made from a node of the session's tree.
type Dialog interface {
	dialogs.Dialog
	// Node returns the node.
	Node() int
	// Tried reports whether steps are the first ones of a plan that was tried, or all
	// of it: they were made from there.
	Tried(steps []session.StepSpec) bool
}

// origin is where plans are made from, and which were.
type origin struct {
	node  int // of the session's tree, where the data belong
	try   func(node int, steps []session.StepSpec) tea.Cmd
	tried [][]session.StepSpec
}

// Node returns the node of the session's tree that the plans are made from.
func (o *origin) Node() int { return o.node }

// Tried reports whether steps are the first ones of a plan that was tried, or all
// of it: they were made from here.
func (o *origin) Tried(steps []session.StepSpec) bool {
	return len(steps) == 0 || slices.ContainsFunc(o.tried, func(tried []session.StepSpec) bool {
		return len(tried) >= len(steps) && slices.EqualFunc(tried[:len(steps)], steps, session.StepSpec.Same)
	})
}

// tries has the steps of a plan made, from where the plans belong.
func (o *origin) tries(steps []session.StepSpec) dialogs.Effect {
	o.tried = append(o.tried, steps)
	return dialogs.Call{Command: func() tea.Cmd { return o.try(o.node, steps) }}
}

// view is how a dialog of plans is looked at.
type view struct {
	picture bool // in the place of the steps, where there is no room for both
	both    bool // there was room for both the last time
	cursor  draw.Cursor
	top     int // lines above the list the last time
}

// turned returns the key that shows the picture, or what stands in its place.
func (v *view) turned(other string) dialogs.Act {
	text := "picture"
	if v.picture {
		text = other
	}
	return dialogs.NewAct("p", text, dialogs.Stays(func() { v.picture = !v.picture }))
}

// clicked returns the plan of a line; ok is false where there is none of so many.
func (v *view) clicked(y, plans int) (at int, ok bool) {
	at, ok = v.cursor.RowAt(y - v.top)
	return at, ok && at < plans
}

// underway draws how far a search has come, behind a text where there is room.
func underway(theme *draw.Theme, text string, share float64, width int) string {
	space := min(24, width-draw.Width(text)-2)
	if space < 5 {
		return theme.Faint.Fit(text, width)
	}
	return theme.Faint.Render(text) + views.ProgressBar(theme, share, space)
}
