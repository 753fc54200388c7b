package risk

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// IndividualSpec describes the individual risk and its sum and mean.
func IndividualSpec() measure.Spec {
	return assessed{riskValues, explainRisk}.spec(measure.Spec{
		Name:  "risk",
		Title: "risk",
		Help: "The individual risk of a record is the probability that an intruder who knows its key, and that the person is in the population, " +
			"links it correctly. It follows from f, the records with its key, and F, the units of the population with it, estimated by the sum of " +
			"the weights. The sum over all records is the expected number of re-identifications, their mean the global risk.",
		Cite:    measure.SourceRiskAll,
		Section: "Risk",
		Shown:   measure.WhatIf | measure.Screen | measure.Report | measure.Records,
		Columns: []measure.Column{{Name: "fk"}, {Name: "Fk"}, {Name: "risk"}},
	})
}

func riskValues(a *Assessment) measure.Values {
	return measure.Values{
		Numbers: []measure.Value{
			{Name: "expected_reidentifications", Title: "expected re-identifications", Number: a.Expected, Better: measure.Lower,
				Labels: measure.Labels{ShortRow: "re-identifications", WhatIf: "re-identifications", ShortWhatIf: "re-ident."}},
			{Name: "global_risk", Title: "global risk", Number: a.Global, Unit: measure.Mean, Better: measure.Lower, Hidden: measure.WhatIf},
			{Name: "highest_risk", Title: "highest individual risk", Number: a.HighestRisk(), Unit: measure.Probability, Better: measure.Lower,
				Labels: measure.Labels{ShortRow: "highest risk"}, Hidden: measure.WhatIf, Late: true},
			{Name: "raised", Title: "records with a population frequency raised to the sample frequency", Number: float64(a.Raised), Unit: measure.Count,
				Better: measure.Lower, Of: a.Records, Hidden: measure.WhatIf | measure.Screen,
				Note: "The weights of some keys sum up to less than the number of their records, which counts as their population frequency."},
		},
		Records: []func(record int) float64{
			func(record int) float64 { f, _ := a.Frequency(record); return f },
			func(record int) float64 { _, F := a.Frequency(record); return F },
			a.Risk,
		},
	}
}

func explainRisk(a *Assessment, what *measure.What) measure.Explanation {
	switch what.Column {
	case "risk":
		return explainIndividual(a, what.Record)
	case "fk":
		return explainSample(a, what.Record)
	case "Fk":
		return explainPopulation(a, what.Record)
	}
	switch what.Value.Name {
	case "expected_reidentifications":
		return measure.Explanation{Name: "Expected re-identifications", Value: what.Value.Text(),
			Definition: "The sum of the individual risks: how many records an intruder who tries to link all of them would link correctly, on average.",
			Formula:    "sum of r_i over all records",
			Values: []string{wording.Number(a.Records) + " records in " + wording.Number(a.Table().Keys()) + " distinct keys",
				"highest individual risk " + wording.Probability(a.HighestRisk())},
			Source: measure.SourceRiskAll}
	case "global_risk":
		return measure.Explanation{Name: "Global risk", Value: what.Value.Text(),
			Definition: "The mean individual risk: expected re-identifications as a share of the records.",
			Formula:    "sum of r_i / n",
			Values:     []string{wording.Amount(a.Expected) + " / " + wording.Number(a.Records) + " = " + what.Value.Text()},
			Source:     measure.SourceGuide}
	}
	return measure.Explanation{}
}

func explainIndividual(a *Assessment, record int) measure.Explanation {
	e := a.Explain(record)
	return measure.Explanation{Name: "Individual risk of " + nameOf(record), Value: fmt.Sprintf("%.6f", e.Risk),
		Definition: "The probability that an intruder who knows the key of this person, and that the person is in the population, links it to this record correctly.",
		Formula:    e.Formula.String() + ", p = f/F, q = 1 - p",
		Values:     e.Steps(),
		Source:     measure.SourceRiskAll}
}

func explainSample(a *Assessment, record int) measure.Explanation {
	e := a.Explain(record)
	return measure.Explanation{Name: "Sample frequency f of " + nameOf(record), Value: wording.Frequency(e.Sample),
		Definition: "How many records of the file cannot be told from this one by the key variables. How missing values count is said by the rule of the scenario.",
		Formula:    "identical + compatible ones as the rule counts them",
		Values: []string{"identical, itself included: " + wording.Number(e.Identical), "compatible without missing values: " + wording.Number(e.Complete),
			"compatible with missing values: " + wording.Number(e.Incomplete), "rule " + string(e.Rule) + a.options.alphaOf()},
		Source: measure.SourceGuide + "; " + measure.SourceTempl + ", section 3.2.2"}
}

func explainPopulation(a *Assessment, record int) measure.Explanation {
	e := a.Explain(record)
	return measure.Explanation{Name: "Population frequency F of " + nameOf(record), Value: wording.Frequency(e.Population),
		Definition: "How many units of the population have this key, estimated by the sum of the weights of the records that f counts.",
		Formula:    "sum of weights",
		Values:     []string{"F = " + wording.Frequency(e.Population), fmt.Sprintf("p = f/F = %.6f", e.P)},
		Source:     measure.SourceGuide}
}

func nameOf(record int) string { return "record " + wording.Number(record+1) }

// Steps writes the formula of the record's risk, and again with the values put in.
func (e *Explanation) Steps() []string {
	p, q, f := e.P, 1-e.P, wording.Frequency(e.Sample)
	values := fmt.Sprintf("p = f/F = %s/%s = %.6f,  q = 1 - p = %.6f", f, wording.Frequency(max(e.Population, e.Sample)), p, q)
	switch e.Formula {
	case FormulaWhole:
		return []string{"r = 1/f, since f = F or there are no weights", "r = 1/" + f}
	case FormulaOne:
		return []string{"r = p/q ln(1/p) for f = 1", values, fmt.Sprintf("r = %.6f/%.6f × ln(%.4f)", p, q, 1/p)}
	case FormulaTwo:
		return []string{"r = p/q - (p/q)² ln(1/p) for f = 2", values, fmt.Sprintf("r = %.6f - %.6f² × ln(%.4f)", p/q, p/q, 1/p)}
	case FormulaApprox:
		return []string{"r = p/(f - q) for f > 2", values, fmt.Sprintf("r = %.6f/(%s - %.6f)", p, f, q)}
	default:
		return []string{"r = (p^f/f) 2F1(f, f; f+1; q)", values, fmt.Sprintf("r = %.6f^%s/%s × 2F1(%s, %s; %s+1; %.6f)", p, f, f, f, f, f, q)}
	}
}
