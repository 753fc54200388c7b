package views

import (
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// Trials is the pane of the candidates.
type Trials struct{ tablePane }

// NewTrials returns the pane of the candidates.
func NewTrials() *Trials {
	p := &Trials{tablePane{id: "trials", title: "Candidates", enter: "apply"}}
	p.content, p.acts, p.figures = p.table, p.keys, trialFigures
	return p
}

func (p *Trials) keys() []act {
	return []act{asks("a", "add usual methods", TryUsual{}),
		{bind("d", "take off the list", "d"), func(_ tea.KeyPressMsg, s State) Action {
			if p.cursor.At < len(s.Trials) {
				return DropTrial{p.cursor.At}
			}
			return Handled{}
		}}}
}

// trialFigures explains what candidates are.
func trialFigures(s State) []Figure {
	return []Figure{{Name: "Candidates", Value: wording.Counted(len(s.Trials), "candidate"),
		Definition: "Steps that are tried on the current data, all records of them, without being made: the figures are those that the data would have after the step. Nothing changes until one is applied.",
		Formula:    "the figures of the axes of the map, and the first of each measure that is open", Source: "Duncan, Keller-McNulty and Stokes (2001), Disclosure risk vs. data utility: the R-U confidentiality map"}}
}

// table has a row for each candidate: the figures of the axes of the map, then the
// first figure of each other measure that is open.
func (p *Trials) table(s State, _ int) Table {
	if len(s.Trials) == 0 {
		return Table{Instead: "Candidates are tried on the current data beside the screen, and laid out here and on the map. a adds usual methods for the key variables; " +
			"ctrl+t in the dialog of any method adds what it is set to."}
	}
	var ids []FigureID
	t := Table{Columns: []Column{{Head: "candidate", Size: 30, Most: 70}}, Rows: len(s.Trials), Open: func(row int) Action { return ApplyTrial{row} }}
	add := func(id FigureID, v *measure.Value) {
		for _, other := range ids {
			if other == id || v == nil {
				return
			}
		}
		if v != nil {
			ids = append(ids, id)
			t.Columns = append(t.Columns, Column{Head: figureName(v), Kind: Values, Size: 10, Most: 34, Rank: len(ids)})
		}
	}
	for which := range 2 {
		add(s.axis(which))
	}
	for i := range s.Measures {
		if o := &s.Measures[i]; o.Current != nil && len(o.Current.Values.Numbers) > 0 {
			v := &o.Current.Values.Numbers[0]
			add(idOf(o.Spec.Name, v), v)
		}
	}
	t.Row = func(row int) []Cell {
		trial := &s.Trials[row]
		cells := []Cell{{Text: trial.Title}}
		switch {
		case trial.Err != nil && !trial.Stale:
			return []Cell{{Text: trial.Title + ": " + trial.Err.Error(), Style: &s.Theme.Error}}
		case trial.Told == nil && trial.Counting:
			cells[0].Text += ": counting …"
		case trial.Told == nil:
			cells[0].Text += ": waits"
		case trial.Stale:
			cells[0].Text = StaleMark + " " + trial.Title + ", tried on other data"
			cells[0].Style = &s.Theme.Warning
		}
		for _, id := range ids {
			cell := Cell{Text: "–", Style: &s.Theme.Faint}
			if v := id.in(trial.Told); v != nil {
				cell = Cell{Text: v.Text()}
			}
			cells = append(cells, cell)
		}
		return cells
	}
	t.Status = func(width int) []string { return s.meantLines(s.Trials[p.cursor.At].Meanings, width) }
	return t
}
