package tabular

import (
	"fmt"
	"math/rand/v2"
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
	parts  map[string][]Part // by variable and code
	keys   map[string]uint64 // a random number of each code
	random *rand.Rand
	last   int32
}

func newCodeSpace() *codeSpace {
	return &codeSpace{parts: map[string][]Part{}, keys: map[string]uint64{}, random: rand.New(rand.NewPCG(7, 8))}
}

// of returns the codes of a table, and the keys of its nodes. A variable whose hierarchy contradicts that of another
// table, because the same code is the sum of different ones, shares no code with it.
func (s *codeSpace) of(t *Table) (codes Codes, keys [][]uint64) {
	for _, tree := range t.Trees {
		name := func(node int) string { return tree.Variable + "\x00" + tree.Nodes[node].Code }
		parts, ok := s.write(tree, name)
		if !ok {
			plain, own := name, fmt.Sprint(len(s.keys))
			name = func(node int) string { return own + "\x00" + plain(node) }
			parts, _ = s.write(tree, name)
		}
		key := make([]uint64, len(tree.Nodes))
		for node := 1; node < len(key); node++ {
			if _, known := s.keys[name(node)]; !known {
				s.keys[name(node)] = s.random.Uint64()
			}
			key[node], s.parts[name(node)] = s.keys[name(node)], parts[node]
		}
		codes, keys = append(codes, parts), append(keys, key)
	}
	return codes, keys
}

// write returns of which independent codes each node is the sum. Codes that no tree had before are independent, apart
// from the last child of a node: it is the node minus the other children.
func (s *codeSpace) write(tree *Tree, name func(node int) string) (parts [][]Part, ok bool) {
	parts = make([][]Part, len(tree.Nodes))
	parts[0] = []Part{{0, modular.One}}
	for at := len(parts) - 1; at > 0; at-- {
		children := tree.Nodes[at].Children
		if parts[at] = s.parts[name(at)]; parts[at] == nil && len(children) > 0 {
			parts[at] = sumOf(parts, children) // nil if one of them is new
		}
	}
	for at := range tree.Nodes {
		children := tree.Nodes[at].Children
		isNew := func(child int) bool { return parts[child] == nil }
		if len(children) > 0 && !slices.ContainsFunc(children, isNew) && !slices.Equal(parts[at], sumOf(parts, children)) {
			return nil, false
		}
		last := -1
		for _, child := range children {
			if !isNew(child) {
				continue
			}
			if last >= 0 {
				s.last++
				parts[last] = []Part{{s.last, modular.One}}
			}
			last = child
		}
		if last >= 0 {
			others := slices.DeleteFunc(slices.Clone(children), func(child int) bool { return child == last })
			parts[last] = added(parts[at], sumOf(parts, others), modular.Minus)
		}
	}
	return parts, true
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
