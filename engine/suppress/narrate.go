package suppress

import (
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

var (
	_ method.Narrator = (*KAnonymity)(nil)
	_ method.Narrator = (*AboveRisk)(nil)
)

// madeMissing says how many cells of which variables became missing.
func madeMissing(report *method.Report) string {
	if report.Suppression == nil {
		return "No cells"
	}
	cells := wording.Counted(report.Total, "cell")
	var of []string
	for _, c := range report.Cells {
		if c.Count > 0 {
			of = append(of, c.Variable)
		}
	}
	if len(of) > 0 {
		cells += " of " + strings.Join(of, ", ")
	}
	if n := report.Linked.Sum(); n > 0 {
		cells += fmt.Sprintf(" and %s of variables that follow them", wording.Number(n))
	}
	return cells
}

// became returns the verb for what madeMissing counts.
func became(report *method.Report) string {
	if report.Suppression != nil && report.Total == 1 && report.Linked.Sum() == 0 {
		return "was made missing"
	}
	return "were made missing"
}

// Narrate says how many cells became missing and which k that reaches.
func (m *KAnonymity) Narrate(report *method.Report) string {
	goal := fmt.Sprintf("at least %d records cannot be told apart by the key variables", m.K)
	if len(m.Subsets) > 0 {
		goal = "enough records cannot be told apart by any combination of so many key variables (" + m.Subsets.String() + ")"
	}
	return Narrate(report, "so that "+goal)
}

// Narrate says how many cells became missing in records of high risk.
func (m *AboveRisk) Narrate(report *method.Report) string {
	return Narrate(report, "in records that would be recognised too easily")
}
