package tui

import (
	"io"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/export"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// node returns a node of the tree of steps, or the original if there is no such node.
func (b *workbench) node(id int) *views.Node {
	for i := range b.tree {
		if b.tree[i].ID == id {
			return &b.tree[i]
		}
	}
	return &b.tree[0]
}

// askBranchName asks for a name for the branch of a step.
func (m *Model) askBranchName(id int) {
	n, name := m.bench.node(id), ""
	if n.Named {
		name = n.Branch
	}
	const hint = "An empty name restores the number of the branch."
	m.open(dialogs.NewNaming("Name "+draw.Safe(n.Branch), "name", hint, name, func(name string) {
		m.treeChanged(m.bench.doc.NameBranch(id, name))
	}))
}

// deleteBranch deletes an undone step and all steps that follow it.
func (m *Model) deleteBranch(id int) {
	b, count := m.bench, 0
	deleted := map[int]bool{id: true}
	for _, n := range b.tree { // parents precede their children
		if deleted[n.ID] = deleted[n.ID] || deleted[n.Parent]; deleted[n.ID] {
			count++
		}
	}
	n := b.node(id)
	text := "step " + wording.Number(n.Position) + " of " + draw.Safe(n.Branch) + " is deleted"
	if count > 1 {
		text += " with " + wording.Counted(count-1, "step") + " made after it"
	}
	if err := b.doc.DeleteBranch(id); err != nil {
		m.treeChanged(err)
		return
	}
	m.say(text + "; undo brings it back")
	m.treeChanged(nil)
}

// treeChanged shows the tree of steps after a change, and the error if the change failed.
func (m *Model) treeChanged(err error) {
	m.bench.syncFromSession()
	if err != nil {
		m.fail(err)
	}
}

// openBranchExport opens the dialog that writes the steps up to one as a script.
func (m *Model) openBranchExport(id int) {
	doc, err := m.bench.doc.Branch(id)
	if m.failed(err) {
		return
	}
	branch := m.bench.node(id).Branch
	path := export.DefaultPath(doc, "-"+wording.FileWord(branch, "")+"-steps.jsonl")
	seeds := false
	m.open(dialogs.NewWriting("Export the script of "+draw.Safe(branch), path,
		"The script repeats the steps up to the one under the cursor with: sdcdesk run.", "script written to ",
		func(w io.Writer) error { return doc.WriteScript(w, seeds) },
		dialogs.NewSwitch("seeds", export.SeedsHelp, &seeds)))
}
