package loglinear

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

const cite = "Skinner and Holmes 1998, Journal of Official Statistics 14; Skinner and Shlomo 2008; Templ 2017, Statistical Disclosure Control for Microdata, section 3.7"

// Ways to report the sums of a model.
const (
	AsRecords  = "records"  // expected numbers of records
	AsSdcMicro = "sdcmicro" // shares of the non-empty cells, as in sdcMicro
)

// Measure is the measure of model-based risk.
type Measure struct {
	Formula  string   // or "" for the main effects of the key variables
	Variants []string // nil: Default
	As       string
}

var _ measure.Measure = (*Measure)(nil)

// Result is the result of Measure: the cross table, and the fitted counts of each variant.
type Result struct {
	Cells    *Cells
	Variants []string
	Fitted   [][]float64
	Tau1     []float64
	Tau2     []float64
}

// Spec describes model for the catalog.
func Spec() measure.Spec {
	return measure.Spec{
		Name:   "model",
		Groups: true,
		Title:  "model-based risk",
		Help: "Fits a Poisson log-linear model to the counts of a cross table. It estimates how many cells with one " +
			"record are unique in the population (tau 1), and how many correct matches with them an intruder can " +
			"expect (tau 2). Records with a missing value in the formula are excluded. Variants:\n" +
			"- CE (Clogg-Eliason): with the offset ln(count/weight + 0.1).\n" +
			"- PML (pseudo maximum likelihood): with scaled weights instead of counts.\n" +
			"- weighted: with the weight of a cell as a predictor.\n" +
			"- IPF (iterative proportional fitting): with main effects only.",
		Cite: cite,
		Page: measure.Page{Meaning: measure.Telling("For the %s cells with one record, a model of the table estimates how many are also unique in the "+
			"population, and how many matches with them are correct.", "sample_uniques")},
		New: func() measure.Measure { return &Measure{As: AsRecords} },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Measure) Params() []method.Param {
	return []method.Param{
		method.Text(&m.Formula, "formula",
			"terms of the model, such as region + sex + age, interactions as sex*age").Empty("the main effects of the key variables"),
		method.Labels(&m.Variants, "variants", "which of "+strings.Join(Variants(), ", ")+" are fitted").Empty(Default),
		method.Choice(&m.As, "as",
			"records: expected numbers; sdcmicro: shares of the non-empty cells, as in sdcMicro", AsRecords,
			AsSdcMicro),
	}
}

// parsed returns the formula for a version of the data.
func (m *Measure) parsed(v *measure.Version) (Formula, error) {
	if strings.TrimSpace(m.Formula) == "" {
		return mainEffects(v.Scenario.Keys), nil
	}
	return ParseFormula(m.Formula)
}

// Needs returns why the model does not apply, or "": there are no variables, or their values were perturbed.
func (m *Measure) Needs(in measure.Input) string {
	f, err := m.parsed(in.Current)
	if err != nil {
		return "" // Compute reports the error
	}
	on := risk.OnKeys{Keys: f.Variables}
	return on.Needs(in)
}

// variants returns the variants to fit.
func (m *Measure) variants() ([]string, error) {
	if len(m.Variants) == 0 {
		return []string{Default}, nil
	}
	for _, name := range m.Variants {
		if !slices.Contains(Variants(), name) {
			return nil, method.ParamError("\"variants\" has %q; known are %s", name, strings.Join(Variants(), ", "))
		}
	}
	return m.Variants, nil
}

// Compute fits the variants to the version of the data.
func (m *Measure) Compute(ctx context.Context, in measure.Input, meter *progress.Meter) (out measure.Values, _ error) {
	f, err := m.parsed(in.Current)
	if err != nil {
		return out, err
	}
	found := &Result{}
	if found.Variants, err = m.variants(); err != nil {
		return out, err
	}
	if found.Cells, err = NewCells(ctx, in.Current, f); err != nil {
		return out, err
	}
	meter.Start(int64(len(found.Variants)))
	for _, variant := range found.Variants {
		fitted, err := found.Cells.Fit(ctx, variant)
		if err != nil {
			return out, fmt.Errorf("variant %s: %w", variant, err)
		}
		tau1, tau2 := found.Cells.Risk(fitted, m.As == AsSdcMicro)
		found.Fitted, found.Tau1, found.Tau2 = append(found.Fitted, fitted), append(found.Tau1, tau1), append(found.Tau2,
			tau2)
		meter.Add(1)
	}
	return m.values(found), nil
}

func (m *Measure) values(found *Result) measure.Values {
	uniques := 0
	found.Cells.Uniques(func(int, float64) { uniques++ })
	values := measure.Values{Result: found,
		Explain: func(e *measure.Explanation, what *measure.FigureKey) { m.explain(found, e, what) }}
	of, unit, cell := " ("+m.unit()+")", measure.ExpectedRecords, func(x float64) any { return measure.ExpectedCount(x) }
	if m.As == AsSdcMicro {
		unit, cell = measure.Amount, func(x float64) any { return x }
	}
	table := measure.Table{Name: "variants", Title: "Model-based risk" + of, Columns: []string{"variant", "tau1", "tau2"}}
	for i, variant := range found.Variants {
		number := func(part, title, short string, x float64) measure.Value {
			return measure.Value{Name: variant, Part: part, Title: title + of + ", " + variant,
				Labels: measure.Labels{ShortRow: short + ", " + variant}, Number: x, Unit: unit, Better: measure.Lower}
		}
		values.Numbers = append(values.Numbers, number("tau1", "uniques that are population uniques", "population uniques", found.Tau1[i]),
			number("tau2", "correct matches with uniques", "correct matches", found.Tau2[i]))
		table.Rows = append(table.Rows, []any{variant, cell(found.Tau1[i]), cell(found.Tau2[i])})
	}
	values.Numbers = append(values.Numbers,
		measure.Value{Name: "sample_uniques", Title: "cells with one record", Number: float64(uniques), Unit: measure.Count,
			Better: measure.Lower, Of: found.Cells.Filled},
		measure.Value{Name: "filled_cells", Title: "cells with a record", Number: float64(found.Cells.Filled),
			Unit: measure.Count, Of: len(found.Cells.Count)})
	values.Tables = []measure.Table{table, found.byFraction()}
	return values
}

func (m *Measure) unit() string {
	if m.As == AsSdcMicro {
		return "as sdcMicro"
	}
	return "records"
}

// fractions are the sampling fractions in the table of population uniques.
var fractions = []float64{0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5}

// byFraction returns the table of expected population uniques by sampling fraction, for the first variant.
func (f *Result) byFraction() measure.Table {
	t := measure.Table{Name: "population_uniques",
		Title:   "Expected population uniques by sampling fraction, " + f.Variants[0],
		Columns: []string{"fraction", "expected"}}
	for _, fraction := range fractions {
		t.Rows = append(t.Rows, []any{method.FormatNumber(fraction),
			measure.ExpectedCount(f.Cells.PopulationUniques(f.Fitted[0], fraction))})
	}
	return t
}

// explain explains a figure with the sum over sample uniques.
func (m *Measure) explain(found *Result, e *measure.Explanation, what *measure.FigureKey) {
	i := slices.Index(found.Variants, what.Value.Name)
	if i < 0 {
		e.Formula = "number of cells"
		e.Values = []string{fmt.Sprintf("%s in the cross table of %s, %s", wording.Counted(len(found.Cells.Count), "cell"),
			wording.Listed(found.Cells.Formula.Variables),
			wording.Counted(found.Cells.Records, "record"))}
		return
	}
	v := "v = (1 - p) lambda / p, lambda the fitted count of the cell, p = 1/weight"
	if m.As == AsSdcMicro {
		v = "v = (1 - p) lambda, lambda the fitted count of the cell, p = 1/weight; both divided by the number of " +
			"non-empty cells"
	}
	e.Formula = "tau 1 = sum of exp(-v), tau 2 = sum of (1 - exp(-v))/v over the cells with one record, " + v
	e.Values = found.steps(i, what.Value.Part == "tau2", m.As == AsSdcMicro, wording.Amount(what.Value.Number))
}

// mostAdded is the maximum number of cells listed separately in a sum.
const mostAdded = 6

// steps shows the calculation of a variant's sum: the first sample uniques with their values, and the rest as one
// number.
func (f *Result) steps(variant int, second, asSdcMicro bool, sum string) (lines []string) {
	uniques, rest := 0, 0.0
	var added []string
	f.Cells.Uniques(func(cell int, p float64) {
		lambda := f.Fitted[variant][cell]
		odds, divided := (1-p)/p, "/"+fmt.Sprintf("%.8g", p)
		if asSdcMicro {
			odds, divided = 1-p, ""
		}
		v := odds * lambda
		amount, text := math.Exp(-v), fmt.Sprintf("exp(-%.8g)", v)
		if second {
			amount, text = 1, "1"
			if v > 0 {
				amount, text = -math.Expm1(-v)/v, fmt.Sprintf("(1 - exp(-%.8g))/%.8g", v, v)
			}
		}
		if uniques++; uniques > mostAdded {
			rest += amount
			return
		}
		lines = append(lines, fmt.Sprintf("v = (1 - %.8g) × %.8g%s = %.6g", p, lambda, divided, v),
			fmt.Sprintf("%s = %.6g", text, amount))
		added = append(added, fmt.Sprintf("%.6g", amount))
	})
	if uniques == 0 {
		return []string{"no cell with one record: = " + sum}
	}
	all := strings.Join(added, " + ")
	if uniques > mostAdded {
		all += fmt.Sprintf(" + %.6g", rest)
		lines = append(lines, wording.Counted(uniques-mostAdded, "further cell")+fmt.Sprintf(": %.6g", rest))
	}
	if asSdcMicro {
		all = "(" + all + ") / " + wording.Number(max(1, f.Cells.Filled))
	}
	return append(lines, fmt.Sprintf("%s with one record, %s non-empty: the sum", wording.Counted(uniques, "cell"),
		wording.Number(f.Cells.Filled)), all+" = "+sum)
}
