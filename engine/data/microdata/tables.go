package microdata

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/internal/strict"
)

// TableDefinition specifies a table to publish and its protection. Its JSON form is used in scripts and journals;
// omitted fields have their defaults. Package publish evaluates it.
type TableDefinition struct {
	Name     string     `json:"name,omitempty"`
	By       []Spanning `json:"by"`
	Response string     `json:"response,omitempty"` // numeric variable; "" for a table of counts
	Shadow   string     `json:"shadow,omitempty"`   // numeric variable that rules judge; "" for the response
	Weight   string     `json:"weight,omitempty"`   // sampling weight
	Holding  string     `json:"holding,omitempty"`  // records with the same value are one contributor
	Count    string     `json:"count,omitempty"`    // variable with the number of contributors of a row; "" for one
	Rules    []string   `json:"rules,omitempty"`    // sensitivity rules: "frequency:3", "p:10", ...
	Protect  Protection `json:"protect,omitempty"`
	Cost     CellCost   `json:"cost,omitempty"`
	Seed     uint64     `json:"seed,omitempty"` // of the record keys; the same for all tables of a session
	// OfCells is set if the rows of the file are cells, including totals.
	OfCells bool        `json:"cells,omitempty"`
	Total   string      `json:"total,omitempty"`   // code of totals in a file of cells; "" for Total
	Largest []string    `json:"largest,omitempty"` // variables with the largest contributions, in a file of cells
	States  []CellState `json:"states,omitempty"`  // set by hand
}

// Spanning is a variable whose categories are rows, columns or layers of a table.
type Spanning struct {
	Variable string `json:"variable"`
	// Levels is the hierarchy of the categories, from fine to coarse; nil for that of the session.
	Levels [][]string `json:"levels,omitempty"`
	// Nested lists variables of the file with the coarser levels, from fine to coarse, instead of Levels.
	Nested []string `json:"nested,omitempty"`
}

// Protection is the way in which sensitive cells are protected. Those that change values can have parameters:
// "cell-key:5,3,2".
type Protection string

// The protections. The last five publish all cells, with other values.
const (
	ProtectIntervals   Protection = ""        // as gauss, then further cells until intervals are as wide as the rules ask
	ProtectGauss       Protection = "gauss"   // Gaussian elimination; contributors are considered
	ProtectOptimal     Protection = "optimal" // as intervals, at the lowest cost found, with a lower bound; small tables only
	ProtectPrimary     Protection = "none"    // only sensitive cells are suppressed
	ProtectSmallCounts Protection = "small-counts"
	ProtectCellKey     Protection = "cell-key"
	ProtectRounding    Protection = "controlled-rounding"
	ProtectAdjustment  Protection = "adjustment"
	ProtectRelative    Protection = "relative-adjustment" // keeps relative changes low
)

// Split returns the name and the parameters of a protection.
func (p Protection) Split() (name Protection, parameters string) {
	head, tail, _ := strings.Cut(string(p), ":")
	return Protection(head), tail
}

// Draws reports whether a protection needs a seed.
func (p Protection) Draws() bool {
	name, _ := p.Split()
	return name == ProtectCellKey
}

// Priced reports whether a protection searches for cheap cells to suppress.
func (p Protection) Priced() bool {
	return p == ProtectIntervals || p == ProtectGauss || p == ProtectOptimal
}

// CellCost is the cost of suppressing a cell, which protection minimises.
type CellCost string

// The costs.
const (
	CostValue     CellCost = ""          // the value of the cell
	CostFrequency CellCost = "frequency" // its number of contributors
	CostCells     CellCost = "cells"     // each cell has the same cost
)

// CostName returns what the protection keeps low.
func (t *TableDefinition) CostName() string {
	switch {
	case !t.Protect.Priced():
		return "sum of changes"
	case t.Cost == CostFrequency:
		return "contributors of secondary cells"
	case t.Cost == CostCells:
		return "secondary cells"
	}
	return "value of secondary cells"
}

// CellState is the state of a cell set by hand.
type CellState struct {
	Codes []string `json:"codes"` // one per spanning variable
	State State    `json:"state"`
}

// State is the status of a cell, set by hand.
type State string

// The states.
const (
	StateSafe   State = "safe"   // not sensitive; it can be suppressed to protect other cells
	StateUnsafe State = "unsafe" // sensitive
	StateForced State = "forced" // published; the rules may still find it sensitive
	StateFrozen State = "frozen" // published earlier: published again, and not sensitive

	StatePreferred State = "preferred" // suppressed rather than others to protect a sensitive cell, as in an earlier table
)

// UnmarshalJSON decodes a definition. Unknown fields are errors.
func (d *TableDefinition) UnmarshalJSON(text []byte) error {
	type plain TableDefinition
	return strict.Decode(text, (*plain)(d))
}

// Title returns the name of the table, or what it shows: "turnover by region × size".
func (d *TableDefinition) Title() string {
	names := make([]string, len(d.By))
	for i := range d.By {
		names[i] = d.By[i].Variable
	}
	return cmp.Or(d.Name, cmp.Or(d.Response, "count")+" by "+strings.Join(names, " × "))
}

// Clone returns a copy that shares no slice with d.
func (d TableDefinition) Clone() TableDefinition {
	d.Rules, d.Largest = slices.Clone(d.Rules), slices.Clone(d.Largest)
	d.By, d.States = slices.Clone(d.By), slices.Clone(d.States)
	for i := range d.By {
		d.By[i].Nested, d.By[i].Levels = slices.Clone(d.By[i].Nested), slices.Clone(d.By[i].Levels)
		for k, row := range d.By[i].Levels {
			d.By[i].Levels[k] = slices.Clone(row)
		}
	}
	for i := range d.States {
		d.States[i].Codes = slices.Clone(d.States[i].Codes)
	}
	return d
}

// WithoutTables returns the scenario without its tables, which affect neither figures nor steps.
func (s *Scenario) WithoutTables() *Scenario {
	if len(s.Tables) == 0 {
		return s
	}
	out := *s
	out.Tables = nil
	return &out
}

// DropTables removes the tables that use a variable.
func (s *Scenario) DropTables(variable string) {
	s.Tables = slices.DeleteFunc(s.Tables, func(d TableDefinition) bool { return slices.Contains(d.Variables(), variable) })
}

// Variables returns the variables of the file that the table uses, without repetition.
func (d *TableDefinition) Variables() []string {
	var names []string
	for _, s := range d.By {
		names = append(append(names, s.Variable), s.Nested...)
	}
	names = append(names, d.Response, d.Shadow, d.Weight, d.Holding, d.Count)
	names = slices.DeleteFunc(append(names, d.Largest...), func(name string) bool { return name == "" })
	slices.Sort(names)
	return slices.Compact(names)
}
