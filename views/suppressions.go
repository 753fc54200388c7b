package views

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Suppressions is the pane of cells that steps made missing: per key variable
// by the last step and by all that stand.
type Suppressions struct{}

var _ Explained = (*Suppressions)(nil)

// ID returns "suppressions".
func (*Suppressions) ID() string { return "suppressions" }

// Title returns what stands in the frame.
func (*Suppressions) Title() string { return "Suppressions" }

// Keys returns the keys of the pane: it has none of its own.
func (*Suppressions) Keys() []key.Binding { return nil }

// HandleKey takes no key.
func (*Suppressions) HandleKey(tea.KeyPressMsg, State) Action { return nil }

// View draws one line per key variable and the sum.
func (*Suppressions) View(s State, width, height int, _ bool) string {
	total, largest := 0, 1
	cells := make([]int, len(s.Scenario.Keys))
	for i, name := range s.Scenario.Keys {
		cells[i] = suppressedCells(s, name)
		total += cells[i]
		largest = max(largest, cells[i])
	}
	if total == 0 {
		return sentence(s, "No cell has been suppressed. K opens k-anonymity: it shows how many cells would have to go, before any goes.", width, height)
	}
	const last, all, percent = 10, 10, 9
	name := min(16, max(6, width-last-all-percent-8))
	bar := width - name - last - all - percent - 2
	lines := []string{s.Theme.Heading.Render(Fit(" "+Fit("variable", name)+FitRight("last step", last)+FitRight("all", all)+FitRight("percent", percent), width))}
	for i, variable := range s.Scenario.Keys {
		text := " " + Fit(variable, name) + FitRight(Count(lastCells(s, variable)), last) + FitRight(Count(cells[i]), all) +
			FitRight(strings.TrimSuffix(Share(cells[i], s.Current.Data.Len()), " %"), percent) + " "
		style := s.Theme.Plain
		if cells[i] == 0 {
			style = s.Theme.Faint
		}
		lines = append(lines, style.Render(text)+s.Theme.Suppressed.Render(Bar(float64(cells[i])/float64(largest), max(0, bar))))
	}
	lines = append(lines, s.Theme.Strong.Render(Fit(" "+Fit("all", name)+FitRight(Count(lastTotal(s)), last)+FitRight(Count(total), all)+
		FitRight(strings.TrimSuffix(Share(total, s.Current.Data.Len()*max(1, len(cells))), " %"), percent), width)))
	if account := accountOf(s); account != "" {
		lines = append(lines, "")
		lines = append(lines, wrapped(s.Theme.Faint.Render, account, width-1)...)
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// suppressedCells returns the cells of a variable that steps made missing.
func suppressedCells(s State, variable string) int {
	now, before := categoriesOf(s.Current, variable), categoriesOf(s.Original, variable)
	if now == nil || before == nil {
		return 0
	}
	return newMissing(now, before)
}

// lastReport returns the report of the last step that stands, where it was a
// suppression.
func lastStep(s State) *Step {
	if s.Position == 0 || s.Position > len(s.Steps) {
		return nil
	}
	step := &s.Steps[s.Position-1]
	if step.Report == nil || step.Report.Suppression == nil {
		return nil
	}
	return step
}

func lastCells(s State, variable string) int {
	step := lastStep(s)
	if step == nil {
		return 0
	}
	for _, cells := range step.Report.Cells {
		if cells.Variable == variable {
			return cells.Count
		}
	}
	return 0
}

func lastTotal(s State) int {
	if step := lastStep(s); step != nil {
		return step.Report.Total
	}
	return 0
}

// accountOf says how the last suppression compares with the least possible.
func accountOf(s State) string {
	step := lastStep(s)
	if step == nil || step.Report.Bound == nil || *step.Report.Bound == 0 {
		return ""
	}
	return "last step: price " + Count(step.Report.Price) + "; no method can do with less than " + Count(*step.Report.Bound)
}

// Figures explains the counts.
func (*Suppressions) Figures(s State) []Figure {
	var figures []Figure
	for _, name := range s.Scenario.Keys {
		cells := suppressedCells(s, name)
		if cells == 0 {
			continue
		}
		figures = append(figures, Figure{Name: "Suppressed cells of " + name, Value: Count(cells) + ", " + Percent(cells, s.Current.Data.Len()) + " of the records",
			Definition: "Cells with a value in the original data that are missing now, by whatever step; in the column before, those of the last step.",
			Formula:    "missing now - missing in the original", Source: "Templ 2017, section 4.2.2"})
	}
	return figures
}
