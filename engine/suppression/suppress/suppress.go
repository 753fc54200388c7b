// Package suppress implements local suppression: methods that set single cells of key variables to missing.
//
// KAnonymity suppresses cells until no record violates k-anonymity under a suppression rule, with as few cells as
// package minimal can find or exactly as sdcMicro does; with Subsets, k holds in every combination of a number of key
// variables. KAnonymity.Need computes the result from a key table, without the records. AboveRisk suppresses one
// variable in the records with a high individual risk; RiskCurve counts them for any threshold. Blanking is for
// methods of other packages that choose the cells themselves.
//
// A Search lowers the number of cells of KAnonymity further for as long as the user waits. With a budget,
// KAnonymity protects as many records as a given number of cells can. Within finds the largest k that a given
// number of cells of one variable allows.
//
// Variables linked to a key variable by the scenario lose the same cells; these are counted separately. If a
// variable is the same for all members of a household, all members lose the cell, and records that then violate
// k-anonymity are suppressed again.
//
//	m := suppress.NewKAnonymity()
//	m.K = 3
//	out, err := m.Apply(ctx, method.Input{Data: data, Scenario: &scenario}, meter)
//	fmt.Println(out.Report.Total, *out.Report.Bound, out.Report.Left.Conservative)
package suppress

import (
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// keyColumns returns the key variables of the scenario.
func keyColumns(in method.Input) ([]*microdata.Column, error) {
	if len(in.Scenario.Keys) == 0 {
		return nil, fmt.Errorf("local suppression %w: the scenario has no key variables", method.ErrInput)
	}
	columns := make([]*microdata.Column, len(in.Scenario.Keys))
	for i, name := range in.Scenario.Keys {
		column, ok := in.Data.Column(name)
		if !ok {
			return nil, fmt.Errorf("local suppression %w: the file has no key variable %q", method.ErrInput, name)
		}
		columns[i] = column
	}
	return columns, nil
}

// lost holds the set of key variables that each row of the data loses, bit v for variable v. None of these cells
// is missing yet.
type lost []uint64

// cells returns the rows that lose a variable, or nil if there are none.
func (l lost) cells(variable int) (cells *microdata.Bits) {
	for row, set := range l {
		if set>>variable&1 == 1 {
			if cells == nil {
				cells = microdata.NewBits(len(l))
			}
			cells.Set(row)
		}
	}
	return cells
}

// add adds cells to those that are lost already.
func (l lost) add(more lost) {
	for row, set := range more {
		l[row] |= set
	}
}

// without returns the input without the lost cells.
func (l lost) without(in method.Input) method.Input {
	for v, name := range in.Scenario.Keys {
		if cells := l.cells(v); cells != nil {
			column, _ := in.Data.Column(name)
			in.Data = in.Data.With(column.Suppress(cells))
		}
	}
	return in
}

// apply returns the data without the lost cells and those that variables linked to a key variable lose with them.
func (l lost) apply(in method.Input) (*microdata.Dataset, method.Counts, error) {
	cells := make(map[string]*microdata.Bits) // per linked variable: the cells of all key variables that it follows
	for v, key := range in.Scenario.Keys {
		for _, name := range in.Scenario.Linked[key] {
			if _, ok := in.Data.Column(name); !ok {
				return nil, nil, fmt.Errorf("local suppression %w: the file has no variable %q, linked to %s", method.ErrInput,
					name, key)
			}
			if slices.Contains(in.Scenario.Keys, name) {
				return nil, nil, fmt.Errorf("local suppression %w: %s is linked to %s and a key variable itself", method.ErrInput,
					name, key)
			}
			cells[name] = cells[name].Union(l.cells(v))
		}
	}
	data := l.without(in).Data
	if len(cells) == 0 {
		return data, nil, nil
	}
	h, _ := householdsOf(in) // nil if the file lacks the household variable
	var linked method.Counts
	for _, name := range Followed(in.Scenario)[len(in.Scenario.Keys):] {
		if cells[name] == nil {
			continue
		}
		column, _ := data.Column(name)
		after := column.Suppress(h.spreadOver(name, cells[name]))
		linked = append(linked, method.Count{Name: name, Count: after.SuppressedCount() - column.SuppressedCount()})
		data = data.With(after)
	}
	return data, linked, nil
}
