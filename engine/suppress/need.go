package suppress

import (
	"context"
	"errors"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/engine/suppress/minimal"
)

// NeedOptions says which k-anonymity is wanted.
type NeedOptions struct {
	K          int
	Rule       microdata.Rule // protection rule; "" is conservative
	Alpha      float64        // of the scenario: for the default rule, and for the violators left under it
	Importance map[string]int // 1 = most important; nil: see KAnonymity
}

// Need returns what KAnonymity with the algorithm minimal would suppress on a
// key table, which may be one that a recode not yet made would give: cells per
// variable, price, bound and violators left. names are the table's variables.
// It touches no record and costs time in the number of distinct keys. An error
// that wraps method.ErrUnreachable says why there is no solution.
func Need(ctx context.Context, t *keys.Table, names []string, o NeedOptions) (*method.Suppression, error) {
	_, suppression, err := solveMinimal(ctx, t, names, o, nil)
	return suppression, err
}

// solveMinimal returns the parts to blank and their account.
func solveMinimal(ctx context.Context, t *keys.Table, names []string, o NeedOptions, meter *progress.Meter) (parts, *method.Suppression, error) {
	if o.Rule == "" {
		o.Rule = microdata.RuleConservative
	}
	ranks, err := rankVariables(names, categories(t), o.Importance)
	if err != nil {
		return nil, nil, err
	}
	codes, levels := codesOf(t)
	solution, err := minimal.Solve(ctx, &minimal.Problem{
		Codes: codes, Levels: levels, Count: t.Counts(), K: o.K,
		Price: ranks.price, TieOrder: ranks.order, Rule: protection(o.Rule), Alpha: o.Alpha,
	}, meter.Set)
	if err != nil {
		return nil, nil, explain(err, t, o.K)
	}
	p := make(parts, len(solution.Keys))
	for i := range p {
		p[i] = part{key: solution.Keys[i], set: solution.Sets[i], count: solution.Counts[i]}
	}
	s, err := p.account(ctx, t, names, ranks.price, o)
	if err != nil {
		return nil, nil, err
	}
	s.Algorithm = Minimal
	if bounded(o.Rule) {
		bound := int(solution.Bound)
		s.Bound, s.Proven = &bound, bound == s.Price
	}
	return p, s, nil
}

// protection returns the solver's name of a protection rule. Under the rule
// conservative-2 a record is safe where k records share the identical key, as
// under own-category.
func protection(rule microdata.Rule) minimal.Rule {
	switch rule {
	case microdata.RuleDefault:
		return minimal.Default
	case microdata.RuleCategorySize:
		return minimal.CategorySize
	case microdata.RuleConservative2, microdata.RuleOwnCategory:
		return minimal.OwnCategory
	default:
		return minimal.Conservative
	}
}

// bounded reports whether the solver's bound holds for the rule: under rules
// that count blanks for everybody fewer cells can do.
func bounded(rule microdata.Rule) bool {
	return rule != microdata.RuleDefault && rule != microdata.RuleCategorySize
}

// explain turns errors of the solver into those of methods.
func explain(err error, t *keys.Table, k int) error {
	switch {
	case errors.Is(err, minimal.ErrUnreachable):
		return fmt.Errorf("k = %d %w for any record: the file has %d records", k, method.ErrUnreachable, t.Records())
	case errors.Is(err, minimal.ErrProblem):
		return fmt.Errorf("local suppression %w: %w", method.ErrInput, err)
	default:
		return err
	}
}
