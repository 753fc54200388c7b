package secondary

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/modular"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// basis writes each cell of a table as a sum of few: those without the last child of a node are independent, and that
// child is its parent minus the other children.
type basis struct {
	table *tabular.Table
	nodes [][][]entry // per tree and node: nodes that are never last children, ascending, and their factors
}

func newBasis(t *tabular.Table) *basis {
	b := &basis{table: t}
	for _, tree := range t.Trees {
		nodes := make([][]entry, len(tree.Nodes))
		for at := range tree.Nodes {
			nodes[at] = []entry{{int32(at), modular.One}}
			if at == 0 {
				continue
			}
			parent := tree.Nodes[at].Parent
			siblings := tree.Nodes[parent].Children
			if siblings[len(siblings)-1] != at {
				continue
			}
			nodes[at] = slices.Clone(nodes[parent])
			for _, sibling := range siblings[:len(siblings)-1] {
				nodes[at] = append(nodes[at], entry{int32(sibling), modular.Minus})
			}
			slices.SortFunc(nodes[at], func(x, y entry) int { return int(x.group - y.group) })
		}
		b.nodes = append(b.nodes, nodes)
	}
	return b
}

// column returns the cells that one is the sum of, ascending.
func (b *basis) column(cell int) []entry {
	sum := []entry{{0, modular.One}}
	for d, nodes := range b.nodes {
		of := nodes[b.table.Node(cell, d)]
		next := make([]entry, 0, len(sum)*len(of))
		for _, x := range sum {
			for _, y := range of {
				next = append(next, entry{x.group*int32(len(nodes)) + y.group, modular.Product(x.factor, y.factor)})
			}
		}
		sum = next
	}
	return sum
}
