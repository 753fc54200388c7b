package risk

import (
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// HouseholdSpec describes the household risk.
func HouseholdSpec() measure.Spec {
	const formula = "1 - product over the members of (1 - r_j)"
	return estimated(householdValues).spec(measure.Spec{
		Name:  "household",
		Title: "household risk",
		Help: "The risk of a household is the probability that at least one member is re-identified, because an intruder " +
			"who recognises one member finds all. It is the same for every member. The measure needs a variable with " +
			"household IDs.",
		Cite:    measure.SourceGuide + "; " + measure.SourceHundep + ", section 3.3",
		Section: "Risk",
		Shown:   measure.WhatIf | measure.Screen | measure.Report | measure.Records,
		Summary: []measure.SummaryNumber{{Name: "expected_reidentifications"}, {Name: "risk"}}, SummaryIn: "households",
		Columns: []measure.Column{{Name: "household_risk"}},
		Page:    measure.Page{Worst: "household_risk", Meaning: measure.Telling("An intruder who finds one member of a household finds all of them: %s re-identifications are expected.", "expected_reidentifications")},
		Definitions: measure.Definitions{
			"household_risk": {"The probability that at least one member of the household is re-identified; it is the same for every member.", formula},
			"expected_reidentifications": {"The risk of a household is the probability that at least one member is re-identified, because an intruder " +
				"who recognises one member finds all. The expected number is its sum over all records.", formula + ", summed over all records", "Household risk"},
			"risk": {"The mean over all records of the risk that at least one member of the record's household is re-identified.",
				"sum of r_h over all records / n", "Global household risk"},
			"highest_risk": {"The highest probability, over all households, that at least one member is re-identified.",
				"highest r_h = " + formula, "Highest household risk"},
			"only_of_size": {"Records of households with a unique number of members. Anyone who can see which records form a household " +
				"knows its size, whether it is a key variable or not, and can isolate these households by it.",
				"number of records in households with a unique size", "Households with a unique size"},
		},
	})
}

func householdValues(a *Assessment) measure.Values {
	h, ofRecord := a.Households, a.HouseholdRiskOf
	if h == nil {
		return measure.Values{Records: []func(record int) float64{nil}}
	}
	return measure.Values{
		Numbers: []measure.Value{
			{Name: "expected_reidentifications", Title: "expected household re-identifications", Number: h.Expected,
				Better: measure.Lower,
				Labels: measure.Labels{ShortRow: "household re-id.", WhatIf: "household re-id.",
					ShortWhatIf: "  household re-id."}},
			{Name: "risk", Title: "global household risk", Number: h.Global, Unit: measure.Mean, Better: measure.Lower,
				Hidden: measure.WhatIf | measure.Screen},
			{Name: "highest_risk", Title: "highest household risk", Number: h.Highest, Unit: measure.Probability,
				Better: measure.Lower,
				Labels: measure.Labels{ShortRow: "highest hh. risk"},
				Hidden: measure.WhatIf | measure.Report},
			{Name: "only_of_size", Title: "records in households with a unique size", Labels: measure.Labels{ShortRow: "in households of unique size"}, Number: float64(a.index.SingledOut()),
				Unit: measure.Count, Better: measure.Lower, Of: a.Records,
				Hidden: measure.WhatIf | measure.Screen},
		},
		Records: []func(record int) float64{ofRecord},
		Explain: a.explainHousehold,
	}
}

// explainHousehold explains a figure with the risks of members and households.
func (a *Assessment) explainHousehold(e *measure.Explanation, what *measure.FigureKey) {
	h := a.Households
	switch what.Figure() {
	case "household_risk":
		e.Name, e.Value = "Household risk of "+nameOf(what.Record), fmt.Sprintf("%.6f", a.HouseholdRiskOf(what.Record))
		e.Values = a.memberSteps(a.index.Of(what.Record))
	case "expected_reidentifications":
		e.Value += " expected"
		e.Steps = a.householdSteps
	case "risk":
		e.Values = []string{wording.Precise(h.Expected) + " / " + wording.Number(a.Records) + " = " + e.Value}
	case "highest_risk":
		e.Steps = func() []string { return a.memberSteps(slices.Index(h.risks, h.Highest)) }
	case "only_of_size":
		e.Steps = a.sizeSteps
	}
}
