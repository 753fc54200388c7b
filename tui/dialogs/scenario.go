package dialogs

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Scenario is the dialog of the disclosure scenarios: their names, and for the one being edited the key and
// sensitive variables and how risk is counted. Its what-if shows the figures of the current data under that
// scenario. Enter activates it.
type Scenario struct {
	StepDialog
	all  []session.NamedScenario // as edited, except the one in the fields
	was  []session.NamedScenario
	at   int // index of the one being edited
	data *microdata.Dataset
	does ScenarioActs

	scenario microdata.Scenario // that of the fields
	target   float64            // global risk in percent

	alphas views.Cache[*whatif.Result, byAlpha]
	first  *microdata.Scenario // initial scenario of the fields
}

// ScenarioActs are the functions of the program for named scenarios.
type ScenarioActs struct {
	New    func(like microdata.Scenario)
	Rename func(name string)
	Remove func(name string)
}

var (
	_ Previewer = (*Scenario)(nil)
	_ HelpPage  = (*Scenario)(nil)

	_ views.Seeker = (*Scenario)(nil)
)

// NewScenario opens the dialog with the active scenario.
func NewScenario(s views.State, all []session.NamedScenario, acts ScenarioActs) *Scenario {
	d := &Scenario{all: all, was: slices.Clone(all), data: s.Current.Data, does: acts}
	d.Self, d.Heading, d.NeedK, d.Yes = d, "Scenario", s.K, "activate"
	d.Hint = "Complete the fields to see the figures of the scenario."
	d.at = max(0, slices.IndexFunc(all, func(one session.NamedScenario) bool { return one.InForce }))
	d.take()
	which := &Field{Label: "scenario",
		Help: "Scenario of the file. Press enter to activate it. W activates the next scenario without this dialog.",
		Value: func() string {
			text := d.name()
			if len(d.all) > 1 {
				text += fmt.Sprintf("  %d of %d", d.at+1, len(d.all))
			}
			if d.all[d.at].InForce && len(d.all) > 1 {
				text += ", active"
			}
			return text
		}}
	if len(all) > 1 {
		which.Change = func(by int) {
			d.keep()
			d.at = (d.at + by + len(d.all)) % len(d.all)
			d.take()
		}
	}
	d.Fields = []*Field{which}
	for _, p := range d.params() {
		field := NewParameterField(s, nil, p)
		if p.Name == "alpha" {
			field.Hidden = func() bool { return d.scenario.Rule != microdata.RuleDefault }
		}
		d.Fields = append(d.Fields, field)
	}
	return d
}

// params returns the settings of a scenario.
func (d *Scenario) params() []method.Param {
	var rules []string
	for _, rule := range microdata.Rules() {
		rules = append(rules, string(rule))
	}
	describes := func(column *microdata.Column, _ *microdata.Scenario) bool {
		return column.Name() != d.scenario.Weight && column.Name() != d.scenario.Household &&
			!d.scenario.Has(column.Name(), microdata.RoleRemoved)
	}
	return []method.Param{
		method.Variables(&d.scenario.Keys, "key_variables",
			"Variables that an intruder may know from other sources").Among(describes),
		method.Variables(&d.scenario.Sensitive, "sensitive_variables", "Variables that an intruder should not learn").Among(describes),
		method.Choice((*string)(&d.scenario.Rule), "rule",
			"How a missing value in a key variable counts in the risks and in the number of violators. Default: it matches any value, with weight alpha. "+
				"Conservative: it protects no complete record. Own category: a missing value counts as a category. "+
				"The glossary explains the other rules", rules...).Labelled("rule for missing values"),
		method.Number(&d.scenario.Alpha, "alpha",
			"Weight of a record with a missing value in the frequency of each key pattern it may have, from 0 (none) to 1 (full)").Between(0, 1).By(0.05),
		method.Numbers(&d.scenario.K, "k", "Values of k to count violators for, such as 2, 3, 5"),
		method.Number(&d.target, "global_risk_%",
			"Target global risk in percent of the records. The risk threshold of the Risk pane is derived from it").Labelled("target global risk (%)").Between(0.001, 99).By(0.1),
	}
}

// name returns the name of the scenario being edited.
func (d *Scenario) name() string {
	if name := d.all[d.at].Name; name != "" {
		return name
	}
	return "the only scenario"
}

// take fills the fields from the scenario being edited.
func (d *Scenario) take() {
	d.scenario = d.all[d.at].Scenario.Clone()
	d.target = 100 * d.scenario.GlobalRiskTarget()
	d.target, _ = strconv.ParseFloat(strconv.FormatFloat(d.target, 'g', 9, 64), 64)
	first := d.edited()
	d.first = &first
}

// keep stores the fields in the scenario being edited, if they changed.
func (d *Scenario) keep() {
	if now := d.edited(); !reflect.DeepEqual(now, *d.first) {
		d.all[d.at].Scenario = now
	}
}

// edited returns the scenario of the fields.
func (d *Scenario) edited() microdata.Scenario {
	out := d.scenario.Clone()
	out.GlobalRisk = d.target / 100
	if d.target == 1 {
		out.GlobalRisk = 0
	}
	for key := range out.Linked { // a link to a variable that is no longer a key variable ends
		if !slices.Contains(out.Keys, key) {
			delete(out.Linked, key)
		}
	}
	return out
}

