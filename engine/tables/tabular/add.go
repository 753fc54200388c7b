package tabular

import (
	"cmp"
	"fmt"
	"slices"
)

// Contribution is what a record adds to a table.
type Contribution struct {
	Nodes   []int   // a leaf of each tree
	N       int     // contributors: 1 for a record, the count for a row that stands for several
	Value   float64 // what the table publishes
	Shadow  float64 // what rules judge: at least 0
	Weight  float64 // how many times the record counts
	Holding int32   // records of one contributor have the same number; 0: the record is a contributor by itself
	Key     uint64  // record key, for a table with Keys
}

// builder collects contributions.
type builder struct {
	table    *Table
	holdings []holdingShare
}

// holdingShare is what a record of a holding adds to an inner cell.
type holdingShare struct {
	holding int32
	cell    int32
	shadow  float64
}

// Sum fills the cells of a table with contributions; a contribution that yield gives is copied. Contributions of a
// holding count as one in each cell. Errors wrap ErrTable: a contribution at a node that is a sum.
func (t *Table) Sum(contributions func(yield func(*Contribution) bool)) error {
	b := builder{table: t}
	backing := make([]Share, len(t.Cells)*Kept)
	for i := range t.Cells {
		t.Cells[i] = Cell{Largest: backing[i*Kept : i*Kept : (i+1)*Kept]}
	}
	var err error
	contributions(func(c *Contribution) bool {
		err = b.add(c)
		return err == nil
	})
	if err != nil {
		return err
	}
	b.mergeHoldings()
	for d := range t.Trees {
		t.rollUp(d)
	}
	b.addHoldings()
	return nil
}

// add puts a contribution into its inner cell.
func (b *builder) add(c *Contribution) error {
	at := 0
	for d, node := range c.Nodes {
		if !b.table.Trees[d].Leaf(node) {
			return fmt.Errorf("%w: a record has the code %q of %s, which is a sum", ErrTable,
				b.table.Trees[d].Nodes[node].Code, b.table.Trees[d].Variable)
		}
		at += node * b.table.strides[d]
	}
	if c.Shadow < 0 {
		b.table.markNegative(at)
	}
	if b.table.Keys != nil {
		b.table.Keys[at] += c.Key
	}
	cell := &b.table.Cells[at]
	cell.Value += c.Value * c.Weight
	cell.Shadow += c.Shadow * c.Weight
	if c.Holding != 0 {
		b.holdings = append(b.holdings, holdingShare{c.Holding, int32(at), c.Shadow * c.Weight})
		return nil
	}
	cell.N += c.N
	cell.insert(Share{c.Shadow, c.Weight})
	return nil
}

// mergeHoldings adds up what each holding has in a cell. Holdings of one cell become its contributors; those of several
// are left for addHoldings.
func (b *builder) mergeHoldings() {
	slices.SortFunc(b.holdings, func(x, y holdingShare) int {
		return cmp.Or(cmp.Compare(x.holding, y.holding), cmp.Compare(x.cell, y.cell), cmp.Compare(x.shadow, y.shadow))
	})
	spread := b.holdings[:0]
	for rest := b.holdings; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].holding == rest[0].holding {
			n++
		}
		merged := mergeCells(rest[:n])
		if rest = rest[n:]; len(merged) == 1 {
			cell := &b.table.Cells[merged[0].cell]
			cell.N++
			cell.insert(Share{merged[0].shadow, 1})
			continue
		}
		spread = append(spread, merged...)
	}
	b.holdings = spread
}

// mergeCells adds up what neighbours have in the same cell of the same holding.
func mergeCells(of []holdingShare) []holdingShare {
	last := 0
	for _, h := range of[1:] {
		if h.cell == of[last].cell && h.holding == of[last].holding {
			of[last].shadow += h.shadow
			continue
		}
		last++
		of[last] = h
	}
	return of[:last+1]
}

// rollUp adds the cells of each node of a tree to those of its parent.
func (t *Table) rollUp(tree int) {
	nodes, stride := t.Trees[tree].Nodes, t.strides[tree]
	for node := len(nodes) - 1; node > 0; node-- {
		up := (nodes[node].Parent - node) * stride
		for at := range t.across(tree) {
			at += node * stride
			if t.Keys != nil {
				t.Keys[at+up] += t.Keys[at]
			}
			if child := &t.Cells[at]; child.N > 0 || child.Value != 0 || child.Shadow != 0 {
				t.Cells[at+up].merge(child)
			}
		}
	}
}

// merge adds a cell below.
func (c *Cell) merge(below *Cell) {
	c.N += below.N
	c.Value += below.Value
	c.Shadow += below.Shadow
	for _, s := range below.Largest {
		c.insert(s)
	}
}

// addHoldings makes holdings that have several inner cells one contributor of each cell.
func (b *builder) addHoldings() {
	var of []holdingShare
	for rest := b.holdings; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].holding == rest[0].holding {
			n++
		}
		of = of[:0]
		for _, h := range rest[:n] {
			b.table.above(int(h.cell), 0, func(cell int) { of = append(of, holdingShare{h.holding, int32(cell), h.shadow}) })
		}
		rest = rest[n:]
		slices.SortFunc(of, func(x, y holdingShare) int {
			return cmp.Or(cmp.Compare(x.cell, y.cell), cmp.Compare(x.shadow, y.shadow))
		})
		for _, h := range mergeCells(of) {
			cell := &b.table.Cells[h.cell]
			cell.N++
			cell.insert(Share{h.shadow, 1})
		}
	}
}

// above calls f with a cell and all cells that it is part of, once each.
func (t *Table) above(cell, tree int, f func(cell int)) {
	if tree == len(t.Trees) {
		f(cell)
		return
	}
	for node := t.Node(cell, tree); ; {
		t.above(cell, tree+1, f)
		parent := t.Trees[tree].Nodes[node].Parent
		if parent < 0 {
			return
		}
		cell += (parent - node) * t.strides[tree]
		node = parent
	}
}

// Groups returns for each cell the inner cells that it is the sum of, numbered from 0 in the order of the table. Only
// inner cells for which counts reports true have a number.
func (t *Table) Groups(counts func(inner int) bool) [][]int32 {
	groups := make([][]int32, len(t.Cells))
	n := int32(0)
	for at := range t.Cells {
		if t.Inner(at) && counts(at) {
			t.above(at, 0, func(cell int) { groups[cell] = append(groups[cell], n) })
			n++
		}
	}
	return groups
}
