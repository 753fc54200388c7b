package risk

import (
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// IndividualSpec describes the individual risk and its sum and mean.
func IndividualSpec() measure.Spec {
	return estimated(riskValues).spec(measure.Spec{
		Name:   "risk",
		Groups: true,
		Title:  "risk",
		Help: "The individual risk of a record is the probability that an intruder links it correctly. The intruder " +
			"knows its key pattern, and that the person is in the population. The risk depends on f, the number of " +
			"records with the key pattern, and F, the number of population units with it, estimated by the sum of " +
			"the weights. The sum over all records is the expected number of re-identifications; the mean is the " +
			"global risk.",
		Cite:    measure.SourceRiskAll,
		Section: "Risk",
		Shown:   measure.WhatIf | measure.Screen | measure.Report | measure.Records,
		Summary: []measure.SummaryNumber{{Name: "expected_reidentifications", Title: "expected re-identifications", First: true},
			{Name: "global_risk"}, {Name: "raised", Whole: true}},
		Columns: []measure.Column{{Name: "fk"}, {Name: "Fk"}, {Name: "risk"}},
		Page: measure.Page{Worst: "risk", Meaning: measure.Telling("An intruder who tries to link all records links %s of them correctly on average; the record with the "+
			"highest risk is linked correctly with probability %s.", "expected_reidentifications", "highest_risk")},
		Definitions: measure.Definitions{
			"risk": {"The probability that an intruder who knows the key pattern of this person, and that the person is in the " +
				"population, links the person to this record correctly."},
			"fk": {"Number of records that the key variables cannot distinguish from this one. The rule of the scenario " +
				"determines how missing values count.",
				"identical records + compatible records as the rule counts them", "", measure.SourceGuide + "; " + measure.SourceTempl + ", section 3.2.2"},
			"Fk": {"Number of population units with this key pattern, estimated by the sum of the weights of the records that f " +
				"counts.",
				"sum of weights", "", measure.SourceGuide},
			"expected_reidentifications": {"The sum of the individual risks: the expected number of correct links if an intruder tries to link every record.",
				"sum of r_i over all records", "Expected re-identifications"},
			"highest_risk": {"The highest individual risk: the probability that the record with the highest risk is linked correctly.",
				"highest r_i", "Highest individual risk"},
			"raised": {"Records whose key pattern has a sum of weights below its number of records. Their population frequency is " +
				"raised to the sample frequency, because a population has at least as many units as its sample.",
				"number of records with F < f", "Records whose F was raised to f", measure.SourceGuide},
			"global_risk": {"The mean individual risk: expected re-identifications as a share of the records.", "sum of r_i / n", "Global risk",
				measure.SourceGuide},
		},
	})
}

func riskValues(a *Assessment) measure.Values {
	return measure.Values{
		Numbers: []measure.Value{
			{Name: "expected_reidentifications", Title: "expected re-identifications", Number: a.Expected, Better: measure.Lower,
				Labels: measure.Labels{ShortRow: "expected re-id.", WhatIf: "expected re-id.", ShortWhatIf: "re-id."}},
			{Name: "global_risk", Title: "global risk", Number: a.Global, Unit: measure.Mean, Better: measure.Lower,
				Hidden: measure.WhatIf},
			{Name: "highest_risk", Title: "highest individual risk", Number: a.HighestRisk(), Unit: measure.Probability,
				Better: measure.Lower,
				Labels: measure.Labels{ShortRow: "highest ind. risk"}, Hidden: measure.WhatIf, Late: true},
			{Name: "raised", Title: "records whose F was raised to f",
				Number: float64(a.Raised), Unit: measure.Count,
				Better: measure.Lower, Of: a.Records, Hidden: measure.WhatIf | measure.Screen,
				Note: "In some key patterns the sum of the weights is below the number of records; the number of records is used " +
					"as their population frequency."},
		},
		Records: []func(record int) float64{
			func(record int) float64 { f, _ := a.Frequency(record); return f },
			func(record int) float64 { _, F := a.Frequency(record); return F },
			a.Risk,
		},
		Explain: a.explainRisk,
	}
}

// explainRisk explains a figure with frequencies and risks.
func (a *Assessment) explainRisk(e *measure.Explanation, what *measure.FigureKey) {
	if what.Column != "" {
		a.explainRecord(e, what)
		return
	}
	switch what.Value.Name {
	case "expected_reidentifications":
		e.Steps = a.expectedSteps
	case "highest_risk":
		e.Steps = func() []string { return a.highestSteps(e.Value) }
	case "raised":
		e.Values = []string{e.Value + " of " + wording.Number(a.Records) + " records"}
	case "global_risk":
		e.Values = []string{wording.Precise(a.Expected) + " / " + wording.Number(a.Records) + " = " + e.Value}
	}
}

func (a *Assessment) explainRecord(e *measure.Explanation, what *measure.FigureKey) {
	of := a.Explain(what.Record)
	name := nameOf(what.Record)
	switch what.Column {
	case "risk":
		e.Name, e.Value, e.Values = "Individual risk of "+name, fmt.Sprintf("%.6f", of.Risk), of.worked()
		e.Formula = of.Formula.String() + ", p = f/F, q = 1 - p"
	case "fk":
		e.Name, e.Value = "Sample frequency f of "+name, wording.Frequency(of.Sample)
		e.Values = append([]string{"rule " + string(of.Rule) + a.options.alphaOf()}, of.sampleSteps()...)
	case "Fk":
		e.Name, e.Value = "Population frequency F of "+name, wording.Frequency(of.Population)
		e.Values = of.populationSteps(a, what.Record)
	}
}

// highestSteps shows the calculation of the highest risk for the first record with it.
func (a *Assessment) highestSteps(text string) []string {
	if len(a.risks) == 0 {
		return []string{"there are no records: " + text}
	}
	record := a.recordOf(slices.Index(a.risks, a.HighestRisk()))
	e := a.Explain(record)
	lines := append([]string{nameOf(record)}, e.Steps()...)
	lines[len(lines)-1] += " = " + text
	return lines
}

// populationSteps shows F as a sum of weights.
func (e *Explanation) populationSteps(a *Assessment, record int) []string {
	own := a.table.Weights()[a.table.Key(record)]
	lines := []string{"weights of the identical records: " + wording.Precise(own)}
	if others := e.Population - own; others == 0 {
		lines = append(lines, "F = "+wording.Precise(own))
	} else {
		lines = append(lines, "of the compatible records, as f counts them: "+wording.Precise(others),
			fmt.Sprintf("F = %s + %s = %s", wording.Precise(own), wording.Precise(others), wording.Precise(e.Population)))
	}
	return append(lines, fmt.Sprintf("p = f/F = %s/%s = %s", wording.Precise(e.Sample),
		wording.Precise(max(e.Population, e.Sample)), wording.Precise(e.P)))
}

func nameOf(record int) string { return "record " + wording.Number(record+1) }

// Steps returns the formula of the record's risk, first with symbols and then with values.
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
