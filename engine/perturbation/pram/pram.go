// Package pram implements the post-randomisation method: values of categorical variables are randomised by a
// matrix of known transition probabilities, which can be published.
//
// PRAM builds the matrix (invariant, own, band or equal), draws each record independently, and reports
// transitions, frequencies before, expected and after, and the unbiased estimate of the frequencies before with
// its standard errors. Compose returns the matrix of several applications.
//
//	m := pram.New()
//	m.Variables = []string{"region"}
//	out, err := m.Apply(ctx, method.Input{Data: data, Scenario: &scenario, Seed: seed}, nil)
//	fmt.Println(out.Report.PRAM[0].Strata[0].Matrix)
package pram

import (
	"context"
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// StepName is the name of the method in scripts.
const StepName = "pram"

// Forms of the transition matrix.
const (
	FormInvariant = "invariant"
	FormMatrix    = "matrix"
	FormBand      = "band"
	FormEqual     = "equal"
)

// Diagonals of the invariant form.
const (
	DiagonalDrawn = "drawn" // uniformly distributed on [pd, 1]
	DiagonalExact = "exact" // pd
)

// MaxLevels is the maximum number of categories of a variable.
const MaxLevels = 1000

// PRAM randomises the values of categorical variables. Missing cells stay missing, and suppressed ones suppressed.
// Each variable has its own random stream and is drawn independently of the others; matrices, condition and strata
// use the data before the step. Levels that do not occur are omitted from the matrix, unless an own matrix names
// them.
//
// If the scenario declares a variable to be the same for all members of a household, members with the same value
// share one draw, so that their values stay equal; members with another value share another. A condition must hold
// for all members; otherwise none of them changes.
type PRAM struct {
	Variables []string
	Form      string  // FormInvariant, FormMatrix, FormBand or FormEqual
	PD        float64 // invariant: minimum of the diagonal before mixing; band and equal: the diagonal
	Alpha     float64 // invariant: the matrix is alpha R + (1-alpha) I
	Diagonal  string  // DiagonalDrawn or DiagonalExact, for the invariant form
	Matrix    Rows    // the own matrix
	Levels    []string
	Band      int   // maximum number of positions by which a value moves
	Forbid    Pairs // transitions that are forbidden in both directions
	Condition notation.Condition
	Strata    []string // variables; each combination of their categories has its own matrix
}

var _ method.Method = (*PRAM)(nil)

// New returns the method with its defaults: invariant, pd 0.8, alpha 0.5, random diagonals. The variables must be
// set.
func New() *PRAM {
	return &PRAM{Form: FormInvariant, PD: 0.8, Alpha: 0.5, Diagonal: DiagonalDrawn, Band: 1}
}

// Spec describes pram for the catalog.
func Spec() method.Spec {
	return method.Spec{
		Name:  StepName,
		Title: "PRAM",
		Help: "Post-randomisation (PRAM) changes the values of categorical variables at random with known " +
			"probabilities. The invariant form preserves the expected frequencies of the categories, so unweighted " +
			"one-way tables need no correction. For other matrices, unbiased estimates of the frequencies are " +
			"possible. After PRAM on a key variable, no value is certain, so k-anonymity and the individual risk do " +
			"not apply. In a household-level variable, household members with the same value and stratum change " +
			"together, if the condition holds for all members.",
		Cite: "Gouweleeuw, Kooiman, Willenborg and de Wolf (1998), Journal of Official Statistics 14, 463-478; " +
			"Hundepool et al. (2012), Statistical Disclosure Control; Templ (2017), section 4.2.3",
		Key:    "P",
		Sample: `{"variables":["region","educ"]}`,
		New:    func() method.Method { return New() },
		Draws:  method.Always,
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *PRAM) Params() []method.Param {
	return []method.Param{
		method.Variables(&m.Variables, "variables",
			"categorical variables to randomise, each with its own matrix").Needed(),
		method.Choice(&m.Form, "form",
			"kind of matrix: invariant preserves expected frequencies; matrix uses a matrix that you enter or read from a file; band moves values to "+
				"neighbouring categories; equal moves them to any other category",
			FormInvariant, FormMatrix, FormBand, FormEqual).Labelled("kind of matrix").Decoded(m.chooseForm),
		method.Number(&m.PD, "pd",
			"probability that a value does not change; for the invariant matrix, its minimum in P").Labelled("diagonal (pd)").Between(0, 1).By(0.05),
		method.Number(&m.Alpha, "alpha",
			"invariant: alpha R + (1 - alpha) I with R = P Q; 0: no change").Labelled("PRAM alpha").Between(0, 1).By(0.05),
		method.Choice(&m.Diagonal, "diagonal",
			"invariant: diagonal of P, random between pd and 1 or exactly pd",
			DiagonalDrawn, DiagonalExact).Called("random", "exact").Labelled("diagonal of P"),
		method.Written(&m.Matrix, "matrix", "your matrix, row by row: \"0.9 0.1; 0.2 0.8\"; each row sums to 1"),
		method.Labels(&m.Levels, "levels",
			"categories of your matrix, in its order").Empty("those that occur, in the order of the variable"),
		method.Number(&m.Band, "band", "maximum number of positions that a value moves").AtLeast(1),
		method.Written(&m.Forbid, "forbid",
			"forbidden transitions in both directions: \"married / single; child / widowed\"").
			Labelled("forbidden transitions"),
		method.Written(&m.Condition, "condition",
			"condition for records that may change: \"age > 15\", \"region in (Arden, Brisk) and sex = female\"").Empty("all"),
		method.Variables(&m.Strata, "strata", "stratum variables: the method is applied separately to each combination of their categories"),
	}
}

// chooseForm selects the form if a parameter that only it has is given.
func (m *PRAM) chooseForm(given func(name string) bool) {
	switch {
	case given("form"):
	case given("matrix") && len(m.Matrix) > 0:
		m.Form = FormMatrix
	case given("band"):
		m.Form = FormBand
	}
}

// Narrate states what the step did.
func (m *PRAM) Narrate(report *method.Report) string {
	text := "Values of " + wording.Joined(report.PRAM, ", ", func(v method.PRAMVariable) string { return v.Variable }) +
		" were randomised with known probabilities (PRAM)"
	if m.Condition.Canonical() != "" {
		text += ", in some of the records only"
	}
	return text + "."
}

// Apply randomises the values. It returns an error if a variable is the weight or identifies households, has fewer
// than two categories or too many, or does not fit the matrix. The time is O(records) for each variable, plus
// cubic in the number of categories for the estimates.
func (m *PRAM) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (out method.Output, _ error) {
	if err := m.check(in); err != nil {
		return out, err
	}
	meter.Start(int64(len(m.Variables)) * int64(max(1, in.Data.Len())))
	parts, err := m.partition(ctx, in)
	if err != nil {
		return out, err
	}
	output := method.Output{Data: in.Data}
	for _, name := range m.Variables {
		column, _ := in.Data.Column(name)
		if column.Valueless() {
			output.Report.Warnings = append(output.Report.Warnings, method.WithoutValues(name))
			continue
		}
		after, report, warnings, err := m.variable(ctx, in, column, parts, meter)
		if err != nil {
			return out, err
		}
		if report.Changed > 0 {
			output.Data = output.Data.With(after)
		}
		output.Report.PRAM = append(output.Report.PRAM, report)
		output.Report.Warnings = append(output.Report.Warnings, warnings...)
	}
	m.complete(&output.Report, in)
	return output, ctx.Err()
}

// complete adds the summary of the step to the report.
func (m *PRAM) complete(report *method.Report, in method.Input) {
	report.Title = m.title()
	var changed []string
	for i := range report.PRAM {
		if count := report.PRAM[i].Changed; count > 0 {
			report.Changed += count
			changed = append(changed, report.PRAM[i].Variable)
		}
	}
	report.Effect = effect(report)
	if report.Changed == 0 {
		report.Warnings = append(report.Warnings, method.WarnNothing)
	}
	report.Warnings = append(report.Warnings, method.WarnKeys(in.Scenario, changed)...)
}

// check checks the parameters that do not depend on the records.
func (m *PRAM) check(in method.Input) error {
	if _, err := in.Columns("variables", m.Variables); err != nil {
		return err
	}
	for _, name := range m.Variables {
		switch name {
		case in.Scenario.Weight:
			return method.ParamError("\"variables\": %q is the weight variable, and weights are numeric; choose another variable", name)
		case in.Scenario.Household:
			return method.ParamError("\"variables\": %q contains household IDs; replace it with random IDs instead", name)
		}
	}
	return m.checkForm()
}

// checkForm reports parameters that do not belong to the form, because ignoring them would suggest a guarantee
// that the matrix does not give.
func (m *PRAM) checkForm() error {
	switch {
	case m.Form == FormMatrix && len(m.Matrix) == 0:
		return method.ParamError("\"matrix\" is missing: the form matrix needs one")
	case m.Form != FormMatrix && len(m.Matrix) > 0:
		return method.ParamError("\"matrix\" belongs to the form matrix, not to %s", m.Form)
	case m.Form != FormMatrix && len(m.Levels) > 0:
		return method.ParamError("\"levels\" belongs to the form matrix, not to %s", m.Form)
	case m.Form == FormMatrix && len(m.Forbid) > 0:
		return method.ParamError("\"forbid\" cannot be used with your own matrix: write zeros into it")
	}
	return nil
}

func (m *PRAM) title() string {
	text := "PRAM " + strings.Join(m.Variables, ", ") + ": " + m.Form
	switch m.Form {
	case FormInvariant:
		text += fmt.Sprintf(", pd %v, alpha %v", m.PD, m.Alpha)
	case FormBand:
		text += fmt.Sprintf(" %d, pd %v", m.Band, m.PD)
	case FormEqual:
		text += fmt.Sprintf(", pd %v", m.PD)
	}
	text = method.ByStrata(text, m.Strata)
	if condition := m.Condition.Canonical(); condition != "" {
		text += " where " + condition
	}
	return text
}

func effect(report *method.Report) string {
	var parts []string
	cells := 0
	for _, v := range report.PRAM {
		parts = append(parts, v.Variable+" "+wording.PercentOf(v.Changed, v.Records+v.Kept))
		cells += v.Records + v.Kept
	}
	text := fmt.Sprintf("%s of %s changed", wording.Number(report.Changed), wording.Counted(cells, "cell"))
	if len(parts) > 1 {
		return text + ": " + strings.Join(parts, ", ")
	}
	return text + " (" + wording.PercentOf(report.Changed, cells) + ")"
}
