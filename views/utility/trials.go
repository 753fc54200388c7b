package utility

import (
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Trials is the pane of the candidates.
type Trials struct{ views.TablePane }

// NewTrials returns the pane of the candidates.
func NewTrials() *Trials {
	p := &Trials{views.TablePane{PaneID: "trials", Heading: "Candidates", Enter: "apply"}}
	p.Content, p.Actions, p.Explained = p.table, p.keys, trialFigures
	return p
}

func (p *Trials) keys() []views.KeyAction {
	return []views.KeyAction{views.Emits("a", "add default methods", views.TryUsual{}),
		p.OnRow("d", "remove from the list", func(views.State) draw.Action { return views.DropTrial{At: p.Cursor.At} })}
}

// trialFigures explains what candidates are.
func trialFigures(s views.State) []views.Figure {
	return []views.Figure{{Name: "Candidates", Value: wording.Counted(len(s.Trials), "candidate"),
		Definition: "Steps tried on all records of the current data without being applied. The figures are those after the step. " +
			"Nothing changes until you apply one.",
		Formula: "the figures of the axes of the map, and the first one of each active measure",
		Source:  "Duncan, Keller-McNulty and Stokes (2001), Disclosure risk vs. data utility: the R-U confidentiality map"}}
}

// table has a row for each candidate: the figures on the axes of the map, then the first figure of each other
// active measure.
func (p *Trials) table(s views.State, _ int) draw.Table {
	if len(s.Trials) == 0 {
		return draw.Table{Instead: "Candidates are steps tried on the current data without being applied, compared here and in the pane Risk and information loss. a adds " +
			"the default methods for the key variables and the numeric key variables; ctrl+t in the dialog of a method " +
			"adds that method with its current parameters."}
	}
	var ids []views.FigureID
	t := draw.Table{Columns: []draw.Column{{Head: "candidate", Size: 30, Most: 70}}, Rows: len(s.Trials),
		Open: func(row int) draw.Action { return views.ApplyTrial{At: row} }}
	add := func(id views.FigureID, v *measure.Value) {
		for _, other := range ids {
			if other == id || v == nil {
				return
			}
		}
		if v != nil {
			ids = append(ids, id)
			t.Columns = append(t.Columns, draw.Column{Head: views.FigureName(v), Kind: draw.Values, Size: 10, Most: 34,
				Rank: len(ids)})
		}
	}
	for which := range 2 {
		add(s.Axis(which))
	}
	for i := range s.Measures {
		if o := &s.Measures[i]; o.Current != nil && len(o.Current.Values.Numbers) > 0 {
			v := &o.Current.Values.Numbers[0]
			add(views.IdOf(o.Spec.Name, v), v)
		}
	}
	texts := trialTexts(s.Trials, ids)
	t.Row = func(row int) []draw.Cell {
		trial := &s.Trials[row]
		cells := []draw.Cell{{Text: trial.Title}}
		switch {
		case trial.Err != nil && !trial.Stale:
			return []draw.Cell{{Text: trial.Title + ": " + trial.Err.Error(), Style: &s.Error}}
		case trial.Figures == nil && trial.Counting:
			cells[0].Text += ": computing …"
		case trial.Figures == nil:
			cells[0].Text += ": waiting"
		case trial.Stale:
			cells[0].Text = draw.StaleMark + " " + trial.Title + ", tried on other data"
			cells[0].Style = &s.Warning
		}
		for _, text := range texts[row] {
			cells = append(cells, cellOf(s, text))
		}
		return cells
	}
	t.Status = func(width int) []string { return s.MeantLines(s.Trials[p.Cursor.At].Meanings, width) }
	return t
}

// trialTexts formats the figures of each candidate, those of one column alike.
func trialTexts(trials []views.Trial, ids []views.FigureID) [][]string {
	texts := make([][]string, len(trials))
	for _, id := range ids {
		values := make([]*measure.Value, len(trials))
		for i := range trials {
			values[i] = id.In(trials[i].Figures)
		}
		for i, text := range measure.Texts(values...) {
			texts[i] = append(texts[i], text)
		}
	}
	return texts
}
