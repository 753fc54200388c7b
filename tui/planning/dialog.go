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

// Dialog is a dialog of plans, which start from a node of the session's tree.
type Dialog interface {
	dialogs.Dialog
	// Node returns that node.
	Node() int
	// Tried reports whether steps are all or the first steps of a plan that was tried, and were applied from that
	// node.
	Tried(steps []session.StepSpec) bool
}

// origin is where plans start, and which were tried.
type origin struct {
	node  int // node of the session's tree with the data of the plans
	try   func(node int, steps []session.StepSpec)
	tried [][]session.StepSpec
}

// Node returns the node of the session's tree from which the plans start.
func (o *origin) Node() int { return o.node }

// Tried reports whether steps are all or the first steps of a plan that was tried.
func (o *origin) Tried(steps []session.StepSpec) bool {
	return len(steps) == 0 || slices.ContainsFunc(o.tried, func(tried []session.StepSpec) bool {
		return len(tried) >= len(steps) && slices.EqualFunc(tried[:len(steps)], steps, session.StepSpec.Same)
	})
}

// tries applies the steps of a plan from its node.
func (o *origin) tries(steps []session.StepSpec) draw.Action {
	if len(steps) == 0 {
		return nil // there is nothing to apply
	}
	o.tried = append(o.tried, steps)
	return dialogs.Call(func() { o.try(o.node, steps) })
}

// searchRun is a search that continues in pieces while its dialog is open.
type searchRun struct {
	running *runningPiece // the running piece; nil: none
	stopped bool          // by the user
	elapsed time.Duration // by the clock of the screen
}

// runningPiece is a running piece of a search.
type runningPiece struct {
	halt  context.CancelFunc
	meter progress.Meter
	since time.Time
}

// begin returns a piece that does some work, and then calls the function that the work returns in the program's
// own turn.
func (k *searchRun) begin(s views.State, work func(ctx context.Context, meter *progress.Meter) func()) views.Piece {
	ctx, halt := context.WithCancel(context.Background())
	piece := &runningPiece{halt: halt, since: s.Now()}
	k.running = piece
	return func(open context.Context, _ time.Duration) func() {
		defer context.AfterFunc(open, halt)()
		defer halt()
		take := work(ctx, &piece.meter)
		return func() {
			k.elapsed += s.Now().Sub(piece.since)
			if k.running == piece { // otherwise the search was restarted meanwhile
				k.running = nil
			}
			take()
		}
	}
}

// stop stops the search.
func (k *searchRun) stop() {
	k.stopped = true
	k.halt()
}

// halt cancels the running piece.
func (k *searchRun) halt() {
	if k.running != nil {
		k.running.halt()
	}
}

// frontier is the result of a search as a dialog shows it.
type frontier interface {
	// plans returns the number of plans and the index of the one under the cursor.
	plans() (count, at int)
	// move moves the cursor to a plan.
	move(to int)
	// table lists the plans.
	table(s views.State) draw.Table
	// picture returns a map of the plans, or nil if there is no room.
	picture(s views.State, width, height int) []string
	// story describes the plan under the cursor.
	story(s views.State, width, height int) []string
	// steps returns the steps of the plan under the cursor.
	steps() []session.StepSpec
}

// view is the layout of a dialog of plans.
type view struct {
	pictured bool // the picture is shown instead of the steps if there is no room for both
	both     bool // the last frame had room for both
	cursor   draw.Cursor
	top      int // lines above the list the last time
}

// lines draws the plans as a table below a head. If there is room, a picture is next to it and the description of
// the plan under the cursor below; otherwise one of them is below, with at least least lines.
func (v *view) lines(s views.State, of frontier, head []string, least, width, height int) string {
	count, at := of.plans()
	v.top, v.cursor.At = len(head), at
	height = max(1, height-len(head))
	table := of.table(s)
	if v.both = width >= dialogs.WideDialog && height >= 16; v.both {
		right := max(46, width*2/5)
		left := width - right - 3
		side := of.picture(s, right, min(20, height*3/5))
		if side != nil {
			side = append(side, "")
		}
		side = append(side, of.story(s, right, height-len(side))...)
		return strings.Join(append(head, dialogs.SideBySide(s.Theme, dialogs.FitLines(
			table.Lines(s.Look, &v.cursor, left, height, true), left, height), dialogs.FitLines(side, right, height))), "\n")
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

// keys returns the keys of the plans, with others before the last two, which apply and close. other names what the
// picture replaces; left reports that there is something left to try.
func (v *view) keys(of frontier, o *origin, k *searchRun, others []views.KeyAction, lead, other string, left bool) []views.KeyAction {
	count, at := of.plans()
	out := views.Emits("esc", "close", dialogs.Close{})
	if k.running != nil {
		out = views.Handles("esc", "stop", k.stop)
	} else if k.stopped && left {
		others = append(others, views.Handles("s", "resume search", func() { k.stopped = false }))
	}
	if count == 0 {
		return append(others, out)
	}
	if !v.both {
		if !v.pictured {
			other = "chart"
		}
		others = append(others, views.Handles("p", other, func() { v.pictured = !v.pictured }))
	}
	moves := views.Presses("↑↓", "move", func(msg tea.KeyPressMsg, _ views.State) draw.Action {
		of.move(dialogs.Moved(at, count, msg.String()))
		return nil
	}, "up", "down", "k", "j", "pgup", "pgdown", "home", "end")
	try := views.Presses("enter", lead, func(tea.KeyPressMsg, views.State) draw.Action { return o.tries(of.steps()) })
	return append(append([]views.KeyAction{moves}, others...), try, out)
}

// click moves the cursor to the plan of a line.
func (v *view) click(of frontier, y int) draw.Action {
	count, _ := of.plans()
	if row, ok := v.cursor.RowAt(y - v.top); ok && row < count {
		of.move(row)
	}
	return nil
}

// underway draws the progress of a search, after a text if there is room.
func underway(theme *draw.Theme, text string, share float64, width int) string {
	space := min(24, width-draw.Width(text)-2)
	if space < 5 {
		return theme.Faint.Fit(text, width)
	}
	return theme.Faint.Render(text) + views.ProgressBar(theme, share, space)
}
