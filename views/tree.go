package views

import "slices"

// Node is a place in the tree of all that was applied: a step, or with the number 0
// the original data.
type Node struct {
	Step
	ID, Parent int    // the parent of the original data is -1
	Position   int    // number of steps from the original
	Branch     string // what its branch is called
	Named      bool   // the user has given it that name
	Opens      bool   // the branch begins with it
	Current    bool   // it is on the current branch
	Stands     bool   // it was not undone
}

// nodes returns the tree; where only the steps of one branch are known, these.
func (s State) nodes() []Node {
	if len(s.Tree) > 0 {
		return s.Tree
	}
	nodes := []Node{{Parent: -1, Current: true, Stands: true}}
	for i := range s.Steps {
		nodes = append(nodes, Node{Step: s.Steps[i], ID: i + 1, Parent: i, Position: i + 1, Branch: "branch 1", Opens: i == 0,
			Current: true, Stands: i < s.Position})
	}
	return nodes
}

// at returns the number of the node where the session stands.
func (s State) at() int {
	at := 0
	for _, n := range s.nodes() {
		if n.Stands {
			at = n.ID
		}
	}
	return at
}

// path returns the numbers of the nodes of the current branch, the original data first:
// that of the step after so many.
func (s State) path() []int {
	var path []int
	for _, n := range s.nodes() {
		if n.ID == 0 || n.Current {
			path = append(path, n.ID)
		}
	}
	return path
}

// treeRow is a line of the drawn tree.
type treeRow struct {
	node  *Node
	lines string // before the step: "│ ├─"; "" on the current branch
	tip   bool   // the branch ends here
}

// treeRows lays the tree out, the newest step on top: the current branch on the
// left, the others to its right, above the step that they hang under.
func treeRows(nodes []Node) []treeRow {
	l := treeLayout{children: map[int][]*Node{}}
	for i := range nodes {
		n := &nodes[i]
		l.children[n.Parent] = append(l.children[n.Parent], n)
	}
	if len(nodes) > 0 {
		l.draw(&nodes[0], "", "")
	}
	return l.rows
}

type treeLayout struct {
	children map[int][]*Node // by parent, the oldest first
	rows     []treeRow
}

// next returns the step that a branch goes on with after a node: on the current
// branch that of it, else the one that opens no branch; nil: it ends there.
func (l *treeLayout) next(n *Node) *Node {
	children := l.children[n.ID]
	i := slices.IndexFunc(children, func(child *Node) bool { return child.Current })
	if i < 0 && !n.Current {
		i = slices.IndexFunc(children, func(child *Node) bool { return !child.Opens })
	}
	if i < 0 {
		return nil
	}
	return children[i]
}

// draw draws the branch that begins with a node: first are the lines before that,
// rest those before what stands above it.
func (l *treeLayout) draw(first *Node, head, rest string) {
	line := []*Node{first}
	for n := l.next(first); n != nil; n = l.next(n) {
		line = append(line, n)
	}
	for i, n := range slices.Backward(line) {
		next := l.next(n)
		above := next != nil
		for _, child := range slices.Backward(l.children[n.ID]) {
			if child == next {
				continue
			}
			if above {
				l.draw(child, rest+"├─", rest+"│ ")
			} else {
				l.draw(child, rest+"╭─", rest+"  ")
			}
			above = true
		}
		row := treeRow{node: n, lines: rest, tip: next == nil}
		if i == 0 {
			row.lines = head
		}
		l.rows = append(l.rows, row)
	}
}
