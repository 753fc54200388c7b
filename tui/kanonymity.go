package tui

import (
	"encoding/json"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/suppress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// kAnonymity is the dialog of local suppression: k, the rule that protects,
// the algorithm and the order of importance, and what they would cost.
type kAnonymity struct {
	whatIf
	form
	method   *suppress.KAnonymity
	scenario *microdata.Scenario
	records  int
	order    []string // key variables, most important first
	ordered  bool     // the order was changed by hand: it is given to the method
	whole    int      // cells that k needs without a budget; 0: not known yet
	search   time.Duration
	kept     session.StepSpec // a thorough step that is changed: as long as it is the same, it is not searched for
	up       key.Binding
	longer   key.Binding
	apply    key.Binding
	cancel   key.Binding
}

// searchFor is how long thorough searches, and by how much longer.
const searchFor = 2 * time.Second

// noEntries is shown where there is no budget, and no strata.
const noEntries = "none"

func newKAnonymityDialog(s views.State) Dialog {
	d := &kAnonymity{
		method:   suppress.NewKAnonymity(),
		scenario: s.Scenario,
		order:    defaultImportance(s),
		records:  s.Current.Data.Len(),
		search:   searchFor,
		up:       key.NewBinding(key.WithKeys("K", "J", "shift+up", "shift+down"), key.WithHelp("K/J", "more, less important")),
		longer:   key.NewBinding(key.WithKeys("+"), key.WithHelp("+", "search 2 s longer")),
		apply:    key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "apply")),
		cancel:   key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "cancel")),
	}
	d.method.K = max(2, s.K)
	d.fields = append([]*formField{d.fieldK(), d.fieldRule(), d.fieldAlgorithm()}, d.furtherFields(s)...)
	for i := range d.order {
		d.fields = append(d.fields, d.fieldVariable(i))
	}
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
	if column := currentColumn(s, variable); column != nil {
		return column.Categories().Occurring()
	}
	return 0
}

func (d *kAnonymity) Title() string { return "k-anonymity by local suppression" }

func (d *kAnonymity) Typing() bool { return d.form.Typing() }

func (d *kAnonymity) Keys() []key.Binding {
	keys := d.form.keys()
	if d.place() >= 0 {
		keys = append(keys, d.up)
	}
	if d.method.Algorithm == suppress.Thorough {
		keys = append(keys, d.longer)
	}
	apply := d.apply
	if d.searching() {
		apply.SetHelp("enter", "end the search")
	}
	return append(keys, apply, d.cancel)
}

// place returns the place in the order of importance that is in focus; -1 for
// none.
func (d *kAnonymity) place() int {
	focused := d.field()
	return slices.Index(d.fields[len(d.fields)-len(d.order):], focused)
}

// HandleKey edits the fields; enter applies the suppression as it stands.
func (d *kAnonymity) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	if place := d.place(); place >= 0 && !d.Typing() && key.Matches(msg, d.up) {
		d.move(place, msg.String() == "K" || msg.String() == "shift+up")
		return Stay{}
	}
	if !d.Typing() && d.method.Algorithm == suppress.Thorough && key.Matches(msg, d.longer) {
		d.searchLonger()
		return Stay{}
	}
	if d.handle(msg) {
		return Stay{}
	}
	switch {
	case key.Matches(msg, d.apply) && d.searching():
		d.search = time.Nanosecond // it ends with the piece that runs
	case key.Matches(msg, d.apply) && d.err() == nil:
		return Apply{Step: d.found()}
	case key.Matches(msg, d.cancel):
		return Close{}
	}
	return Stay{}
}

func (d *kAnonymity) move(place int, up bool) {
	to := place + 1
	if up {
		to = place - 1
	}
	if to < 0 || to >= len(d.order) {
		return
	}
	d.order[place], d.order[to] = d.order[to], d.order[place]
	d.at += to - place
	d.ordered = true
}

func (d *kAnonymity) take(params map[string]json.RawMessage) error {
	if err := method.Decode(d.method, params); err != nil {
		return err
	}
	d.orderBy(d.method.Importance)
	if d.method.Algorithm == suppress.Thorough {
		d.kept = d.step()
	}
	return nil
}

func (d *kAnonymity) step() session.StepSpec {
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
	return stepOf("suppress-kanonymity", d.method)
}

// Question asks for the suppression and the figures after it.
func (d *kAnonymity) Question() *Question {
	if d.err() != nil {
		return nil
	}
	question := &Question{Step: d.step()}
	if d.method.Algorithm == suppress.Thorough && !d.keeps() {
		question.Search = d.search
	}
	return question
}

// View draws the fields, what the suppression would cost and how good it is,
// and the figures after it.
func (d *kAnonymity) View(s views.State, width, height int) string {
	s.K = d.method.K // the what-if marks the k of the dialog
	return d.beside(s, d.figures(d.err() == nil, "The figures stand here when k is a whole number from 2 on."), width, height, func(width, height int) []string {
		verdict := d.verdict(s, width)
		lines := append(d.viewWithin(s.Theme, width, height-len(verdict)-1), "")
		return append(lines, verdict...)
	})
}

// rows counts the fields, the help and the verdict.
func (d *kAnonymity) rows() int { return len(d.visible()) + 13 }
