package suppression

import (
	"cmp"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// kAnonymity is the dialog of local suppression: k, the suppression rule, the algorithm and the order of
// importance, and the cells they would suppress.
type kAnonymity struct {
	dialogs.StepDialog
	method   *suppress.KAnonymity
	scenario *microdata.Scenario
	records  int
	order    []string // key variables, most important first
	ordered  bool     // the user changed the order, so the method gets it
	whole    int      // cells that k needs without a budget; 0: not known yet
}

// newKAnonymity opens the dialog with the k of the screen.
func newKAnonymity(s views.State, spec method.Spec, m *suppress.KAnonymity) dialogs.Dialog {
	d := &kAnonymity{method: m, scenario: s.Scenario, order: defaultImportance(s), records: s.Current.Data.Records()}
	m.K = max(2, s.K)
	d.Begin(s, spec, m, d)
	d.Hint = "Enter an integer of at least 2 for k to see the figures."
	d.arrange(s)
	return d
}

// defaultImportance returns the key variables by number of categories, fewest first, which is the method's
// default.
func defaultImportance(s views.State) []string {
	order := slices.Clone(s.Scenario.Keys)
	slices.SortStableFunc(order, func(a, b string) int {
		return occurring(s, a) - occurring(s, b)
	})
	return order
}

func occurring(s views.State, variable string) int {
	if column := s.Current.Column(variable); column != nil {
		return column.Categories().Occurring()
	}
	return 0
}

// Acts returns the keys that move a variable in the order of importance, or continue the search.
func (d *kAnonymity) Acts(s views.State) []views.KeyAction {
	var acts []views.KeyAction
	if place := d.place(); place >= 0 {
		acts = append(acts,
			views.Presses("K/J", "more, less important", dialogs.Turns(func(by int) { d.move(place, place+by) }), "K", "J",
				"shift+up", "shift+down"))
	}
	return append(acts, d.StepDialog.Acts(s)...)
}

// place returns the index in the order of importance that is in focus, or -1.
func (d *kAnonymity) place() int {
	focused := d.Field()
	return slices.Index(d.Fields[len(d.Fields)-len(d.order):], focused)
}

func (d *kAnonymity) move(place, to int) {
	if to < 0 || to >= len(d.order) {
		return
	}
	d.order[place], d.order[to] = d.order[to], d.order[place]
	d.At += to - place
	d.ordered = true
}

// Take fills the dialog from an applied step.
func (d *kAnonymity) Take(step session.StepSpec) error {
	if err := d.StepDialog.Take(step); err != nil {
		return err
	}
	if importance := d.method.Importance; len(importance) > 0 {
		slices.SortStableFunc(d.order, func(a, b string) int { return cmp.Compare(importance[a], importance[b]) })
		d.ordered = true
	}
	d.Keep(d.Step())
	return nil
}

// Step returns the step of the fields.
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

// Made returns Step; ok is false if a field has an error.
func (d *kAnonymity) Made() (session.StepSpec, bool) { return d.Step(), d.Err() == nil }

// Question asks for the suppression and the figures after it.
func (d *kAnonymity) Question() *dialogs.Question {
	question := d.StepDialog.Question()
	if budget, ok := d.charted(); ok && question != nil && d.method.Budget == nil {
		all := float64(budget)
		d.method.Budget = &all
		question.Step, d.method.Budget = d.Step(), nil
	}
	return question
}

// charted returns the budget on the curve of violators by cells: that of the step, or all cells that k needs while
// the budget is in focus. It does not start a thorough search again only to draw the curve.
func (d *kAnonymity) charted() (budget int, ok bool) {
	switch {
	case d.method.NoBudget(d.scenario) != "":
		return 0, false
	case d.method.Budget != nil:
		return int(*d.method.Budget), true
	}
	return d.whole, d.whole > 0 && d.method.Algorithm == suppress.Minimal && d.Field() == d.Named("budget")
}

// View labels the figures as those of the whole file if the account is within strata.
func (d *kAnonymity) View(s views.State, width, height int) string {
	d.Within = ""
	if account := d.Known.Suppression(); account != nil && len(account.Strata) > 0 {
		d.Within = "whole file"
	}
	return d.StepDialog.View(s, width, height)
}

// Rows returns the number of lines of the fields, the help, the verdict and the curve of a budget.
func (d *kAnonymity) Rows() int {
	if _, ok := d.charted(); ok {
		return len(d.Visible()) + 24
	}
	return len(d.Visible()) + 13
}
