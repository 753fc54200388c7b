// Package suppress holds local suppression: methods that make single cells of
// key variables missing.
//
// KAnonymity blanks cells until no record violates k under a protection rule,
// with as few cells as can be found (package minimal) or cell for cell as
// sdcMicro does; with Subsets in every combination of so many key variables.
// Need tells what it would need without touching a record. AboveRisk blanks one
// variable in the records with a high individual risk; RiskCurve says how many
// these are. A Blanking does the same for a method of another package that
// chooses its cells by itself.
//
// A Search lowers the cells of KAnonymity further for as long as somebody waits.
// With a budget KAnonymity protects as many records as so many cells can; Within
// looks for the largest k that so many cells of one variable allow.
//
// Linked variables of the scenario lose the cells of their key variable as well;
// these are counted apart. Of a variable that is the same for households all
// members lose the cell, and what violates then is suppressed again.
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

// lost says which key variables become missing: per row of the data a set of
// them, bit v for variable v. None of the cells is missing yet.
type lost []uint64

// cells returns the rows that lose a variable; nil for none.
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

// without returns the input without the cells.
func (l lost) without(in method.Input) method.Input {
	for v, name := range in.Scenario.Keys {
		if cells := l.cells(v); cells != nil {
			column, _ := in.Data.Column(name)
			in.Data = in.Data.With(column.Suppress(cells))
		}
	}
	return in
}

// apply returns the data without the cells, and the cells that variables
// linked to a key variable lose with it.
func (l lost) apply(in method.Input) (*microdata.Dataset, method.Counts, error) {
	cells := make(map[string]*microdata.Bits) // per linked variable those of all key variables that it follows
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
	h, _ := householdsOf(in) // none where the file lacks their variable
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
