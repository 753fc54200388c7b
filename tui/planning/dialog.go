package planning

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
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
	try   func(node int, steps []session.StepSpec)
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
func (o *origin) tries(steps []session.StepSpec) draw.Action {
	if len(steps) == 0 {
		return nil // there is nothing to be made
	}
	o.tried = append(o.tried, steps)
	return dialogs.Call(func() { o.try(o.node, steps) })
}

// seeking is a search that goes on in pieces while its dialog is open.
type seeking struct {
	running *running      // the piece under way; nil: none is
	stopped bool          // by the user
	elapsed time.Duration // by the clock of the screen
}

// running is a piece of a search that is under way.
type running struct {
	halt  context.CancelFunc
	meter progress.Meter
	since time.Time
}

// begin returns a piece that does some work, and then what the work returns in the turn of the
// program.
func (k *seeking) begin(s views.State, work func(ctx context.Context, meter *progress.Meter) func()) views.Piece {
	ctx, halt := context.WithCancel(context.Background())
	piece := &running{halt: halt, since: s.Now()}
	k.running = piece
	return func(open context.Context, _ time.Duration) func() {
		defer context.AfterFunc(open, halt)()
		defer halt()
		take := work(ctx, &piece.meter)
		return func() {
			k.elapsed += s.Now().Sub(piece.since)
			if k.running == piece { // else the search was begun again meanwhile
				k.running = nil
			}
			take()
		}
	}
}

// stop ends the search.
func (k *seeking) stop() {
	k.stopped = true
	k.halt()
}

// halt ends the piece under way.
func (k *seeking) halt() {
	if k.running != nil {
		k.running.halt()
	}
}

// frontier is what a dialog of plans has found, as it is shown.
type frontier interface {
	// plans returns the number of plans and the place of the one under the cursor.
	plans() (count, at int)
	// move puts the cursor on a plan.
	move(to int)
	// table lists the plans.
	table(s views.State) draw.Table
	// picture is a map of the plans; nil: there is no room.
	picture(s views.State, width, height int) []string
	// story tells what the plan under the cursor does.
	story(s views.State, width, height int) []string
	// steps are those of the plan under the cursor.
	steps() []session.StepSpec
}

// view is how a dialog of plans is looked at.
type view struct {
	pictured bool // in the place of the steps, where there is no room for both
	both     bool // there was room for both the last time
	cursor   draw.Cursor
	top      int // lines above the list the last time
}

// lines draws the plans as a table below a head, beside it where there is room as a picture and
// what the plan under the cursor does, else one of them below, for which least lines are kept.
func (v *view) lines(s views.State, of frontier, head []string, least, width, height int) string {
	count, at := of.plans()
	v.top, v.cursor.At = len(head), at
	height = max(1, height-len(head))
	table := of.table(s)
	if v.both = width >= dialogs.WideDialog && height >= 16; v.both {
		right := max(46, width*2/5)
		left := width - right - 3
		beside := of.picture(s, right, min(20, height*3/5))
		if beside != nil {
			beside = append(beside, "")
		}
		beside = append(beside, of.story(s, right, height-len(beside))...)
		return strings.Join(append(head, dialogs.SideBySide(s.Theme, dialogs.FitLines(
			table.Lines(s.Look, &v.cursor, left, height, true), left, height), dialogs.FitLines(beside, right, height))), "\n")
	}
	if v.pictured {
		least = max(least, height-height/4-1) // a picture needs more lines
	}
	rows := min(count+1, max(3, height-least-1))
	head = append(head, table.Lines(s.Look, &v.cursor, width, rows, true)...)
	if below := height - rows - 1; below > 0 {
		under := of.picture(s, width, below)
		if !v.pictured || under == nil {
			under = of.story(s, width, below)
		}
		head = append(append(head, s.Theme.Frame.Render(strings.Repeat("─", width))), dialogs.FitLines(under, width, below)...)
	}
	return strings.Join(head, "\n")
}

// keys are those of the plans, with others of the search before the last two, which lead on and
// out. other is what the picture stands in the place of; left says that something can be tried.
func (v *view) keys(of frontier, o *origin, k *seeking, others []views.KeyAction, other string, left bool) []views.KeyAction {
	count, at := of.plans()
	out := views.Emits("esc", "close", dialogs.Close{})
	if k.running != nil {
		out = views.Handles("esc", "stop", k.stop)
	} else if k.stopped && left {
		others = append(others, views.Handles("s", "search on", func() { k.stopped = false }))
	}
	if count == 0 {
		return append(others, out)
	}
	if !v.both {
		if !v.pictured {
			other = "picture"
		}
		others = append(others, views.Handles("p", other, func() { v.pictured = !v.pictured }))
	}
	moves := views.Presses("↑↓", "move", func(msg tea.KeyPressMsg, _ views.State) draw.Action {
		of.move(dialogs.Moved(at, count, msg.String()))
		return nil
	}, "up", "down", "k", "j", "pgup", "pgdown", "home", "end")
	lead := views.Presses("enter", "try it", func(tea.KeyPressMsg, views.State) draw.Action { return o.tries(of.steps()) })
	return append(append([]views.KeyAction{moves}, others...), lead, out)
}

// click puts the cursor on the plan of a line.
func (v *view) click(of frontier, y int) draw.Action {
	count, _ := of.plans()
	if row, ok := v.cursor.RowAt(y - v.top); ok && row < count {
		of.move(row)
	}
	return nil
}

// underway draws how far a search has come, behind a text where there is room.
func underway(theme *draw.Theme, text string, share float64, width int) string {
	space := min(24, width-draw.Width(text)-2)
	if space < 5 {
		return theme.Faint.Fit(text, width)
	}
	return theme.Faint.Render(text) + views.ProgressBar(theme, share, space)
}
