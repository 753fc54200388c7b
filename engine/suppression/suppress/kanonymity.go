package suppress

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Algorithms of KAnonymity.
const (
	Minimal  = "minimal"  // few cells, or a low weighted cost: the best of a short search
	Thorough = "thorough" // fewer cells: a longer search that also raises the lower bound
	SDCMicro = "sdcmicro" // cell for cell as sdcMicro 5.8.1
)

// KAnonymity suppresses cells of the key variables until no record violates k-anonymity under the suppression rule.
// Cells that are already missing stay missing and cost nothing. Weights are ignored.
//
// With strata, every stratum is treated as a separate file: a record is safe if k records of its stratum have the
// same key pattern. A missing value of a strata variable is a separate category. A strata variable may be a key
// variable. It is then constant within each stratum, so it loses a cell only if the record loses everything, or if
// sdcMicro's order finds no record that differs. The bound is the sum of the strata's, and the report counts
// violators within strata; counted in the whole file there are at most as many. Only a default importance is
// computed from the whole file.
type KAnonymity struct {
	K         int
	Algorithm string // Minimal, Thorough or SDCMicro
	Rule      string // suppression rule, a microdata.Rule; SDCMicro requires RuleDefault
	// 1 = most important, suppressed last; nil: the variable with most categories is the least
	// important
	Importance map[string]int
	// variables whose combinations of categories must reach k separately; nil: those of the scenario, empty: none
	Strata []string
	// k for every combination of a number of key variables, instead of K for all of them; nil: none
	Subsets    Subsets
	Iterations int // for the algorithm Thorough; 0: DefaultIterations
	// maximum number of suppressed cells, an integer; as many records as possible are protected; nil: no limit
	Budget *float64
	// key variables whose cells all members of a household lose together, even if a member lost it before the
	// step, in addition to those that the scenario declares the same for households
	Households []string
}

var _ method.Method = (*KAnonymity)(nil)

// NewKAnonymity returns the method with its defaults: k 3, minimal,
// conservative.
func NewKAnonymity() *KAnonymity {
	return &KAnonymity{K: 3, Algorithm: Minimal, Rule: string(microdata.RuleConservative)}
}

