package keys

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// Agreement counts the records that are compatible with a key, by kind of compatibility.
type Agreement struct {
	Identical  int     // equal, missing values included
	Complete   int     // other complete records
	Incomplete int     // other incomplete records
	Weighed    float64 // incomplete records, weighted by the shares of the rule category-size
}

// Frequency returns the sample frequency of the key under a rule with the given alpha; complete reports whether
// the key is. See Table.Frequencies. It is not valid for a key with every value missing.
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
