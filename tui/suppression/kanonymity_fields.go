package suppression

import (
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// ruleHelp explains each suppression rule in one sentence.
var ruleHelp = map[string]string{
	string(microdata.RuleDefault): "A missing value matches every value: few cells, but sample uniques can count as protected by records with " +
		"missing values. For comparison with older work.",
	string(microdata.RuleConservative): "A record is safe if k complete records agree with it, or if k records have identical key " +
		"patterns. A missing value protects no complete record.",
	string(microdata.RuleCategorySize):  "A missing value counts for each value by its share in the file.",
	string(microdata.RuleConservative2): "Only records with the identical key pattern count, including missing values.",
	string(microdata.RuleOwnCategory):   "Only records with the identical key pattern count: missing is a separate category.",
}

// arrange orders the fields and adds what they do besides setting their parameters, and the key variables below
// them.
func (d *kAnonymity) arrange(s views.State) {
	k, rule, algorithm, strata, budget := d.Named("k"), d.Named("rule"), d.Named("algorithm"), d.Named("strata"), d.Named("budget")
	k.Help = "Each combination of key-variable values must occur at least k times."
	rule.Label, rule.Help = "suppression rule", "How suppressed cells protect other records in this step. The rule of the scenario can differ."
	rule.Hidden = func() bool { return d.method.Algorithm == suppress.SDCMicro }
	changeRule, changeAlgorithm, ruleOfOthers := rule.Change, algorithm.Change, d.method.Rule
	rule.Change = func(by int) {
		changeRule(by)
		rule.Help = ruleHelp[d.method.Rule]
	}
	algorithm.Help = "Minimal suppresses few cells, is fast and gives a lower bound. Thorough searches for fewer cells and a higher " +
		"lower bound. The choice sdcmicro suppresses the same cells as sdcMicro, with the default rule."
	algorithm.Change = func(by int) {
		was := d.method.Algorithm
		changeAlgorithm(by)
		switch {
		case d.method.Algorithm == suppress.SDCMicro:
			ruleOfOthers, d.method.Rule = d.method.Rule, string(microdata.RuleDefault)
		case was == suppress.SDCMicro:
			d.method.Rule = ruleOfOthers
		}
		d.method.Iterations = 0
	}
	strata.Value = func() string { return d.shownStrata(s) }
	budget.Value, budget.Change = d.shownBudget, d.moveBudget
	budget.Hidden = func() bool { return d.method.NoBudget(s.Scenario) != "" }
	budget.Help = "Maximum number of suppressed cells. Cells that protect the most records are suppressed first. The arrow " +
		"keys change it in steps of 1 % of the cells needed for k. The remaining violators are shown below. Leave it empty for no limit."
	households := d.Named("households")
	households.Value = func() string { return listed(d.method.Households) }
	households.Help = "Key variables to suppress for all members of a household, so that an intruder cannot infer a suppressed " +
		"cell from another member. Cells that earlier steps suppressed are included."
	households.Hidden = func() bool { return s.Scenario.Household == "" || s.Current.Data.Grouped() }
	d.Fields = []*dialogs.Field{k, rule, algorithm, strata, d.Named("subsets"), d.fieldNoBudget(s), budget, households}
	for i := range d.order {
		d.Fields = append(d.Fields, d.fieldVariable(i))
	}
}

// fieldNoBudget replaces the budget field if no budget can be used.
func (d *kAnonymity) fieldNoBudget(s views.State) *dialogs.Field {
	field := &dialogs.Field{Label: "budget"}
	field.Hidden = func() bool { return d.method.NoBudget(s.Scenario) == "" }
	field.Value = func() string {
		reason := d.method.NoBudget(s.Scenario)
		field.Help = "A budget " + reason + ". A budget entered earlier returns when it can be used."
		return dialogs.NoEntries + ": " + reason
	}
	field.Fitted = func(cells int) string { // without the explanation of the reason, which is in the help
		value := field.Value()
		short, _, _ := strings.Cut(strings.TrimPrefix(value, dialogs.NoEntries+": "), ":")
		return draw.Fitting(cells, value, dialogs.NoEntries+": "+short)
	}
	return field
}

// shownStrata returns the strata of the step, or those of the scenario if the step has none.
func (d *kAnonymity) shownStrata(s views.State) string {
	strata := d.method.Strata
	if strata == nil {
		strata = s.Scenario.Strata
	}
	return listed(strata)
}

// listed lists names of variables, or NoEntries.
func listed(names []string) string {
	if len(names) == 0 {
		return dialogs.NoEntries
	}
	return method.WrittenList(names)
}

// budgetSteps is the number of key presses from 0 to all cells that k needs.
const budgetSteps = 100

// shownBudget draws the budget as a slider over the cells that k needs.
func (d *kAnonymity) shownBudget() string {
	if d.method.Budget == nil {
		return dialogs.NoEntries
	}
	budget := int(*d.method.Budget)
	text := wording.Counted(budget, "cell")
	if d.whole > 0 {
		const width = 20
		filled := min(width, budget*width/d.whole)
		text += "  " + strings.Repeat("━", filled) + "●" + strings.Repeat("─", width-filled) + "  " + draw.Count(d.whole)
	}
	return text
}

// moveBudget moves the slider; at its right end there is no budget.
func (d *kAnonymity) moveBudget(by int) {
	if d.whole == 0 {
		return // the number of cells that k needs is not known yet
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

// Answer takes the answer to the latest question. Without a budget, it has the number of cells that k needs.
func (d *kAnonymity) Answer(a dialogs.Answer) {
	d.StepDialog.Answer(a)
	if report := a.Suppression(); report != nil && !a.Pending &&
		(d.method.Budget == nil || d.method.NoBudget(d.scenario) != "") {
		d.whole = report.Total
	}
}

// fieldVariable returns the field of the key variable at a place in the order of importance, with its suppressed
// cells.
func (d *kAnonymity) fieldVariable(i int) *dialogs.Field {
	label := "  " + strconv.Itoa(i+1)
	if i == 0 {
		label = "importance 1"
	}
	return &dialogs.Field{
		Label: label,
		Help: "The least important variables lose cells first. K and J move a variable up and down; cells of more " +
			"important variables then cost more.",
		Value: func() string { return draw.Fit(d.order[i], d.nameWidth()) + d.cells(d.order[i]) },
		Means: func(s views.State) string { return s.VariableLabel(d.order[i]) },
	}
}

// nameWidth returns the width of the names of the key variables.
func (d *kAnonymity) nameWidth() int {
	width := 0
	for _, name := range d.order {
		width = max(width, draw.Width(draw.Safe(name)))
	}
	return min(width, 20)
}

// cells returns the number of cells of a variable that the latest answer suppresses.
func (d *kAnonymity) cells(variable string) string {
	report := d.Known.Suppression()
	if report == nil {
		return ""
	}
	for _, cells := range report.Cells {
		if cells.Name == variable {
			unit := " cells"
			if cells.Count == 1 {
				unit = " cell "
			}
			return draw.FitRight(draw.Count(cells.Count), 10) + unit + draw.FitRight(wording.PercentOf(cells.Count, d.records), 9)
		}
	}
	return ""
}
