package tui

import (
	"errors"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

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
	method  *suppress.KAnonymity
	records int
	order   []string // key variables, most important first
	ordered bool     // the order was changed by hand: it is given to the method
	up      key.Binding
	apply   key.Binding
	cancel  key.Binding
}

// settings is the number of fields above the list of key variables.
const settings = 3

func newKAnonymityDialog(s views.State) Dialog {
	d := &kAnonymity{
		method:  suppress.NewKAnonymity(),
		order:   defaultImportance(s),
		records: s.Current.Data.Len(),
		up:      key.NewBinding(key.WithKeys("K", "J", "shift+up", "shift+down"), key.WithHelp("K/J", "more, less important")),
		apply:   key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "apply")),
		cancel:  key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "cancel")),
	}
	d.method.K = max(2, s.K)
	d.fields = []*formField{d.fieldK(), d.fieldRule(), d.fieldAlgorithm()}
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

var errK = errors.New("k is a whole number from 2 on")

func (d *kAnonymity) fieldK() *formField {
	return &formField{
		label:  "k",
		help:   "Every record is to share its key with at least k-1 others.",
		value:  func() string { return strconv.Itoa(d.method.K) },
		change: func(by int) { d.method.K = max(2, d.method.K+by) },
		typed: func(text string) error {
			k, err := strconv.Atoi(text)
			if err != nil || k < 2 {
				return errK
			}
			d.method.K = k
			return nil
		},
	}
}

// ruleHelp says in one sentence what each protection rule counts.
var ruleHelp = map[string]string{
	string(microdata.RuleDefault): "A blank counts as every value, for everybody: few cells, but records with blanks then protect " +
		"others that have no equals. For comparison with older work.",
	string(microdata.RuleConservative): "A record is safe when k complete records agree with it, or k records have the same blanks and values. " +
		"A blank protects nobody else.",
	string(microdata.RuleCategorySize):  "A blank counts for each value by its share in the file.",
	string(microdata.RuleConservative2): "Only records with the identical key count, blanks included.",
	string(microdata.RuleOwnCategory):   "Only records with the identical key count: a blank is a category of its own.",
}

func (d *kAnonymity) fieldRule() *formField {
	return &formField{
		label: "protection rule",
		help:  "How a blank is read when it is judged whether a record is protected.",
		value: func() string { return d.method.Rule },
		change: func(by int) {
			rules := microdata.Rules()
			at := slices.Index(rules, microdata.Rule(d.method.Rule))
			d.method.Rule = string(rules[(at+by+len(rules))%len(rules)])
			d.fields[1].help = ruleHelp[d.method.Rule]
		},
		hidden: func() bool { return d.method.Algorithm == suppress.SDCMicro },
	}
}

func (d *kAnonymity) fieldAlgorithm() *formField {
	rule := d.method.Rule
	return &formField{
		label: "algorithm",
		help:  "minimal: the fewest cells that can be found, and how few any method needs. sdcmicro: cell for cell as sdcMicro does it, rule default.",
		value: func() string { return d.method.Algorithm },
		change: func(int) {
			if d.method.Algorithm == suppress.Minimal {
				rule = d.method.Rule
				d.method.Algorithm, d.method.Rule = suppress.SDCMicro, string(microdata.RuleDefault)
			} else {
				d.method.Algorithm, d.method.Rule = suppress.Minimal, rule
			}
		},
	}
}

// fieldVariable is the key variable at a place of the order of importance, with
// the cells that it would lose.
func (d *kAnonymity) fieldVariable(i int) *formField {
	label := "  " + strconv.Itoa(i+1)
	if i == 0 {
		label = "importance 1"
	}
	return &formField{
		label: label,
		help:  "The least important variables lose cells first. K and J move a variable up and down; then a cell costs more the more important its variable.",
		value: func() string { return views.Fit(d.order[i], d.nameWidth()) + d.cells(d.order[i]) },
	}
}

// nameWidth returns the cells that the names of the key variables need.
func (d *kAnonymity) nameWidth() int {
	width := 0
	for _, name := range d.order {
		width = max(width, views.Width(views.Safe(name)))
	}
	return min(width, 20)
}

// cells says how many cells of a variable the newest answer blanks.
func (d *kAnonymity) cells(variable string) string {
	report := d.answer.suppression()
	if report == nil {
		return ""
	}
	for _, cells := range report.Cells {
		if cells.Variable == variable {
			return views.FitRight(views.Count(cells.Count), 10) + " cells" + views.FitRight(views.Share(cells.Count, d.records), 9)
		}
	}
	return ""
}

func (d *kAnonymity) Title() string { return "k-anonymity by local suppression" }

func (d *kAnonymity) Typing() bool { return d.form.Typing() }

func (d *kAnonymity) Keys() []key.Binding {
	keys := d.form.keys()
	if d.place() >= 0 {
		keys = append(keys, d.up)
	}
	return append(keys, d.apply, d.cancel)
}

// place returns the place in the order of importance that is in focus; -1 for
// none.
func (d *kAnonymity) place() int {
	focused := d.field()
	for i, field := range d.fields[settings:] {
		if field == focused {
			return i
		}
	}
	return -1
}

// HandleKey edits the fields; enter applies the suppression as it stands.
func (d *kAnonymity) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	if place := d.place(); place >= 0 && !d.Typing() && key.Matches(msg, d.up) {
		d.move(place, msg.String() == "K" || msg.String() == "shift+up")
		return Stay{}
	}
	if d.handle(msg) {
		return Stay{}
	}
	switch {
	case key.Matches(msg, d.apply) && d.err() == nil:
		return Apply{Step: d.step()}
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

func (d *kAnonymity) step() session.StepSpec {
	d.method.Importance = nil
	if d.ordered {
		d.method.Importance = map[string]int{}
		for i, variable := range d.order {
			d.method.Importance[variable] = i + 1
		}
	}
	return stepOf("suppress-kanonymity", d.method)
}

// Question asks for the suppression and the figures after it.
func (d *kAnonymity) Question() *Question {
	if d.err() != nil {
		return nil
	}
	return &Question{Step: d.step()}
}

// View draws the fields, what the suppression would cost and how good it is,
// and the figures after it.
func (d *kAnonymity) View(s views.State, width, height int) string {
	s.K = d.method.K // the what-if marks the k of the dialog
	return d.beside(s, d.figures(d.err() == nil, "The figures stand here when k is a whole number from 2 on."), width, height, func(width, height int) []string {
		lines := append(d.form.view(s.Theme, width), "")
		return append(lines, d.verdict(s, width)...)
	})
}

// rows counts the fields, the help and the verdict.
func (d *kAnonymity) rows() int { return len(d.visible()) + 8 }
