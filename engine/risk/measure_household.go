package risk

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// HouseholdSpec describes the risk through households.
func HouseholdSpec() measure.Spec {
	return assessed{householdValues, explainHousehold}.spec(measure.Spec{
		Name:  "household",
		Title: "household risk",
		Help: "Who recognises one member of a household has found all of them. The risk of a household is that at least one member is " +
			"re-identified; it is the same for every member. Needs a variable that says which persons form a household.",
		Cite:    measure.SourceGuide + "; " + measure.SourceHundep + ", section 3.3",
		Section: "Risk",
		Shown:   measure.WhatIf | measure.Screen | measure.Report | measure.Records,
		Columns: []measure.Column{{Name: "household_risk"}},
	})
}

func householdValues(a *Assessment) measure.Values {
	h := a.Households
	if h == nil {
		return measure.Values{Records: []func(record int) float64{nil}}
	}
	return measure.Values{
		Numbers: []measure.Value{
			{Name: "expected_reidentifications", Title: "expected re-identifications through households", Number: h.Expected, Better: measure.Lower,
				Labels: measure.Labels{Row: "households: expected", ShortRow: "households: exp.", WhatIf: "  of households", ShortWhatIf: "  households"}},
			{Name: "risk", Title: "global risk through households", Number: h.Global, Unit: measure.Mean, Better: measure.Lower,
				Hidden: measure.WhatIf | measure.Screen},
			{Name: "highest_risk", Title: "highest risk of a household", Number: h.Highest, Unit: measure.Probability, Better: measure.Lower,
				Labels: measure.Labels{Row: "households: highest risk", ShortRow: "  highest risk"}, Hidden: measure.WhatIf | measure.Report},
		},
		Records: []func(record int) float64{a.HouseholdRiskOf},
	}
}

func explainHousehold(a *Assessment, what *measure.What) measure.Explanation {
	h := a.Households
	e := measure.Explanation{Formula: "1 - product over the members of (1 - r_j)", Source: measure.SourceGuide + "; " + measure.SourceHundep + ", section 3.3"}
	switch {
	case what.Column != "" && h != nil:
		e.Name, e.Value = "Household risk of "+nameOf(what.Record), fmt.Sprintf("%.6f", a.HouseholdRiskOf(what.Record))
		e.Definition = "The probability that at least one member of the household is re-identified; every member has it."
		e.Values = []string{"members: " + wording.Number(a.index.Members(a.index.Of(what.Record)))}
	case what.Value.Name == "expected_reidentifications" && h != nil:
		e.Name, e.Value = "Household risk", wording.Amount(h.Expected)+" expected, highest "+wording.Probability(h.Highest)
		e.Definition = "Who recognises one member of a household has found all of them. The risk of a household is that at least one member is re-identified; " +
			"it is the same for every member. Expected is its sum over all records."
		e.Values = []string{wording.Amount(h.Expected) + " / " + wording.Number(a.Records) + " = " + wording.MeanRisk(h.Global)}
	default:
		return measure.Explanation{}
	}
	return e
}
