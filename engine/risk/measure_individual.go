package risk

import (
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// IndividualSpec describes the individual risk and its sum and mean.
func IndividualSpec() measure.Spec {
	return assessed{riskValues, estimated(explainRisk)}.spec(measure.Spec{
		Name:   "risk",
		Groups: true,
		Title:  "risk",
		Help: "The individual risk of a record is the probability that an intruder who knows its key, and that the person is in the population, " +
			"links it correctly. It follows from f, the records with its key, and F, the units of the population with it, estimated by the sum of " +
			"the weights. The sum over all records is the expected number of re-identifications, their mean the global risk.",
		Cite:    measure.SourceRiskAll,
		Section: "Risk",
		Shown:   measure.WhatIf | measure.Screen | measure.Report | measure.Records,
		Summary: []measure.Summarised{{Name: "expected_reidentifications", Title: "expected re-identifications", First: true},
			{Name: "global_risk"}, {Name: "raised", Whole: true}},
		Columns: []measure.Column{{Name: "fk"}, {Name: "Fk"}, {Name: "risk"}},
		Page: measure.Page{Worst: "risk", Meaning: measure.Telling("Who tries to link all records links %s of them rightly on average; the one "+
			"that is easiest to find is linked rightly with probability %s.", "expected_reidentifications", "highest_risk")},
	})
}

func riskValues(a *Assessment) measure.Values {
	return measure.Values{
		Numbers: []measure.Value{
			{Name: "expected_reidentifications", Title: "expected re-identifications", Number: a.Expected, Better: measure.Lower,
				Labels: measure.Labels{ShortRow: "re-identifications", WhatIf: "re-identifications", ShortWhatIf: "re-ident."}},
			{Name: "global_risk", Title: "global risk", Number: a.Global, Unit: measure.Mean, Better: measure.Lower,
				Hidden: measure.WhatIf},
			{Name: "highest_risk", Title: "highest individual risk", Number: a.HighestRisk(), Unit: measure.Probability,
				Better: measure.Lower,
				Labels: measure.Labels{ShortRow: "highest risk"}, Hidden: measure.WhatIf, Late: true},
			{Name: "raised", Title: "records with a population frequency raised to the sample frequency", Labels: measure.Labels{ShortRow: "records with Fk raised to fk"},
				Number: float64(a.Raised), Unit: measure.Count,
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
			Steps:      a.expectedSteps,
			Source:     measure.SourceRiskAll}
	case "highest_risk":
		return a.explainHighest(what.Value.Text())
	case "raised":
		return measure.Explanation{Name: "Records with a raised population frequency", Value: what.Value.Text(),
			Definition: "Records whose key has weights that add up to less than the number of its records. Their population frequency counts as the sample " +
				"frequency, since a population has no fewer units than its sample.",
			Formula: "number of records with F < f",
			Values:  []string{what.Value.Text() + " of " + wording.Number(a.Records) + " records"},
			Source:  measure.SourceGuide}
	case "global_risk":
		return measure.Explanation{Name: "Global risk", Value: what.Value.Text(),
			Definition: "The mean individual risk: expected re-identifications as a share of the records.",
			Formula:    "sum of r_i / n",
			Values:     []string{wording.Precise(a.Expected) + " / " + wording.Number(a.Records) + " = " + what.Value.Text()},
			Source:     measure.SourceGuide}
	}
	return measure.Explanation{}
}

func explainIndividual(a *Assessment, record int) measure.Explanation {
	e := a.Explain(record)
	return measure.Explanation{Name: "Individual risk of " + nameOf(record), Value: fmt.Sprintf("%.6f", e.Risk),
		Definition: "The probability that an intruder who knows the key of this person, and that the person is in the population, links it to this record correctly.",
		Formula:    e.Formula.String() + ", p = f/F, q = 1 - p",
		Values:     e.worked(),
		Source:     measure.SourceRiskAll}
}

func explainSample(a *Assessment, record int) measure.Explanation {
	e := a.Explain(record)
	return measure.Explanation{Name: "Sample frequency f of " + nameOf(record), Value: wording.Frequency(e.Sample),
		Definition: "How many records of the file cannot be told from this one by the key variables. How missing values count is said by the rule of the scenario.",
		Formula:    "identical + compatible ones as the rule counts them",
		Values:     append([]string{"rule " + string(e.Rule) + a.options.alphaOf()}, e.sampleSteps()...),
		Source:     measure.SourceGuide + "; " + measure.SourceTempl + ", section 3.2.2"}
}

func explainPopulation(a *Assessment, record int) measure.Explanation {
	e := a.Explain(record)
	return measure.Explanation{Name: "Population frequency F of " + nameOf(record), Value: wording.Frequency(e.Population),
		Definition: "How many units of the population have this key, estimated by the sum of the weights of the records that f counts.",
		Formula:    "sum of weights",
		Values:     e.populationSteps(a, record),
		Source:     measure.SourceGuide}
}

// explainHighest works out the risk of the first record that has it.
func (a *Assessment) explainHighest(text string) measure.Explanation {
	out := measure.Explanation{Name: "Highest individual risk", Value: text,
		Definition: "The highest of the individual risks: the probability that the record that is easiest to find is linked correctly.",
		Formula:    "highest r_i", Source: measure.SourceRiskAll}
	out.Steps = func() []string {
		if len(a.risks) == 0 {
			return []string{"there are no records: " + text}
		}
		record := a.recordOf(slices.Index(a.risks, a.HighestRisk()))
		e := a.Explain(record)
		lines := append([]string{nameOf(record)}, e.Steps()...)
		lines[len(lines)-1] += " = " + text
		return lines
	}
	return out
}

// populationSteps adds up the weights that F counts.
func (e *Explanation) populationSteps(a *Assessment, record int) []string {
	own := a.table.Weights()[a.table.Key(record)]
	lines := []string{"weights of the identical records: " + wording.Precise(own)}
	if others := e.Population - own; others == 0 {
		lines = append(lines, "F = "+wording.Precise(own))
	} else {
		lines = append(lines, "of the compatible ones, as f counts them: "+wording.Precise(others),
			fmt.Sprintf("F = %s + %s = %s", wording.Precise(own), wording.Precise(others), wording.Precise(e.Population)))
	}
	return append(lines, fmt.Sprintf("p = f/F = %s/%s = %s", wording.Precise(e.Sample),
		wording.Precise(max(e.Population, e.Sample)), wording.Precise(e.P)))
}

func nameOf(record int) string { return "record " + wording.Number(record+1) }

// Steps writes the formula of the record's risk, and again with the values put in.
func (e *Explanation) Steps() []string {
	p, q, f := wording.Precise(e.P), wording.Precise(1-e.P), wording.Precise(e.Sample)
	values := fmt.Sprintf("p = f/F = %s/%s = %s,  q = 1 - p = %s", f, wording.Precise(max(e.Population, e.Sample)), p, q)
	switch e.Formula {
	case FormulaWhole:
		return []string{"r = 1/f, since f = F or there are no weights", "r = 1/" + f}
	case FormulaOne:
		return []string{"r = p/q ln(1/p) for f = 1", values, fmt.Sprintf("r = %s/%s × ln(1/%s)", p, q, p)}
	case FormulaTwo:
		return []string{"r = p/q - (p/q)² ln(1/p) for f = 2", values,
			fmt.Sprintf("r = %s/%s - (%s/%s)² × ln(1/%s)", p, q, p, q, p)}
	case FormulaApprox:
		return []string{"r = p/(f - q) for f > 2", values, fmt.Sprintf("r = %s/(%s - %s)", p, f, q)}
	default:
		return []string{"r = (p^f/f) 2F1(f, f; f+1; q)", values, fmt.Sprintf("r = %s^%s/%s × 2F1(%s, %s; %s+1; %s)", p, f, f,
			f, f, f, q)}
	}
}
