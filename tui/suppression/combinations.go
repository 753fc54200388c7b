package suppression

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
	combine "github.com/sdcdesk/sdcdesk/engine/suppression/combinations"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// combinations is the dialog of suppression of unsafe combinations: the form of its parameters and the unsafe
// cells per variable, and per category of one of them.
type combinations struct {
	dialogs.StepDialog
	listed string // the variable whose categories are listed
}

// newCombinations opens the dialog, or returns nil without key variables. It starts with the identification levels
// and costs in the file's description.
func newCombinations(s views.State, spec method.Spec, m *combine.Suppression) dialogs.Dialog {
	keys := s.Scenario.Keys
	if len(keys) == 0 {
		return nil
	}
	d := &combinations{listed: s.Selected.Variable}
	d.Begin(s, spec, m, d)
	if !slices.Contains(keys, d.listed) {
		d.listed = keys[0]
	}
	describe(m, s, keys)
	d.Fields = append(d.Fields, &dialogs.Field{
		Label: "listed", Help: "The variable whose categories are listed with their unsafe combinations. It does not affect the result.",
		Value:  func() string { return "categories of " + draw.Safe(d.listed) },
		Means:  func(s views.State) string { return s.VariableLabel(d.listed) },
		Change: func(by int) { d.listed = dialogs.Ring(keys, d.listed, by) },
	})
	return d
}

// describe takes levels and costs of the key variables from the file's description.
func describe(m *combine.Suppression, s views.State, keys []string) {
	levels, costs := map[string]int{}, map[string]int{}
	for _, name := range keys {
		column := s.Current.Column(name)
		if column == nil {
			continue
		}
		said := column.Source().Described()
		if said.Identifying > 0 {
			levels[name] = said.Identifying
		}
		if said.Cost != nil {
			costs[name] = *said.Cost
		}
	}
	if len(levels) > 0 {
		m.Combinations = combine.Combinations{Levels: levels, Threshold: 1}
	}
	if len(costs) > 0 {
		m.Priorities = costs
	}
}

// Under draws the effect of the step and the unsafe cells.
func (d *combinations) Under(s views.State, width, height int) []string {
	lines := d.StepDialog.Under(s, width, height)
	if d.Known.WhatIf == nil || d.Problem() != nil {
		return lines
	}
	s.Stale = d.Known.Pending
	table := UnsafeCells(s, d.Known.WhatIf.Report.Unsafe, d.listed, d.At == len(d.Fields)-1, width, height-len(lines)-1)
	return append(append(lines, ""), table...)
}

// Rows returns the number of lines of the fields, the help and the unsafe cells.
func (d *combinations) Rows() int { return 30 }
