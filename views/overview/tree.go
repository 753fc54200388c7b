package overview

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/views"
)

// treeRow is a line of the drawn tree.
type treeRow struct {
	node  *views.Node
	lanes string // lanes of the branches that pass, with a dot for the step: "│ ├─○"
	tip   bool   // the branch ends here
	out   bool   // the step was removed from a branch that ends below it
}

// treeRows lays out the tree, the newest step on top: the current branch on the left, other branches to its right,
// above the step they start from.
func treeRows(nodes []views.Node) []treeRow {
	l := treeLayout{children: map[int][]*views.Node{}}
	for i := range nodes {
		n := &nodes[i]
		l.children[n.Parent] = append(l.children[n.Parent], n)
	}
	if len(nodes) > 0 {
		l.draw(&nodes[0], "", "", false)
	}
	return l.rows
}

type treeLayout struct {
	children map[int][]*views.Node // by parent, the oldest first
	rows     []treeRow
}

// next returns the step that continues a branch after a node: the one on the current branch, otherwise the one
// that opens no branch, or nil if the branch ends.
func (l *treeLayout) next(n *views.Node) *views.Node {
	children := l.children[n.ID]
	i := slices.IndexFunc(children, func(child *views.Node) bool { return child.Current })
	if i < 0 && !n.Current {
		i = slices.IndexFunc(children, func(child *views.Node) bool { return !child.Opens })
	}
	if i < 0 {
		return nil
	}
	return children[i]
}

// draw draws the branch that starts at first. head is the lane text of first, rest that of the rows above it. out
// reports that the steps were removed from their branch.
func (l *treeLayout) draw(first *views.Node, head, rest string, out bool) {
	line := []*views.Node{first}
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
			taken := next == nil && !child.Opens
			if above {
				l.draw(child, rest+"├─", rest+"│ ", taken)
			} else {
				l.draw(child, rest+"╭─", rest+"  ", taken)
			}
			above = true
		}
		row := treeRow{node: n, lanes: rest, tip: next == nil, out: out}
		if i == 0 {
			row.lanes = head
		}
		dot := "○"
		if n.Stands {
			dot = "●"
		}
		row.lanes += dot
		l.rows = append(l.rows, row)
	}
}
