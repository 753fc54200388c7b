package recoding

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// mostSuggestions is the number of suggestions that are listed.
const mostSuggestions = 300

// suggestions is the dialog of recodes that remove many violators for little
// detail, those worth most first, with the what-if of the one under the cursor. Of
// those that another dominates nothing is shown unless all are asked for. The
// search goes on while the best so far can be seen and applied.
type suggestions struct {
	dialogs.StepDialog
	variable string // the only one that is searched; "": all key variables
	chosen   string // the variable that v looks at alone
	found    views.Cache[views.AssessmentAt, searched]
	shown    []*suggest.Suggestion // those that are listed, in their order
	whole    bool                  // those that are dominated are listed too
	order    order
	limit    limit
	cursor   draw.Cursor
	top      int // lines above the list the last time
}

// searched is what a search has found so far.
type searched struct {
	search   *suggest.Search // nil until it has begun; only its pieces touch it
	frontier suggest.Frontier
	ranked   []*suggest.Suggestion // with those that are dominated
	tried    int
	all      int
	done     bool
	err      error
}

// order is how suggestions are sorted.
type order int

const (
	byWorth   order = iota // violators removed times detail of the variable kept
	byRemoved              // most violators removed
	byRate                 // most violators removed per bit
	orders
)

// String says what stands first.
func (o order) String() string {
	return [...]string{"worth most first", "most removed first", "best per bit first"}[o]
}

// NewSuggestions opens on one key variable, or on all with "".
func NewSuggestions(s views.State, variable string, back dialogs.Dialog) *suggestions {
	d := &suggestions{variable: variable}
	d.Self, d.Back, d.NeedK, d.Heading = d, back, s.K, "Suggested recodes of the key variables"
	if variable != "" {
		d.Heading = "Suggested recodes of " + draw.Safe(s.Titled(variable))
	}
	if d.chosen = variable; d.chosen == "" && slices.Contains(s.Scenario.Keys, s.Selected.Variable) {
		d.chosen = s.Selected.Variable
	}
	d.follow(s)
	return d
}

// follow returns what was found; it begins anew where the figures are others, as after a recode.
func (d *suggestions) follow(s views.State) *searched {
	if s.Stale {
		return d.found.Last()
	}
	return d.found.Look(s.AssessmentAt(), func() searched {
		d.shown, d.cursor = nil, draw.Cursor{}
		return searched{done: s.Current.Assessment == nil}
	})
}

// Seek searches on.
func (d *suggestions) Seek(s views.State) views.Piece {
	now := *d.follow(s)
	if now.done || now.err != nil || s.Stale {
		return nil
	}
	data, scenario, of, variables := s.Current.Data, s.Scenario, s.AssessmentAt(), []string(nil)
	if d.variable != "" {
		variables = []string{d.variable}
	}
	return d.found.Extend(of, func(ctx context.Context, budget time.Duration) (func(*searched), error) {
		if now.search == nil {
			now.search, now.err = suggest.New(data, scenario, of.Assessment, of.K, variables...)
		}
		if now.err == nil {
			now.err = now.search.Continue(ctx, budget)
		}
		if now.err == nil {
			now.frontier, now.ranked, now.done = now.search.Frontier(), now.search.Ranked(mostSuggestions), now.search.Done()
			now.tried, now.all = now.search.Tried()
		}
		return func(found *searched) { d.showFound(found, now) }, nil
	})
}

// showFound shows what was found so far. The cursor stays on the answer to a limit,
// on the first line, or else on its suggestion.
func (d *suggestions) showFound(found *searched, now searched) {
	var kept *suggest.Suggestion
	if d.cursor.At > 0 {
		kept = d.one()
	}
	*found = now
	d.list()
	d.choose(kept)
	d.answer()
}

// list sorts what is to be listed.
func (d *suggestions) list() {
	found := d.found.Last()
	d.shown = slices.Clone(found.frontier.Suggestions)
	for _, one := range found.ranked {
		if d.whole && !slices.Contains(found.frontier.Suggestions, one) {
			d.shown = append(d.shown, one)
		}
	}
	slices.SortStableFunc(d.shown, func(a, b *suggest.Suggestion) int {
		removed := b.Removed() - a.Removed()
		switch {
		case d.order == byWorth:
			return cmp.Or(cmp.Compare(found.frontier.Worth(b), found.frontier.Worth(a)), removed)
		case d.order == byRate || removed == 0:
			return cmp.Or(cmp.Compare(b.Rate(), a.Rate()), removed)
		}
		return removed
	})
	d.cursor.At = max(0, min(d.cursor.At, len(d.shown)-1))
}

// choose puts the cursor on a suggestion, where it is listed.
func (d *suggestions) choose(one *suggest.Suggestion) {
	if at := slices.Index(d.shown, one); at >= 0 {
		d.cursor.At = at
	}
}

// Keys returns what can be done now.
func (d *suggestions) Keys() []key.Binding {
	return append(views.Bindings(d.Acts(views.State{})), draw.Bind("esc", "close"))
}

// Press moves the cursor and applies the suggestion under it; then the search
// begins anew on the new data.
func (d *suggestions) Press(msg tea.KeyPressMsg, s views.State) draw.Action {
	d.follow(s)
	return views.CarryOut(d.Acts(s), msg, s)
}

