package tabular

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// MaxCells is the largest number of cells that a table may have.
const MaxCells = 1 << 24

// Kept is how many of the largest contributions a cell keeps: as many as a rule may ask for.
const Kept = 4

// ErrTable is wrapped by errors about a table as a whole.
var ErrTable = errors.New("invalid table")

// Table has a cell for every combination of the nodes of its trees. Cells are numbered in that order, the nodes of the
// last tree fastest; cell 0 is the grand total.
type Table struct {
	Trees []*Tree
	Cells []Cell
	Keys  []uint64 // by cell: the sum of the record keys of its records, modulo 2^64; nil: records have no keys

	strides  []int
	negative int // 1 + the first inner cell with a negative contribution; 0: none has one
}

// Cell is what a table says of a combination of nodes, and what rules need to know of it.
type Cell struct {
	N       int     // contributors: records, or holdings
	Value   float64 // what is published: the weighted sum of the response, or the weighted count
	Shadow  float64 // the weighted sum of the variable that rules judge
	Largest []Share // the largest contributions to Shadow, the largest first; at most Kept
}

// Share is what a contributor adds to a cell: its value, which counts Weight times.
type Share struct{ Value, Weight float64 }

// New makes a table without contributions. Errors wrap ErrTable.
func New(trees ...*Tree) (*Table, error) {
	t := &Table{Trees: trees, strides: make([]int, len(trees))}
	cells := 1
	for d := len(trees) - 1; d >= 0; d-- {
		t.strides[d] = cells
		if cells *= len(trees[d].Nodes); cells > MaxCells {
			return nil, fmt.Errorf("%w: it would have more than %s cells; choose fewer or coarser variables", ErrTable,
				wording.Number(MaxCells))
		}
	}
	t.Cells = make([]Cell, cells)
	return t, nil
}

// Cell returns the number of the cell at some nodes, one per tree.
func (t *Table) Cell(nodes ...int) int {
	cell := 0
	for d, node := range nodes {
		cell += node * t.strides[d]
	}
	return cell
}

// Node returns the node of a tree at which a cell is.
func (t *Table) Node(cell, tree int) int {
	return cell / t.strides[tree] % len(t.Trees[tree].Nodes)
}

// Codes returns the codes of a cell, one per tree.
func (t *Table) Codes(cell int) []string {
	codes := make([]string, len(t.Trees))
	for d, tree := range t.Trees {
		codes[d] = tree.Nodes[t.Node(cell, d)].Code
	}
	return codes
}

// Negative returns the first inner cell with a negative contribution to Shadow; ok is false if there is none.
func (t *Table) Negative() (cell int, ok bool) { return t.negative - 1, t.negative > 0 }

// markNegative notes a cell with a negative contribution.
func (t *Table) markNegative(cell int) {
	if t.negative == 0 || cell < t.negative-1 {
		t.negative = cell + 1
	}
}

// Inner reports whether a cell is the sum of no others.
func (t *Table) Inner(cell int) bool {
	for d, tree := range t.Trees {
		if !tree.Leaf(t.Node(cell, d)) {
			return false
		}
	}
	return true
}

// Equations are sums that everybody knows: the first cell of each is the sum of the others.
type Equations struct {
	starts []int // of each equation, and the end
	cells  []int32
}

// Len returns the number of equations.
func (e *Equations) Len() int { return max(len(e.starts)-1, 0) }

// At returns the cells of an equation: the sum, then what it is the sum of.
func (e *Equations) At(i int) []int32 { return e.cells[e.starts[i]:e.starts[i+1]] }

// Append adds an equation.
func (e *Equations) Append(cells ...int32) {
	if len(e.starts) == 0 {
		e.starts = []int{0}
	}
	e.cells = append(e.cells, cells...)
	e.starts = append(e.starts, len(e.cells))
}

// Equations returns the sums within the table: for every node that is a sum and every combination of nodes of the
// other trees.
func (t *Table) Equations() *Equations {
	e := &Equations{starts: []int{0}}
	for d, tree := range t.Trees {
		for node := range tree.Nodes {
			children := tree.Nodes[node].Children
			if len(children) == 0 {
				continue
			}
			for at := range t.across(d) {
				e.cells = append(e.cells, int32(at+node*t.strides[d]))
				for _, child := range children {
					e.cells = append(e.cells, int32(at+child*t.strides[d]))
				}
				e.starts = append(e.starts, len(e.cells))
			}
		}
	}
	return e
}

// across yields the cells at the total of a tree, for all nodes of the others.
func (t *Table) across(tree int) func(yield func(int) bool) {
	stride := t.strides[tree]
	block := stride * len(t.Trees[tree].Nodes)
	return func(yield func(int) bool) {
		for from := 0; from < len(t.Cells); from += block {
			for at := from; at < from+stride; at++ {
				if !yield(at) {
					return
				}
			}
		}
	}
}

// Additive reports the first equation that the published values do not meet within a tolerance in proportion to their
// sum, as an error that wraps ErrTable with both values and their difference.
func (t *Table) Additive(tolerance float64) error {
	e := t.Equations()
	for i := range e.Len() {
		cells := e.At(i)
		sum, size := 0.0, 0.0
		for _, child := range cells[1:] {
			sum += t.Cells[child].Value
			size += math.Abs(t.Cells[child].Value)
		}
		if whole := t.Cells[cells[0]].Value; math.Abs(whole-sum) > tolerance*max(size, math.Abs(whole)) {
			return fmt.Errorf("%w: cell %v has %s, but the cells below it add up to %s; the difference is %s", ErrTable,
				t.Codes(int(cells[0])), plain(whole), plain(sum), plain(whole-sum))
		}
	}
	return nil
}

// plain writes a number without an exponent and without the digits that adding up decimals makes.
func plain(x float64) string {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 13, 64), 64)
	return strconv.FormatFloat(short, 'f', -1, 64)
}

// insert adds a contribution to the largest ones of a cell.
func (c *Cell) insert(s Share) {
	if len(c.Largest) == Kept && s.Value <= c.Largest[Kept-1].Value {
		return
	}
	at := len(c.Largest)
	for at > 0 && c.Largest[at-1].Value < s.Value {
		at--
	}
	if len(c.Largest) < Kept {
		c.Largest = slices.Insert(c.Largest, at, s)
		return
	}
	copy(c.Largest[at+1:], c.Largest[at:Kept-1])
	c.Largest[at] = s
}
