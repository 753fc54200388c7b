package recode

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Narrate says how many intervals there are, and how many cells lie outside.
func (m *Intervals) Narrate(report *method.Report) string {
	intervals := m.Count
	switch {
	case len(report.Table) > 0:
		intervals = len(report.Table)
	case len(m.Breaks) > 1:
		intervals = len(m.Breaks) - 1
	}
	return fmt.Sprintf("The values of %s were cut into %s%s.", m.Variable, wording.Counted(intervals, "interval"),
		lostCells(report.Outside, "outside them"))
}

// Narrate says how many categories were merged and how many cells that changed.
func (m *Group) Narrate(report *method.Report) string {
	if len(m.Levels) == 0 {
		return fmt.Sprintf("The missing values of %s became a category of their own (%s).", m.Variable, cells(report.Changed))
	}
	text := wording.CountedAs(len(m.Levels), "category", "categories") + " of " + m.Variable
	if m.IncludeMissing {
		text += " and its missing values"
	}
	return fmt.Sprintf("%s were merged (%s changed).", text, cells(report.Changed))
}

// Narrate says that a category has another name.
func (m *Rename) Narrate(*method.Report) string {
	return fmt.Sprintf("A category of %s was given another name.", m.Variable)
}

// Narrate says which ends were coded and how many cells that changed.
func (m *TopBottom) Narrate(report *method.Report) string {
	sides, ends := m.sides(), "highest"
	if sides[1].given() {
		ends = "lowest"
		if sides[0].given() {
			ends = "highest and the lowest"
		}
	}
	return fmt.Sprintf("The %s values of %s were replaced by a common one (%s changed).", ends, m.Variable, cells(report.Changed))
}

// Narrate says that codes became coarser, and how many cells had no coarser level.
func (m *Hierarchy) Narrate(report *method.Report) string {
	return fmt.Sprintf("The codes of %s were replaced by coarser ones%s.", m.Variable, lostCells(report.Outside, "without a coarser one"))
}

// Narrate says what the numbers are multiples of.
func (m *Round) Narrate(report *method.Report) string {
	return fmt.Sprintf("The values of %s were rounded to multiples of %s (%s changed).", m.Variable, numberLabel(m.Base), cells(report.Changed))
}

// Narrate says that a merged category was split.
func (m *Split) Narrate(report *method.Report) string {
	return fmt.Sprintf("A merged category of %s was split into those of the source (%s changed).", m.Variable, cells(report.Changed))
}

// Narrate says that the categories are in an order.
func (m *Order) Narrate(*method.Report) string {
	return fmt.Sprintf("The categories of %s were put in order; no value changed.", m.Variable)
}

func cells(n int) string { return wording.Counted(n, "cell") }

// lostCells says how many cells became missing; "" for none.
func lostCells(n int, which string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %s %s became missing", cells(n), which)
}
