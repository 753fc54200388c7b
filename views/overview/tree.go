package overview

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/views"
)

// treeRow is a line of the drawn tree.
type treeRow struct {
	node  *views.Node
	lanes string // of the branches that pass, with a dot on that of the step: "│ ├─○"
	tip   bool   // the branch ends here
	out   bool   // it was taken out of its branch, which ends below it
}

// treeRows lays the tree out, the newest step on top: the current branch on the
// left, the others to its right, above the step that they hang under.
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

// next returns the step that a branch goes on with after a node: on the current
// branch that of it, else the one that opens no branch; nil: it ends there.
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

// draw draws the branch that begins with a node: head are the lanes before that, rest
// those before what stands above it. out says that the steps were taken out of theirs.
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
