package recoding

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/suggest"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// mostSuggestions is the number of suggestions that are listed.
const mostSuggestions = 300

// suggestions is the dialog of recodes that remove many violators for little
// detail, the best first, with the what-if of the one under the cursor. The
// search goes on while the best so far can be seen and applied.
type suggestions struct {
	dialogs.StepDialog
	variable  string           // the only one that is searched; "": all key variables
	chosen    string           // the variable that v looks at alone
	of        *risk.Assessment // what the suggestions belong to
	search    *suggest.Search  // nil until it has begun; only its pieces touch it
	found     []suggest.Suggestion
	tried     int
	all       int
	before    int
	done      bool
	byRemoved bool
	at        int
	err       error
}

// NewSuggestions opens on one key variable, or on all with "".
func NewSuggestions(s views.State, variable string, back dialogs.Dialog) *suggestions {
	d := &suggestions{variable: variable}
	d.Self, d.Back, d.NeedK, d.Heading = d, back, s.K, "Suggested recodes of the key variables"
	if variable != "" {
		d.Heading = "Suggested recodes of " + views.Safe(variable)
	}
	if d.chosen = variable; d.chosen == "" && slices.Contains(s.Scenario.Keys, s.Selected.Variable) {
		d.chosen = s.Selected.Variable
	}
	d.follow(s)
	return d
}

// follow begins anew where the figures are others, as after a recode.
func (d *suggestions) follow(s views.State) {
	if now := s.Current.Assessment; !s.Stale && now != d.of {
		d.of, d.search, d.done, d.err = now, nil, now == nil, nil
		d.tried, d.all, d.at = 0, 0, 0
		d.found = nil
	}
}

// Seek searches on.
func (d *suggestions) Seek(s views.State) func(ctx context.Context, budget time.Duration) func() {
	d.follow(s)
	if d.done || d.err != nil || d.of == nil || s.Stale {
		return nil
	}
	search, of, variable, data, scenario, k := d.search, d.of, d.variable, s.Current.Data, s.Scenario, s.K
	return func(ctx context.Context, budget time.Duration) func() {
		var err error
		if search == nil {
			var names []string
			if variable != "" {
				names = []string{variable}
			}
			search, err = suggest.New(data, scenario, of, k, names...)
		}
		if err == nil {
			err = search.Continue(ctx, budget)
		}
		if ctx.Err() != nil {
			return func() {} // it goes on where it was when the dialog is open again
		}
		if err != nil {
			return func() { d.err = err }
		}
		found := search.Ranked(mostSuggestions)
		return func() {
			if of == d.of && variable == d.variable {
				d.showFound(search, found)
			}
		}
	}
}

// showFound shows what was found so far. The cursor stays on the first line, or else
// on its suggestion.
func (d *suggestions) showFound(search *suggest.Search, found []suggest.Suggestion) {
	var kept *suggest.Suggestion
	if d.at > 0 {
		kept = d.one()
	}
	d.search, d.found, d.done, d.before = search, found, search.Done(), search.Before()
	d.tried, d.all = search.Tried()
	d.sort()
	d.at = max(0, min(d.at, len(d.found)-1))
	same := func(s suggest.Suggestion) bool {
		return kept != nil && string(d.stepOf(&s).Params) == string(d.stepOf(kept).Params)
	}
	if at := slices.IndexFunc(d.found, same); at >= 0 {
		d.at = at
	}
}

// sort puts those that remove most violators first, or those that remove most
// per bit.
func (d *suggestions) sort() {
	slices.SortStableFunc(d.found, func(a, b suggest.Suggestion) int {
		removed := b.Removed() - a.Removed()
		if d.byRemoved && removed != 0 {
			return removed
		}
		return cmp.Or(cmp.Compare(b.Rate(), a.Rate()), removed)
	})
}

// Keys returns what can be done now.
func (d *suggestions) Keys() []key.Binding {
	return append(dialogs.Bindings(d.Acts(views.State{})), dialogs.Bind("esc", "close", "esc"))
}

// Press moves the cursor and applies the suggestion under it; then the search
// begins anew on the new data.
func (d *suggestions) Press(msg tea.KeyPressMsg, s views.State) dialogs.Effect {
	d.follow(s)
	return dialogs.CarryOut(d.Acts(s), msg)
}

