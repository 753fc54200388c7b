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
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
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

// keyTable returns the key table of the scenario's key variables.
func keyTable(ctx context.Context, in method.Input) (*keys.Table, error) {
	columns, err := keyColumns(in)
	if err != nil {
		return nil, err
	}
	return keys.New(ctx, columns, nil)
}

// blanks are the cells to blank: one set of records per key variable, nil for
// none. None of the cells is missing yet.
type blanks []*microdata.Bits

func (b blanks) set(record, variable, records int) {
	if b[variable] == nil {
		b[variable] = microdata.NewBits(records)
	}
	b[variable].Set(record)
}

// setAll sets the cells of a set of variables, bit v for variable v.
func (b blanks) setAll(record int, set uint64, records int) {
	for ; set != 0; set &= set - 1 {
		b.set(record, bits.TrailingZeros64(set), records)
	}
}

// apply returns the data without the cells, and the cells that variables
// linked to a key variable lose with it.
func (b blanks) apply(in method.Input) (*microdata.Dataset, method.Counts, error) {
	data := in.Data
	for v, name := range in.Scenario.Keys {
		if b[v] != nil {
			column, _ := data.Column(name)
			data = data.With(column.Suppress(b[v]))
		}
	}
	linked, err := b.linked(in)
	if err != nil {
		return nil, nil, err
	}
	var cells method.Counts
	for _, l := range linked {
		column, _ := data.Column(l.name)
		after := column.Suppress(l.cells)
		cells = append(cells, method.Count{Name: l.name,
			Count: after.SuppressedCount() - column.SuppressedCount()})
		data = data.With(after)
	}
	return data, cells, nil
}

// linkedCells are the cells that a linked variable loses.
type linkedCells struct {
	name  string
	cells *microdata.Bits
}

// linked returns the linked variables in the order of the key variables that
// they follow, each once, with the cells of all of these.
func (b blanks) linked(in method.Input) ([]linkedCells, error) {
	var linked []linkedCells
	for v, key := range in.Scenario.Keys {
		for _, name := range in.Scenario.Linked[key] {
			if _, ok := in.Data.Column(name); !ok {
				return nil, fmt.Errorf("local suppression %w: the file has no variable %q, linked to %s", method.ErrInput, name, key)
			}
			if slices.Contains(in.Scenario.Keys, name) {
				return nil, fmt.Errorf("local suppression %w: %s is linked to %s and a key variable itself", method.ErrInput, name, key)
			}
			place := slices.IndexFunc(linked, func(l linkedCells) bool { return l.name == name })
			if place < 0 {
				place = len(linked)
				linked = append(linked, linkedCells{name: name})
			}
			linked[place].cells = linked[place].cells.Union(b[v])
		}
	}
	if h, err := householdsOf(in); err == nil && h != nil {
		for i := range linked {
			linked[i].cells = h.spreadOver(linked[i].name, linked[i].cells)
		}
	}
	return slices.DeleteFunc(linked, func(l linkedCells) bool { return l.cells == nil }), nil
}

// categories returns the number of categories of each variable that occur.
func categories(t *keys.Table) []int {
	occurring := make([]int, t.Variables())
	for v := range occurring {
		seen := make([]bool, t.Levels(v)+1)
		for _, code := range t.Codes(v) {
			if code != 0 && !seen[code] {
				seen[code] = true
				occurring[v]++
			}
		}
	}
	return occurring
}