// Acts returns the keys for named scenarios, on the field of the name.
func (d *Scenario) Acts(views.State) []views.KeyAction {
	if d.Typing() || d.Field() != d.Fields[0] {
		return nil
	}
	acts := []views.KeyAction{views.Emits("n", "new", Call(func() { d.does.New(d.edited()) })),
		views.Emits("r", "rename", Call(func() { d.does.Rename(d.was[d.at].Name) }))}
	if len(d.all) > 1 {
		acts = append(acts, views.Emits("d", "remove", Call(func() { d.does.Remove(d.was[d.at].Name) })))
	}
	return acts
}

// HandleKey edits the fields; lists fit the edited scenario.
func (d *Scenario) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	now := d.edited()
	s.Scenario = &now
	return d.StepDialog.HandleKey(msg, s)
}

// Made returns no step; ok reports whether the scenario is valid.
func (d *Scenario) Made() (step session.StepSpec, ok bool) { return step, d.problem() == nil }

// Enter hands over the edited scenarios and activates one.
func (d *Scenario) Enter() draw.Action {
	if d.problem() != nil {
		return nil
	}
	d.keep()
	changed := SetScenario{Name: d.was[d.at].Name, Scenario: d.all[d.at].Scenario}
	for i := range d.all {
		if i != d.at && !reflect.DeepEqual(d.all[i].Scenario, d.was[i].Scenario) {
			changed.Others = append(changed.Others, d.all[i])
		}
	}
	return changed
}

// problem returns the error of the fields, or nil.
func (d *Scenario) problem() error {
	if err := d.Err(); err != nil {
		return err
	}
	now := d.edited()
	return now.Check(d.data)
}

// Question asks for the figures under the scenario.
func (d *Scenario) Question() *Question {
	if d.problem() != nil {
		return nil
	}
	now := d.edited()
	return &Question{Scenario: &now, NeedK: d.NeedK}
}

// Under draws the error of the fields, or the effect of alpha and the target.
func (d *Scenario) Under(s views.State, width, _ int) []string {
	switch problem := d.problem(); {
	case d.Err() != nil:
		return nil // the field shows the error
	case problem != nil:
		return s.Error.Wrapped(problem.Error(), width)
	}
	return d.under(s, width)
}

// Rows returns the number of lines of the fields, the help and what is below.
func (d *Scenario) Rows() int { return len(d.Visible()) + 12 }

// under describes the effect of alpha on the counts, and what remains to be done for the target.
func (d *Scenario) under(s views.State, width int) []string {
	if d.Known.WhatIf == nil || d.Known.Pending || d.Known.WhatIf.Assessment == nil {
		return nil
	}
	var lines []string
	a := d.Known.WhatIf.Assessment
	add := func(text string) { lines = s.Plain.Append(lines, text, width) }
	if found := d.alphas.Found(d.Known.WhatIf); d.scenario.Rule == microdata.RuleDefault && found != nil {
		add(found.text(d.NeedK))
	}
	switch threshold, needed := a.Threshold(d.target / 100); {
	case !needed:
		add(fmt.Sprintf("Global risk %s; the target of %s is met.", wording.PercentAgainst(a.Global, d.target/100), percent(d.target)))
	default:
		add(fmt.Sprintf("Global risk %s. It reaches the target of %s if no individual risk exceeds %s.", wording.PercentAgainst(a.Global, d.target/100), percent(d.target),
			views.RiskText(threshold)))
	}
	return lines
}

func percent(x float64) string { return method.FormatNumber(x) + " %" }

// alphaSteps are the values of alpha that violators are counted for.
var alphaSteps = [...]float64{0, 0.25, 0.5, 0.75, 1}

// Seek counts the violators of the screen's k by alpha, and the records affected, once per answer.
func (d *Scenario) Seek(views.State) views.Piece {
	known := d.Known.WhatIf
	if known == nil || d.Known.Pending || known.Assessment == nil {
		return nil
	}
	k := d.NeedK
	return d.alphas.Seek(known, func(ctx context.Context) (found byAlpha, err error) {
		found.incomplete, found.violators, err = known.Assessment.Table().ViolatorsByAlpha(ctx, k, alphaSteps[:])
		return found, err
	})
}

// byAlpha is the number of records with a missing key value, and the violators by alpha; nil if no value is
// missing.
type byAlpha struct {
	incomplete int
	violators  []int
}

func (a *byAlpha) text(k int) string {
	if a.incomplete == 0 {
		return "No key variable has missing values, so alpha changes nothing."
	}
	parts := make([]string, len(a.violators))
	for i, violators := range a.violators {
		parts[i] = strings.ReplaceAll(draw.Count(violators)+" (alpha "+method.FormatNumber(alphaSteps[i])+")", " ", "\u00a0")
	}
	return wording.Does(a.incomplete, "record", "have") + fmt.Sprintf(" missing values in key variables. Violators of k = %d: ", k) +
		strings.Join(parts, ", ") + "."
}

// Page explains the settings.
func (d *Scenario) Page() *Text {
	return newListedPage("Scenario",
		"A disclosure scenario describes what an intruder may know about the persons in the file, and how risk is "+
			"computed. A file can have several scenarios; changing them does not change the data. Every change of a "+
			"scenario can be undone.", "", d.params(),
		d.Keys(), "")
}
