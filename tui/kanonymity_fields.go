package tui

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/suppress"
	"github.com/sdcdesk/sdcdesk/views"
)

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
	algorithms := []string{suppress.Minimal, suppress.Thorough, suppress.SDCMicro}
	return &formField{
		label: "algorithm",
		help: "minimal: few cells at once, and how few any method needs. thorough: goes on searching, and raises that bound. " +
			"sdcmicro: cell for cell as sdcMicro does it, rule default.",
		value: func() string { return d.method.Algorithm },
		change: func(by int) {
			was := d.method.Algorithm
			at := slices.Index(algorithms, was)
			d.method.Algorithm = algorithms[(at+by+len(algorithms))%len(algorithms)]
			switch {
			case d.method.Algorithm == suppress.SDCMicro:
				rule, d.method.Rule = d.method.Rule, string(microdata.RuleDefault)
			case was == suppress.SDCMicro:
				d.method.Rule = rule
			}
			d.method.Iterations = 0
		},
	}
}

// furtherFields returns the fields of the parameters that the dialog has no
// field of its own for.
func (d *kAnonymity) furtherFields(s views.State) []*formField {
	var fields []*formField
	for _, param := range d.method.Params() {
		switch param.Name {
		case "k", "rule", "algorithm", "importance", "iterations":
			continue
		}
		field := newParameterField(s, d.method, param)
		switch param.Name {
		case "strata":
			field.value = func() string { return d.shownStrata(s) }
		case "budget":
			fields = append(fields, d.fieldNoBudget(s))
			d.budget(s, field)
		}
		fields = append(fields, field)
	}
	return fields
}

// budget makes a field that of the budget. It is hidden where none can be used.
func (d *kAnonymity) budget(s views.State, field *formField) {
	field.value, field.change = d.shownBudget, d.moveBudget
	field.hidden = func() bool { return d.method.NoBudget(s.Scenario) != "" }
	field.help = "No more than so many cells, where they protect most records: arrows move it by a hundredth, from all cells that " +
		"k needs downwards. How many violators that leaves stands below. Empty for none."
}

// fieldNoBudget stands in the place of the budget where none can be used.
func (d *kAnonymity) fieldNoBudget(s views.State) *formField {
	field := &formField{label: "budget"}
	field.hidden = func() bool { return d.method.NoBudget(s.Scenario) == "" }
	field.value = func() string {
		reason := d.method.NoBudget(s.Scenario)
		field.help = "A budget " + reason + ". A number of cells that was chosen before comes back when it can be used."
		return noEntries + ": " + reason
	}
	return field
}

// shownStrata returns the strata, those of the scenario where the step names
// none of its own.
func (d *kAnonymity) shownStrata(s views.State) string {
	strata := d.method.Strata
	if strata == nil {
		strata = s.Scenario.Strata
	}
	if len(strata) == 0 {
		return noEntries
	}
	return method.WrittenList(strata)
}

// budgetSteps is the number of key presses from no cell to all that k needs.
const budgetSteps = 100

// shownBudget draws the budget as a slider over the cells that k needs.
func (d *kAnonymity) shownBudget() string {
	if d.method.Budget == nil {
		return noEntries
	}
	budget := int(*d.method.Budget)
	text := views.Count(budget) + " cells"
	if d.whole > 0 {
		const width = 20
		filled := min(width, budget*width/d.whole)
		text += "  " + strings.Repeat("━", filled) + "●" + strings.Repeat("─", width-filled) + "  " + views.Count(d.whole)
	}
	return text
}

// moveBudget moves the slider; at its right end there is no budget.
func (d *kAnonymity) moveBudget(by int) {
	if d.whole == 0 {
		return // not known yet what k needs
	}
	step, at := max(1, d.whole/budgetSteps), d.whole
	if d.method.Budget != nil {
		at = int(*d.method.Budget)
	}
	if at = max(0, at+by*step); at >= d.whole {
		d.method.Budget = nil
		return
	}
	budget := float64(at)
	d.method.Budget = &budget
}

// Answer takes what is known of the newest question. Without a budget it tells
// how many cells k needs.
func (d *kAnonymity) Answer(a Answer) {
	d.whatIf.Answer(a)
	if report := a.suppression(); report != nil && !a.Pending && (d.method.Budget == nil || d.method.NoBudget(d.scenario) != "") {
		d.whole = report.Total
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
	if d.answer.Search != nil {
		report = d.answer.Search.Account
	}
	if report == nil {
		return ""
	}
	for _, cells := range report.Cells {
		if cells.Variable == variable {
			unit := " cells"
			if cells.Count == 1 {
				unit = " cell "
			}
			return views.FitRight(views.Count(cells.Count), 10) + unit + views.FitRight(views.Share(cells.Count, d.records), 9)
		}
	}
	return ""
}
