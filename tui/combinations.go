package tui

import (
	"slices"

	combine "github.com/sdcdesk/sdcdesk/engine/combinations"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/muargus"
	"github.com/sdcdesk/sdcdesk/views"
)

// combinations is the dialog of suppression of unsafe combinations: the form of
// its parameters and the unsafe cells per variable, and per category of one of
// them.
type combinations struct {
	stepDialog
	listed string // the variable whose categories are listed
}

// newCombinations opens the dialog; nil where there are no key variables. What a
// description of the file says of levels of identification and costs is where it
// begins.
func newCombinations(s views.State, spec method.Spec, m *combine.Suppression) Dialog {
	keys := s.Scenario.Keys
	if len(keys) == 0 {
		return nil
	}
	d := &combinations{listed: s.Selected.Variable}
	d.begin(s, spec, m, d)
	if !slices.Contains(keys, d.listed) {
		d.listed = keys[0]
	}
	if s.Described != nil {
		describe(m, s.Described, keys)
	}
	d.fields = append(d.fields, &formField{
		label: "listed", help: "The variable whose categories are listed with their unsafe cells. It changes nothing.",
		value:  func() string { return "categories of " + views.Safe(d.listed) },
		change: func(by int) { d.listed = ring(keys, d.listed, by) },
	})
	return d
}

// describe takes levels and costs of the key variables from a description.
func describe(m *combine.Suppression, d *muargus.Description, keys []string) {
	levels, costs, known := map[string]int{}, map[string]int{}, d.Priorities()
	for _, name := range keys {
		if v, ok := d.Variable(name); ok && v.IDLevel > 0 {
			levels[name] = v.IDLevel
		}
		if cost, ok := known[name]; ok {
			costs[name] = cost
		}
	}
	if len(levels) > 0 {
		m.Combinations = combine.Combinations{Levels: levels, Threshold: 1}
	}
	if len(costs) > 0 {
		m.Priorities = costs
	}
}

// under draws what the step would do and the unsafe cells.
func (d *combinations) under(s views.State, width, height int) []string {
	lines := d.stepDialog.under(s, width, height)
	if d.answer.WhatIf == nil || d.problem() != nil {
		return lines
	}
	s.Stale = d.answer.Pending
	table := views.UnsafeCells(s, d.answer.WhatIf.Report.Unsafe, d.listed, d.at == len(d.fields)-1, width, height-len(lines)-1)
	return append(append(lines, ""), table...)
}

// rows counts the fields, the help and the unsafe cells.
func (d *combinations) rows() int { return 30 }