// KAnonymitySpec describes suppress-kanonymity for the catalog.
func KAnonymitySpec() method.Spec {
	return method.Spec{
		Name:  "suppress-kanonymity",
		Title: "k-anonymity by local suppression",
		Help: "Suppresses single cells of key variables until each key pattern occurs at least k times. Under the " +
			"conservative rule a record is safe if k complete records agree with it, or k records have identical " +
			"key patterns. Under the default rule a missing value matches any value, which needs " +
			"fewer cells and protects less. Minimal reports a lower bound on the cells and is optimal for small " +
			"files; thorough can find fewer cells and a higher bound. With a budget, the cells that protect the most " +
			"records are suppressed, up to the limit, and unprotected records are reported. Subsets instead set a k " +
			"for all combinations of a given number of key variables, such as all pairs; include the number of all key " +
			"variables for k-anonymity.",
		Cite:      "Samarati and Sweeney (1998); Templ (2017), Statistical Disclosure Control for Microdata, section 4.2.2",
		Key:       "K",
		Sample:    `{}`,
		New:       func() method.Method { return NewKAnonymity() },
		VersionOf: method.Of((*KAnonymity).version),
		Refuses:   NeedsKeys,
		OnGroups:  method.With((*KAnonymity).onGroups),
		Searches:  func(m method.Method, _ *microdata.Dataset) bool { return m.(*KAnonymity).Algorithm == Thorough },
		Search: func(m method.Method, ctx context.Context, in method.Input) (method.Search, error) {
			return m.(*KAnonymity).Search(ctx, in)
		},
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *KAnonymity) Params() []method.Param {
	return []method.Param{
		method.Number(&m.K, "k", "minimum number of records with each key pattern").AtLeast(2),
		method.Choice(&m.Algorithm, "algorithm",
			"minimal: few cells, fast; thorough: fewer cells, slower; sdcmicro: the same cells as sdcMicro",
			Minimal, Thorough, SDCMicro),
		ruleParam(&m.Rule, "rule for missing values: how suppressed cells protect; sdcmicro supports the default rule only").Decoded(m.takeRule),
		method.Importance(&m.Importance, "importance",
			"importance of each key variable; 1 is suppressed last").Empty("variables with more categories are less important"),
		method.Variables(&m.Strata, "strata", "stratum variables: k is reached in each stratum").
			Empty("the scenario's strata").InScripts("[]: none"),
		method.Written(&m.Subsets, "subsets", `sizes of combinations of key variables, each with its own k, such as "4:10, `+
			`3:20"; they replace k`).
			InScripts(`or [{"size":4,"k":10},{"size":3,"k":20}]`),
		method.Number(&m.Iterations, "iterations",
			"iterations of thorough; 0: "+
				wording.Number(DefaultIterations)+", with subsets "+wording.Number(DefaultSubsetIterations)).
			AtLeast(0).CountsIf(func() bool { return m.Algorithm == Thorough }),
		method.Number(&m.Budget, "budget", "maximum number of cells").
			AtLeast(0).Empty("protect all"),
		method.Variables(&m.Households, "households", "key variables to suppress for all members of a household, even if an earlier step suppressed only one of them").Among(method.KeyVariables).Empty("none"),
	}
}

// ruleParam returns the parameter for the suppression rule.
func ruleParam(field *string, help string) method.Param {
	rules := make([]string, 0, len(microdata.Rules()))
	for _, rule := range microdata.Rules() {
		rules = append(rules, string(rule))
	}
	return method.Choice(field, "rule", help, rules...)
}

// takeRule selects the default rule for sdcMicro's order if no rule is given.
func (m *KAnonymity) takeRule(given func(name string) bool) {
	if m.Algorithm == SDCMicro && !given("rule") {
		m.Rule = string(microdata.RuleDefault)
	}
}

// version changed to 2 when combinations stopped leaving cells suppressed unnecessarily, to 3 when the order of
// the file stopped deciding which households lose cells, and to 4 when the algorithm minimal started to solve
// small files exactly, also under rules that count suppressed cells for other records.
func (m *KAnonymity) version() int {
	if m.Algorithm == SDCMicro {
		return 0
	}
	return 4
}

// onGroups returns why the method does not work if rows represent several records, or "" if it does.
func (m *KAnonymity) onGroups(*microdata.Scenario) string {
	if m.Algorithm == SDCMicro {
		return "the algorithm sdcmicro processes records in file order"
	}
	if len(m.Households) > 0 {
		return "suppression in whole households needs the records"
	}
	return ""
}

// Apply suppresses cells. An error that wraps method.ErrUnreachable names the records or strata that cannot reach
// k.
func (m *KAnonymity) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (none method.Output, _ error) {
	if err := m.check(); err != nil {
		return none, err
	}
	if _, err := keyColumns(in); err != nil {
		return none, err
	}
	found, err := m.solve(ctx, in, meter)
	if err != nil {
		return none, fmt.Errorf("k-anonymity: %w", err)
	}
	out, err := m.output(found)
	if err != nil {
		return none, err
	}
	return out, ctx.Err()
}

// warnStops warns that sdcMicro would not have finished.
const warnStops = "sdcMicro stops here, at a violator from which no record differs; cells of other records were suppressed " +
	"until no violator is left"

// output returns the data without the suppressed cells and those of linked variables, with a report.
func (m *KAnonymity) output(found *solution) (method.Output, error) {
	out, err := found.output()
	if err != nil {
		return out, err
	}
	report, scenario := &out.Report, found.in.Scenario
	report.Title = m.title(scenario)
	if left := found.account.Left.Conservative; left > 0 {
		report.Warnings = append(report.Warnings, m.unprotected(scenario, left))
	}
	if found.stops {
		report.Warnings = append(report.Warnings, warnStops)
	}
	report.Warnings = append(report.Warnings, found.households.warnings(m.Households)...)
	return out, nil
}

// check reports parameters that conflict.
func (m *KAnonymity) check() error {
	if err := method.Validate(m); err != nil {
		return err
	}
	if m.Algorithm == SDCMicro && m.Rule != string(microdata.RuleDefault) {
		return method.ParamError("\"rule\" is %q; the algorithm sdcmicro supports only the rule %q: omit the rule or choose the algorithm %s", m.Rule, microdata.RuleDefault, Minimal)
	}
	if len(m.Subsets) > 0 && m.Algorithm == SDCMicro {
		return method.ParamError("\"subsets\" requires the algorithm %s or %s, not %s", Minimal, Thorough,
			m.Algorithm)
	}
	for i, name := range m.Strata {
		if slices.Contains(m.Strata[:i], name) {
			return method.ParamError("\"strata\": %s is listed twice", name)
		}
	}
	return m.checkBudget(nil)
}

// strata returns the variables that define strata.
func (m *KAnonymity) strata(scenario *microdata.Scenario) []string {
	if m.Strata != nil {
		return m.Strata
	}
	return scenario.Strata
}

// solve finds a suppression.
func (m *KAnonymity) solve(ctx context.Context, in method.Input, meter *progress.Meter) (*solution, error) {
	if m.Algorithm == Thorough {
		return m.thorough(ctx, in, meter)
	}
	s, err := m.prepare(ctx, in)
	if err != nil {
		return nil, err
	}
	all, account, err := s.run(ctx, meter)
	if err != nil {
		return nil, err
	}
	found, err := s.finishHouseholds(ctx, all, account)
	if err == nil {
		found.stops = s.stops.Load()
	}
	return found, err
}

// prepare divides the file into strata and ranks its variables.
func (m *KAnonymity) prepare(ctx context.Context, in method.Input) (*strataSolver, error) {
	spec := KAnonymitySpec()
	if err := spec.CheckRows(m, in); err != nil {
		return nil, err
	}
	if err := m.checkBudget(in.Scenario); err != nil {
		return nil, err
	}
	in, begun, err := m.inHouseholds(in)
	if err != nil {
		return nil, err
	}
	f, err := fileOf(ctx, in, m.strata(in.Scenario))
	if err != nil {
		return nil, err
	}
	s, err := m.on(f, in)
	if err != nil {
		return nil, err
	}
	s.begun = begun
	if s.households, err = householdsOf(in); s.households != nil && m.Algorithm != SDCMicro {
		s.households.sort(f.table.RowKeys())
	}
	return s, err
}

// unprotected explains why records still violate k-anonymity.
func (m *KAnonymity) unprotected(scenario *microdata.Scenario, left int) string {
	within := ""
	if len(m.strata(scenario)) > 0 {
		within = " within their strata"
	}
	why := "they are protected only if a missing value matches any value"
	if m.Budget != nil {
		why = "a budget of " + wording.Counted(int(*m.Budget), "cell") + " does not protect them"
	}
	violate := "violate"
	if left == 1 {
		violate = "violates"
	}
	return fmt.Sprintf("%s still %s %s under the conservative rule%s: %s", wording.Counted(left, "record"), violate,
		m.goal(), within, why)
}

// title describes the step: "k-anonymity k=3, in strata of region, importance sex, age, …".
func (m *KAnonymity) title(scenario *microdata.Scenario) string {
	title := fmt.Sprintf("k-anonymity k=%d", m.K)
	if len(m.Subsets) > 0 {
		title = "k-anonymity in combinations " + m.Subsets.String()
	}
	switch {
	case m.Algorithm == SDCMicro:
		title += ", algorithm sdcmicro"
	case m.Algorithm == Thorough:
		title += ", thorough, " + m.Rule
	default:
		title += ", minimal, " + m.Rule
	}
	if m.Budget != nil {
		title += ", at most " + wording.Counted(int(*m.Budget), "cell")
	}
	if strata := m.strata(scenario); len(strata) > 0 {
		title += ", in strata of " + strings.Join(strata, " and ")
	}
	if len(m.Households) > 0 {
		title += ", " + wording.Listed(m.Households) + " in whole households"
	}
	if len(m.Importance) == 0 {
		return title
	}
	return title + ", importance " + wording.Beginning(byImportance(scenario.Keys, m.Importance), 2)
}

// goal names the property that a record can violate.
func (m *KAnonymity) goal() string {
	if len(m.Subsets) > 0 {
		return "k-anonymity in some combination of the key variables"
	}
	return fmt.Sprintf("%d-anonymity", m.K)
}

// Narrate states that cells were suppressed and which k the data reach.
func (m *KAnonymity) Narrate(report *method.Report) string {
	of := "the key variables"
	if len(m.Subsets) > 0 {
		of = "some of the key variables"
	}
	return Narrate(report, "so that each combination of values of "+of+" occurs at least k times; k is not published")
}
