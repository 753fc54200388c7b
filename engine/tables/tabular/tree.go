package tabular

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Total is the code of the root of every tree.
const Total = "Total"

// ErrTree is wrapped by errors about the hierarchy of a variable.
var ErrTree = errors.New("invalid hierarchy")

// Tree is the hierarchy of a spanning variable. Node 0 is the total; each node comes after its parent.
type Tree struct {
	Variable string
	Nested   []string // variables with the codes of coarser levels, the finer first; nil: they are codes of no variable
	Nodes    []Node

	byCode map[string]int
	levels []uint64 // per node: a bit for each level of a path that has the code
}

// Node is a code of a tree: a leaf, which records have, or a sum of other nodes.
type Node struct {
	Code     string
	Parent   int // of the total: -1
	Depth    int // of the total: 0
	Children []int
}

// NewTree makes the tree of paths: each is a code and the nodes above it, the finer first, without the total. A code
// that stands for itself on a coarser level, and an empty one, are left out there. Errors wrap ErrTree: a code
// under two parents, or one that is both a leaf and a sum.
func NewTree(variable string, paths [][]string) (*Tree, error) {
	t := &Tree{Variable: variable, Nodes: []Node{{Code: Total, Parent: -1}}, byCode: map[string]int{Total: 0}, levels: []uint64{0}}
	leaves := map[int]bool{}
	for _, path := range paths {
		at := 0
		for k := len(path) - 1; k >= 0; k-- {
			if path[k] == "" {
				continue
			}
			if path[k] != t.Nodes[at].Code {
				next, err := t.child(at, path[k])
				if err != nil {
					return nil, err
				}
				at = next
			}
			t.levels[at] |= 1 << k
		}
		if at == 0 {
			return nil, fmt.Errorf("%w of %s: a code is empty, or is called %q like the total", ErrTree, variable, Total)
		}
		leaves[at] = true
	}
	for at := range t.Nodes {
		if leaves[at] && len(t.Nodes[at].Children) > 0 {
			return nil, fmt.Errorf("%w of %s: %q is the sum of other codes and a code of records as well", ErrTree,
				variable, wording.Excerpt(t.Nodes[at].Code))
		}
	}
	return t, nil
}

// child returns the node of a code below another; it adds it if it is new.
func (t *Tree) child(parent int, code string) (int, error) {
	if at, known := t.byCode[code]; known {
		if t.Nodes[at].Parent != parent {
			return 0, fmt.Errorf("%w of %s: %q has two parents, %q and %q", ErrTree, t.Variable, wording.Excerpt(code),
				wording.Excerpt(t.Nodes[t.Nodes[at].Parent].Code), wording.Excerpt(t.Nodes[parent].Code))
		}
		return at, nil
	}
	at := len(t.Nodes)
	t.byCode[code] = at
	t.levels = append(t.levels, 0)
	t.Nodes = append(t.Nodes, Node{Code: code, Parent: parent, Depth: t.Nodes[parent].Depth + 1})
	t.Nodes[parent].Children = append(t.Nodes[parent].Children, at)
	return at, nil
}

// Find returns the node of a code.
func (t *Tree) Find(code string) (node int, ok bool) {
	node, ok = t.byCode[code]
	return node, ok
}

// Leaf reports whether a node has none below it.
func (t *Tree) Leaf(node int) bool { return len(t.Nodes[node].Children) == 0 }

// ReadLevels reads the hierarchy that sdcTable writes as lines "@@,code" and tau-Argus as "@@code": the number of marks
// is the depth. A root above all other codes is the total. Errors wrap ErrTree and name the line.
func ReadLevels(variable, text, mark string) (*Tree, error) {
	var paths [][]string
	var open []string // the codes above the line, the coarsest first
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	top := 0 // marks of the first line
	for i, line := range lines {
		code := strings.TrimLeft(line, mark)
		marks := (len(line) - len(code)) / len(mark)
		if i == 0 {
			top = marks
		}
		code = strings.TrimSpace(strings.TrimPrefix(code, ","))
		depth := marks - top
		if code == "" || depth < 0 || depth > len(open) {
			return nil, fmt.Errorf("%w of %s: line %d has no code, or skips a level", ErrTree, variable, i+1)
		}
		open = append(open[:depth], code)
		if next := i + 1; next < len(lines) && strings.HasPrefix(lines[next], strings.Repeat(mark, marks+1)) {
			continue
		}
		path := slices.Clone(open)
		slices.Reverse(path)
		paths = append(paths, path)
	}
	return NewTree(variable, withoutTotal(paths))
}

// withoutTotal cuts the root that all paths share.
func withoutTotal(paths [][]string) [][]string {
	for _, path := range paths {
		if len(path) < 2 || path[len(path)-1] != paths[0][len(paths[0])-1] {
			return paths
		}
	}
	cut := make([][]string, len(paths))
	for i, path := range paths {
		cut[i] = path[:len(path)-1]
	}
	return cut
}