// Acts are the keys that work now: what is listed may belong to older data.
func (d *suggestions) Acts(s views.State) []dialogs.Act {
	one, others, order := d.one(), "this variable alone", "sort by violators"
	if d.variable != "" {
		others = "all key variables"
	}
	if d.byRemoved {
		order = "sort by violators per bit"
	}
	scope := dialogs.Act{Binding: dialogs.Bind("v", others, "v"), Do: dialogs.Swaps(func() dialogs.Dialog { return d.rescoped(s, one) })}
	if one == nil || s.Stale {
		return []dialogs.Act{scope}
	}
	return []dialogs.Act{
		{Binding: dialogs.Bind("↑↓", "move", "up", "down", "k", "j", "pgup", "pgdown", "home", "end"), Do: func(msg tea.KeyPressMsg) dialogs.Effect {
			d.at = dialogs.Moved(d.at, len(d.found), msg.String())
			return dialogs.Stay{}
		}},
		{Binding: dialogs.Bind("r", "open in the recode dialog", "r"), Do: dialogs.Swaps(func() dialogs.Dialog { return suggestedRecode(s, one) })},
		{Binding: dialogs.Bind("s", order, "s"), Do: dialogs.Stays(func() {
			d.byRemoved, d.at = !d.byRemoved, 0
			d.sort()
		})},
		scope,
		{Binding: dialogs.Bind("enter", "apply", "enter"), Do: func(tea.KeyPressMsg) dialogs.Effect { return dialogs.Apply{Step: d.stepOf(one), Stay: true} }},
	}
}

func (d *suggestions) Enter() dialogs.Effect { return dialogs.Stay{} } // there is none, or it belongs to older data

// suggestedRecode returns the recode dialog with a suggestion in it; nil where
// the variable is not there any more.
func suggestedRecode(s views.State, one *suggest.Suggestion) dialogs.Dialog {
	if one.Recode != nil {
		return newMarkedGroups(s, one.Variable, one.Recode.Levels, one.Recode.Label)
	}
	column := dialogs.CurrentColumn(s, one.Variable)
	if column == nil {
		return nil
	}
	return newRecodeIntervals(s, column, one.Intervals)
}

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
	other.byRemoved = d.byRemoved
	return other
}

// one returns the suggestion under the cursor; nil where there is none.
func (d *suggestions) one() *suggest.Suggestion {
	if d.at >= len(d.found) {
		return nil
	}
	return &d.found[d.at]
}

func (d *suggestions) stepOf(one *suggest.Suggestion) session.StepSpec {
	name, m := one.Step()
	return dialogs.StepOf(name, m)
}

func (d *suggestions) Made() (step session.StepSpec, ok bool) {
	if one := d.one(); one != nil {
		return d.stepOf(one), true
	}
	return step, false
}

// View draws the list with its what-if.
func (d *suggestions) View(s views.State, width, height int) string {
	d.follow(s)
	return d.Beside(s, d.Figures(d.one() != nil, "The figures after a recode stand here as soon as one is found."), width, height, func(width, height int) []string {
		lines := []string{s.Theme.Faint.Render(views.Fit(d.status(s), width))}
		one := d.one()
		if one == nil {
			return append(lines, d.nothing(s, width)...)
		}
		var story []string
		if height >= 12 {
			story = append([]string{""}, views.Wrapped(s.Theme.Faint.Render, views.SuggestionStory(one), width)...)
		}
		rows := max(2, height-len(lines)-len(story))
		lines = append(lines, views.SuggestionRows(s, d.found, d.at, false, width, rows)...)
		return append(lines, story...)
	})
}

// status says how far the search has come.
func (d *suggestions) status(s views.State) string {
	switch {
	case d.search == nil:
		return "searching …"
	case !d.done:
		return fmt.Sprintf("searching: %s of %s recodes tried, best so far", views.Count(d.tried), views.Count(d.all))
	}
	order := "best per bit first"
	if d.byRemoved {
		order = "most removed first"
	}
	return fmt.Sprintf("%s violators of k = %d now; %s recodes tried, %s", views.Count(d.before), s.K, views.Count(d.all), order)
}

// nothing says why there is no suggestion.
func (d *suggestions) nothing(s views.State, width int) []string {
	text := ""
	switch {
	case d.err != nil:
		return views.Wrapped(s.Theme.Error.Render, d.err.Error(), width)
	case d.of == nil && s.NotApplicable != "":
		text = "There are no violators to remove: " + s.NotApplicable
	case d.done && d.before == 0:
		text = fmt.Sprintf("No record violates k = %d.", s.K)
	case d.done:
		text = "No single recode of this kind removes a violator. Try intervals, or a coarser recode of several categories at once."
	}
	return append([]string{""}, views.Wrapped(s.Theme.Faint.Render, text, width)...)
}

// Rows asks for a window as long as the list.
func (d *suggestions) Rows() int { return min(32, max(16, len(d.found)+6)) }
