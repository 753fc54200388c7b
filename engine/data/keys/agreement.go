package keys

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// Agreement counts the records that are compatible with one key, by how they are.
type Agreement struct {
	Identical  int     // the same values and the same missing ones
	Complete   int     // without missing values, others than the identical
	Incomplete int     // with missing values, others than the identical
	Weighed    float64 // the incomplete ones, each by the shares that the rule category-size gives it
}

// Frequency returns f of the key, which is complete or not, under a rule with the
// given alpha; see Table.Frequencies. Of a key that is missing everywhere it knows
// nothing.
func (a *Agreement) Frequency(rule microdata.Rule, alpha float64, complete bool) float64 {
	identical, compatible := float64(a.Identical), float64(a.Identical+a.Complete)
	switch {
	case rule == microdata.RuleOwnCategory, rule == microdata.RuleConservative2 && complete:
		return identical
	case rule == microdata.RuleConservative:
		return compatible
	case rule == microdata.RuleDefault:
		return compatible + float64(alpha*float64(a.Incomplete))
	case rule == microdata.RuleCategorySize && complete:
		return identical + a.Weighed
	default:
		return compatible + float64(a.Incomplete)
	}
}
