package suppression

import (
	"cmp"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// kAnonymity is the dialog of local suppression: k, the rule that protects,
// the algorithm and the order of importance, and what they would cost.
type kAnonymity struct {
	dialogs.StepDialog
	method   *suppress.KAnonymity
	scenario *microdata.Scenario
	records  int
	order    []string // key variables, most important first
	ordered  bool     // the order was changed by hand: it is given to the method
	whole    int      // cells that k needs without a budget; 0: not known yet
	search   time.Duration
	kept     session.StepSpec // a thorough step that is changed: as long as it is the same, it is not searched for
}

// searchFor is how long thorough searches, and by how much longer.
const searchFor = 2 * time.Second

// newKAnonymity opens the dialog with the k of the screen.
func newKAnonymity(s views.State, spec method.Spec, m *suppress.KAnonymity) dialogs.Dialog {
	d := &kAnonymity{method: m, scenario: s.Scenario, order: defaultImportance(s), records: s.Current.Data.Records(), search: searchFor}
	m.K = max(2, s.K)
	d.Begin(s, spec, m, d)
	d.Hint = "The figures stand here when k is a whole number from 2 on."
	d.arrange(s)
	return d
}

// defaultImportance returns the key variables by number of categories, fewest
// first: the method's own order.
func defaultImportance(s views.State) []string {
	order := slices.Clone(s.Scenario.Keys)
	slices.SortStableFunc(order, func(a, b string) int {
		return occurring(s, a) - occurring(s, b)
	})
	return order
}

func occurring(s views.State, variable string) int {
	if column := dialogs.CurrentColumn(s, variable); column != nil {
		return column.Categories().Occurring()
	}
	return 0
}

// Acts moves a variable in the order of importance, or lets the search go on.
func (d *kAnonymity) Acts(views.State) []dialogs.Act {
	var acts []dialogs.Act
	if place := d.place(); place >= 0 {
		acts = append(acts, dialogs.NewAct("K/J", "more, less important", dialogs.Turns(func(by int) { d.move(place, place+by) }), "K", "J", "shift+up", "shift+down"))
	}
	if d.method.Algorithm == suppress.Thorough {
		acts = append(acts, dialogs.NewAct("+", "search 2 s longer", dialogs.Stays(d.searchLonger)))
	}
	return acts
}

// Keys says what enter does while a search goes on.
func (d *kAnonymity) Keys() []key.Binding {
	keys := d.StepDialog.Keys()
	if d.searching() {
		keys[len(keys)-2].SetHelp("enter", "end the search")
	}
	return keys
}

// place returns the place in the order of importance that is in focus; -1 for
// none.
func (d *kAnonymity) place() int {
	focused := d.Field()
	return slices.Index(d.Fields[len(d.Fields)-len(d.order):], focused)
}

// Enter applies the suppression as it stands; a search that goes on is ended.
func (d *kAnonymity) Enter() dialogs.Effect {
	switch {
	case d.searching():
		d.search = time.Nanosecond // it ends with the piece that runs
	case d.Err() == nil:
		return dialogs.Apply{Step: d.found()}
	}
	return dialogs.Stay{}
}

func (d *kAnonymity) move(place, to int) {
	if to < 0 || to >= len(d.order) {
		return
	}
	d.order[place], d.order[to] = d.order[to], d.order[place]
	d.At += to - place
	d.ordered = true
}

// Take sets the dialog to a step that was made.
func (d *kAnonymity) Take(step session.StepSpec) error {
	if err := d.StepDialog.Take(step); err != nil {
		return err
	}
	if importance := d.method.Importance; len(importance) > 0 {
		slices.SortStableFunc(d.order, func(a, b string) int { return cmp.Compare(importance[a], importance[b]) })
		d.ordered = true
	}
	if d.method.Algorithm == suppress.Thorough {
		d.kept = d.Step()
	}
	return nil
}

// Step returns the step of the fields as they stand.
func (d *kAnonymity) Step() session.StepSpec {
	d.method.Importance = nil
	if d.ordered {
		d.method.Importance = map[string]int{}
		for i, variable := range d.order {
			d.method.Importance[variable] = i + 1
		}
	}
	if d.method.NoBudget(d.scenario) != "" {
		budget := d.method.Budget
		defer func() { d.method.Budget = budget }()
		d.method.Budget = nil
	}
	return d.StepDialog.Step()
}

// Made returns the same; false where a field has an error.
func (d *kAnonymity) Made() (session.StepSpec, bool) { return d.Step(), d.Err() == nil }

// Question asks for the suppression and the figures after it.
func (d *kAnonymity) Question() *dialogs.Question {
	question := d.StepDialog.Question()
	if question != nil && d.method.Algorithm == suppress.Thorough && !d.keeps() {
		question.Search = d.search
	}
	if budget, ok := d.charted(); ok && question != nil && d.method.Budget == nil {
		all := float64(budget)
		d.method.Budget = &all
		question.Step, d.method.Budget = d.Step(), nil
	}
	return question
}

// charted returns the budget on the curve of violators by cells: that of the step, or
// all cells that k needs while the field of the budget is in focus. A thorough search
// is not begun again for a look.
func (d *kAnonymity) charted() (budget int, ok bool) {
	switch {
	case d.method.NoBudget(d.scenario) != "":
		return 0, false
	case d.method.Budget != nil:
		return int(*d.method.Budget), true
	}
	return d.whole, d.whole > 0 && d.method.Algorithm == suppress.Minimal && d.Field() == d.Named("budget")
}

// View says that the figures are of the whole file, where those of the account are
// within strata.
func (d *kAnonymity) View(s views.State, width, height int) string {
	d.Within = ""
	if account := d.Known.Suppression(); account != nil && len(account.Strata) > 0 {
		d.Within = "whole file"
	}
	return d.StepDialog.View(s, width, height)
}

// Rows counts the fields, the help, the verdict and the curve of a budget.
func (d *kAnonymity) Rows() int {
	if _, ok := d.charted(); ok {
		return len(d.Visible()) + 24
	}
	return len(d.Visible()) + 13
}

// searching reports whether a search goes on.
func (d *kAnonymity) searching() bool {
	return d.Known.Search != nil && d.Known.Pending && d.Err() == nil
}

// keeps reports whether the dialog stands at the thorough step that is being
// changed: its iterations are known.
func (d *kAnonymity) keeps() bool {
	return d.kept.Step != "" && string(d.kept.Params) == string(d.Step().Params)
}

// searchLonger lets the search go on from where it is.
func (d *kAnonymity) searchLonger() {
	if d.keeps() {
		d.kept, d.method.Iterations, d.search = session.StepSpec{}, 0, searchFor
		return
	}
	reached := time.Duration(0)
	if d.Known.Search != nil {
		reached = d.Known.Search.Elapsed
	}
	d.search = max(d.search, reached) + searchFor
}

// found returns the step to apply: of a search, that which gives what the
// figures show.
func (d *kAnonymity) found() session.StepSpec {
	if d.method.Algorithm == suppress.Thorough && d.Known.Search != nil && d.Known.Search.Step.Step != "" {
		return d.Known.Search.Step
	}
	return d.Step()
}

// progress draws how far the search has come: a bar over its time, and the best
// so far beside the bound.
func (d *kAnonymity) progress(s views.State, width int) []string {
	search := d.Known.Search
	if d.method.Algorithm != suppress.Thorough || search == nil {
		return nil
	}
	text := "searched for " + draw.Duration(search.Elapsed)
	switch {
	case search.Proven:
		text += ": nothing better exists"
	case d.searching():
		text = "searching " + draw.Duration(search.Elapsed) + " of " + draw.Duration(d.search) + " · enter ends it"
	default:
		text += " · + goes on"
	}
	return s.Theme.Faint.Wrapped(text, width)
}
