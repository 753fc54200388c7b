package publish

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/sensitivity"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Table is a table with what is decided on each cell. It is immutable and safe for concurrent use.
type Table struct {
	*tabular.Table
	Definition *microdata.TableDefinition
	Rules      []sensitivity.Rule
	Unplaced   []microdata.CellState // states of cells that the table lacks, for example after a recode

	verdicts  []sensitivity.Verdict
	byHand    map[int]microdata.State
	counts    func() bool // see areCounts
	negatives func() bool // see haveNegatives

	perturbation perturbation // nil: cells are suppressed
	published    []float64    // by cell; nil: the values that are not suppressed
	bound        float64      // see Loss; 0: none is known

	all    *linked // the tables that an intruder has
	number int     // of this one among them
}

// Judge decides which cells are sensitive; these are suppressed, and no others. Errors wrap sensitivity.ErrRule,
// tabular.ErrTable or tabular.ErrDefinition.
func Judge(cells *tabular.Table, d *microdata.TableDefinition) (*Table, error) {
	t := &Table{Table: cells, Definition: d, verdicts: make([]sensitivity.Verdict, len(cells.Cells))}
	t.counts, t.negatives = sync.OnceValue(t.areCounts), sync.OnceValue(t.haveNegatives)
	if err := Check(d); err != nil {
		return nil, err
	}
	t.perturbation, _ = parse(d.Protect) // Check found no error
	for _, text := range d.Rules {
		rule, _ := sensitivity.Parse(text) // Check found no error
		if err := t.judgeable(rule); err != nil {
			return nil, err
		}
		t.Rules = append(t.Rules, rule)
	}
	t.takeStates()
	for at := range cells.Cells {
		t.verdicts[at] = t.judge(at)
	}
	return link(t).tables[0], nil
}

// judgeable reports a rule on contributions that are negative.
func (t *Table) judgeable(rule sensitivity.Rule) error {
	if _, is := rule.(sensitivity.Frequency); is {
		return nil
	}
	if cell, ok := t.Negative(); ok {
		return fmt.Errorf("%w: cell %v has a negative contribution, which the rule %s cannot judge; choose a shadow variable "+
			"without negative values, or the rule frequency", tabular.ErrTable, t.Codes(cell), rule)
	}
	return nil
}

// takeStates finds the cells that were set by hand.
func (t *Table) takeStates() {
	t.byHand = map[int]microdata.State{}
	for i := range t.Definition.States {
		s := t.Definition.States[i]
		if at, err := t.Find(s.Codes); err == nil {
			t.byHand[at] = s.State
		} else if s.State != microdata.StatePreferred {
			t.Unplaced = append(t.Unplaced, s)
		}
	}
}

// Find returns the cell with some codes. Errors wrap tabular.ErrDefinition.
func (t *Table) Find(codes []string) (cell int, err error) {
	if len(codes) != len(t.Trees) {
		return 0, fmt.Errorf("%w: cell %v must have one code per spanning variable", tabular.ErrDefinition, codes)
	}
	nodes := make([]int, len(codes))
	for d, code := range codes {
		var ok bool
		if nodes[d], ok = t.Trees[d].Find(code); !ok {
			return 0, fmt.Errorf("%w: cell %v is not in the table, because %s has no code %q", tabular.ErrDefinition, codes,
				t.Trees[d].Variable, wording.Excerpt(code))
		}
	}
	return t.Cell(nodes...), nil
}

// judge judges a cell by its state and the rules. A cell that is unsafe by hand has as Rule the number of rules.
func (t *Table) judge(at int) sensitivity.Verdict {
	verdict := sensitivity.Judge(&t.Cells[at], t.Rules...)
	switch t.byHand[at] {
	case microdata.StateSafe, microdata.StateFrozen:
		return sensitivity.Verdict{Rule: -1}
	case microdata.StateUnsafe:
		if !verdict.Sensitive() {
			verdict.Rule = len(t.Rules)
		}
		verdict.Level = max(1, verdict.Level)
	}
	return verdict
}

// mustPublish reports whether a cell is published by hand.
func (t *Table) mustPublish(at int) bool {
	return t.byHand[at] == microdata.StateForced || t.byHand[at] == microdata.StateFrozen
}

// cost returns the cost of suppressing a cell.
func (t *Table) cost(cell int) float64 {
	switch t.Definition.Cost {
	case microdata.CostFrequency:
		return float64(t.Cells[cell].N)
	case microdata.CostCells:
		return 1
	}
	return math.Abs(t.Cells[cell].Value)
}

// single reports whether a cell has one contributor, who knows its value.
func (t *Table) single(cell int) bool { return t.Cells[cell].N == 1 }

// Define builds and judges a table. Errors are those of Build and Judge.
func Define(ctx context.Context, data *microdata.Dataset, d *microdata.TableDefinition, known Hierarchies) (*Table, error) {
	cells, err := Build(ctx, data, d, known)
	if err != nil {
		return nil, err
	}
	return Judge(cells, d)
}

// Evaluate builds, judges and protects a table that is published without others. Errors are those of Define and Protect.
func Evaluate(ctx context.Context, data *microdata.Dataset, d *microdata.TableDefinition, known Hierarchies) (*Table, error) {
	t, err := Define(ctx, data, d, known)
	if err != nil {
		return nil, err
	}
	protected, err := Protect(ctx, []*Table{t})
	if err != nil {
		return nil, err
	}
	return protected[0], nil
}

// Sensitive reports whether a rule, or somebody by hand, made a cell sensitive.
func (t *Table) Sensitive(cell int) bool { return t.verdicts[cell].Sensitive() }

// Rule returns the first rule that makes a cell sensitive, by its place in Rules, or their number if somebody did by
// hand; ok is false if the cell is not sensitive.
func (t *Table) Rule(cell int) (rule int, ok bool) {
	return t.verdicts[cell].Rule, t.verdicts[cell].Sensitive()
}

// Suppressed reports whether a cell is suppressed.
func (t *Table) Suppressed(cell int) bool {
	return t.published == nil && t.all.suppressed.Has(t.place(cell))
}

// place returns the number of a cell among those of all tables.
func (t *Table) place(cell int) int { return int(t.all.Places[t.number][cell]) }

// Secondary reports whether a cell is suppressed only to protect others.
func (t *Table) Secondary(cell int) bool { return t.Suppressed(cell) && !t.Sensitive(cell) }

// Bytes returns the memory that the table takes, about.
func (t *Table) Bytes() int {
	const perCell = 256 // with its largest contributions, its verdict and its place in equations
	return perCell * len(t.Cells)
}

// Empty reports whether a cell has no contributors.
func (t *Table) Empty(cell int) bool { return t.Cells[cell].N == 0 }

// ByHand returns the state of a cell that was set by hand; ok is false if none was.
func (t *Table) ByHand(cell int) (state microdata.State, ok bool) {
	state, ok = t.byHand[cell]
	return state, ok
}

// Level returns by how much the interval of a sensitive cell must exceed its value on both sides.
func (t *Table) Level(cell int) float64 { return t.verdicts[cell].Level }

// areCounts reports whether the values are counts, so that an intruder knows that they are integers.
func (t *Table) areCounts() bool {
	d := t.Definition
	return (d.Response == "" || d.OfCells && d.Count == "") && d.Weight == "" &&
		!slices.ContainsFunc(t.Cells, func(c tabular.Cell) bool { return c.Value != math.Trunc(c.Value) })
}

// haveNegatives reports whether a value is negative.
func (t *Table) haveNegatives() bool {
	return slices.ContainsFunc(t.Cells, func(c tabular.Cell) bool { return c.Value < 0 })
}
