package tabular

import (
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/modular"
)

// Codes says for each tree and node of a table of which independent codes the node is the sum. Tables of a union have
// the same independent codes.
type Codes [][][]Part

// Part is an independent code, 0 for the total, and how often it counts, modulo the prime of package modular.
type Part struct {
	Code   int32
	Factor uint64
}

// codeSpace are the codes of the variables of several tables.
type codeSpace struct {
	parts map[string][]Part // by variable and code
	last  int32             // independent code
}

// codesOf returns the codes of tables. A variable shares no code with one of the same name in another table if the same code is the sum of
// different ones in both, nor with another variable of the same table.
func codesOf(tables []*Table) []Codes {
	s := codeSpace{parts: map[string][]Part{}}
	all := make([]Codes, len(tables))
	var trees [][2]int // table and tree, those with the most codes first: coarser variables are sums of their codes
	for number, t := range tables {
		all[number] = make(Codes, len(t.Trees))
		for d := range t.Trees {
			trees = append(trees, [2]int{number, d})
		}
	}
	slices.SortStableFunc(trees, func(a, b [2]int) int {
		return tables[b[0]].Trees[b[1]].leaves() - tables[a[0]].Trees[a[1]].leaves()
	})
	for _, at := range trees {
		codes, tree := all[at[0]], tables[at[0]].Trees[at[1]]
		parts, ok := s.write(tree, "")
		if !ok || slices.ContainsFunc(codes, func(other [][]Part) bool { return share(other, parts) }) {
			parts, _ = s.write(tree, fmt.Sprint(at))
		}
		codes[at[1]] = parts
	}
	return all
}

// share reports whether two trees have independent codes in common, apart from the total.
func share(a, b [][]Part) bool {
	used := map[int32]bool{}
	for _, parts := range a {
		for _, p := range parts {
			used[p.Code] = p.Code > 0
		}
	}
	return slices.ContainsFunc(b, func(parts []Part) bool {
		return slices.ContainsFunc(parts, func(p Part) bool { return used[p.Code] })
	})
}

// names returns what a node is called: each variable that has its code, and the code.
func (t *Tree) names(node int) (names []string) {
	for k, variable := range append([]string{t.Variable}, t.Nested...) {
		if t.levels[node]>>k&1 > 0 || len(t.Nested) == 0 {
			names = append(names, variable+"\x00"+t.Nodes[node].Code)
		}
	}
	return names
}

// leaves returns the number of codes that are the sum of no others.
func (t *Tree) leaves() (n int) {
	for at := range t.Nodes {
		if t.Leaf(at) {
			n++
		}
	}
	return n
}

// write returns of which independent codes each node is the sum; ok is false if that contradicts another tree. Codes that
// no tree had before are independent, apart from the last child of a node: it is the node minus the other children.
// prefix makes the codes others than those of the same name.
func (s *codeSpace) write(tree *Tree, prefix string) (parts [][]Part, ok bool) {
	parts = make([][]Part, len(tree.Nodes))
	parts[0] = []Part{{0, modular.One}}
	for at := len(parts) - 1; at > 0; at-- {
		for _, name := range tree.names(at) {
			if known := s.parts[prefix+name]; known != nil {
				parts[at] = known
			}
		}
		if children := tree.Nodes[at].Children; parts[at] == nil && len(children) > 0 {
			parts[at] = sumOf(parts, children) // nil if one of them is new
		}
	}
	for at := range tree.Nodes {
		if !s.divide(parts, at, tree.Nodes[at].Children) {
			return nil, false
		}
	}
	for at := range tree.Nodes[1:] {
		for _, name := range tree.names(at + 1) {
			s.parts[prefix+name] = parts[at+1]
		}
	}
	return parts, true
}

// divide sets the parts of new children of a node; ok is false if there are none, and the others do not add up to it.
func (s *codeSpace) divide(parts [][]Part, node int, children []int) (ok bool) {
	var others []int
	last := -1
	for _, child := range children {
		switch {
		case parts[child] != nil:
			others = append(others, child)
		case last >= 0:
			s.last++
			parts[last], others = []Part{{s.last, modular.One}}, append(others, last)
			fallthrough
		default:
			last = child
		}
	}
	if last < 0 {
		return len(children) == 0 || slices.Equal(parts[node], sumOf(parts, children))
	}
	parts[last] = added(parts[node], sumOf(parts, others), modular.Minus)
	return true
}

// sumOf adds up the parts of some nodes; nil if those of one are not known.
func sumOf(parts [][]Part, nodes []int) []Part {
	var all []Part
	for _, node := range nodes {
		if parts[node] == nil {
			return nil
		}
		all = append(all, parts[node]...)
	}
	return added(all, nil, modular.One)
}

// added adds parts and the multiple of others, each code once, in the order of the codes.
func added(parts, others []Part, times uint64) []Part {
	factors := map[int32]uint64{}
	for _, p := range parts {
		factors[p.Code] = modular.Sum(factors[p.Code], p.Factor)
	}
	for _, p := range others {
		factors[p.Code] = modular.Sum(factors[p.Code], modular.Product(times, p.Factor))
	}
	sum := []Part{}
	for code, factor := range factors {
		if factor != 0 {
			sum = append(sum, Part{code, factor})
		}
	}
	slices.SortFunc(sum, func(a, b Part) int { return int(a.Code - b.Code) })
	return sum
}