// Acts are the keys that work now: what is listed may belong to older data.
func (d *suggestions) Acts(s views.State) []views.KeyAction {
	one, others, hidden := d.one(), "this variable alone", "show all"
	if d.variable != "" {
		others = "all key variables"
	}
	if d.whole {
		hidden = "hide the dominated"
	}
	scope := views.EmitsFrom("v", others, dialogs.Swaps(func() dialogs.Dialog { return d.rescoped(s, one) }))
	if one == nil || s.Stale {
		return append(d.limitActs(), scope)
	}
	acts := []views.KeyAction{
		views.Presses("↑↓", "move", func(msg tea.KeyPressMsg, _ views.State) draw.Action {
			d.cursor.Move(msg, len(d.shown))
			d.limit.follows = false
			return draw.Handled{}
		}, "up", "down", "k", "j", "pgup", "pgdown", "home", "end"),
		views.Handles("a", hidden, func() {
			d.whole = !d.whole
			d.list()
			d.choose(one)
		}),
		views.Handles("s", "sort: "+((d.order+1)%orders).String(), func() {
			d.order, d.cursor.At, d.limit.follows = (d.order+1)%orders, 0, false
			d.list()
		}),
	}
	return append(append(acts, d.limitActs()...), scope,
		views.EmitsFrom("r", "open in the recode dialog", dialogs.Swaps(func() dialogs.Dialog { return NewEditing(s, d.stepOf(one)) })),
		views.EmitsFrom("enter", "apply", func(views.State) draw.Action { return dialogs.Apply{Step: d.stepOf(one), Stay: true} }))
}

// Enter makes nothing: it is asked where there is no step, or one of older data.
func (d *suggestions) Enter() draw.Action { return nil }

// rescoped returns the dialog of all variables, or of that of a suggestion
// alone.
func (d *suggestions) rescoped(s views.State, one *suggest.Suggestion) dialogs.Dialog {
	variable := ""
	if d.variable == "" {
		if variable = d.chosen; one != nil {
			variable = one.Variable
		}
	}
	other := NewSuggestions(s, variable, d.Back)
	other.order, other.whole = d.order, d.whole
	return other
}

// one returns the suggestion under the cursor; nil where there is none.
func (d *suggestions) one() *suggest.Suggestion {
	if d.cursor.At >= len(d.shown) {
		return nil
	}
	return d.shown[d.cursor.At]
}

func (d *suggestions) stepOf(one *suggest.Suggestion) session.StepSpec {
	name, m := one.Step()
	return dialogs.StepOf(name, m)
}

// Made returns the step of the suggestion under the cursor; false where there is none.
func (d *suggestions) Made() (step session.StepSpec, ok bool) {
	if one := d.one(); one != nil {
		return d.stepOf(one), true
	}
	return step, false
}

// View draws the list with its what-if.
func (d *suggestions) View(s views.State, width, height int) string {
	d.follow(s)
	return d.Beside(s, d.Figures(d.one() != nil, "The figures after a recode stand here as soon as one is found."),
		width, height, func(width, height int) []string {
			lines := []string{s.Theme.Faint.Fit(d.status(s), width)}
			lines = append(lines, d.limitLines(s, width, height)...)
			one := d.one()
			if one == nil {
				return append(lines, d.nothing(s, width)...)
			}
			var story []string
			if height >= 12 {
				story = append([]string{""}, s.Theme.Faint.Wrapped(SuggestionStory(s, one), width)...)
			}
			d.top = len(lines)
			rows := max(2, height-len(lines)-len(story))
			frontier := d.found.Last().frontier
			table := SuggestionTable(s, d.shown, frontier.Detail, d.variable != "",
				func(row int) bool { return !slices.Contains(frontier.Suggestions, d.shown[row]) })
			lines = append(lines, table.Lines(s.Look, &d.cursor, width, rows, true)...)
			return append(lines, story...)
		})
}

// Click puts the cursor on a suggestion, or begins to type a limit.
func (d *suggestions) Click(_, y int, s views.State) draw.Action {
	if row, ok := d.cursor.RowAt(y - d.top); ok && row < len(d.shown) && !s.Stale {
		d.cursor.At, d.limit.follows = row, false
	} else if d.top > 2 && (y == 1 || y == 2) {
		d.typeLimit(y == 2)
	}
	return nil
}

// status says how far the search has come.
func (d *suggestions) status(s views.State) string {
	found := d.found.Last()
	switch {
	case found.search == nil:
		return "searching …"
	case !found.done:
		return fmt.Sprintf("searching: %s of %s recodes tried, best so far", draw.Count(found.tried), draw.Count(found.all))
	}
	listed := draw.Count(len(d.shown))
	if d.whole {
		listed = "the best " + listed
	}
	return fmt.Sprintf("%s of k = %d now; %s of %s, %s", wording.Counted(found.frontier.Before, "violator"), s.K, listed,
		wording.Counted(found.all, "recode"), d.order)
}

// nothing says why there is no suggestion.
func (d *suggestions) nothing(s views.State, width int) []string {
	text, found := "", d.found.Last()
	switch {
	case found.err != nil:
		return s.Theme.Error.Wrapped(found.err.Error(), width)
	case s.Current.Assessment == nil && s.NotApplicable != "":
		text = "There are no violators to remove: " + s.NotApplicable
	case found.done && found.frontier.Before == 0:
		text = fmt.Sprintf("No record violates k = %d.", s.K)
	case found.done:
		text = "No single recode of this kind removes a violator. Try intervals, or a coarser recode of several " +
			"categories at once."
	}
	return append([]string{""}, s.Theme.Faint.Wrapped(text, width)...)
}

// Rows asks for a window as long as the list.
func (d *suggestions) Rows() int { return min(32, max(16, len(d.shown)+8)) }
