package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/export"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// node returns a place in the tree of steps; the original where it is not there.
func (b *workbench) node(id int) *views.Node {
	for i := range b.tree {
		if b.tree[i].ID == id {
			return &b.tree[i]
		}
	}
	return &b.tree[0]
}

// askBranchName asks for a name of the branch of a step.
func (m *Model) askBranchName(id int) tea.Cmd {
	n, name := m.bench.node(id), ""
	if n.Named {
		name = n.Branch
	}
	return m.open(dialogs.NewNaming("Name "+draw.Safe(n.Branch), "name", "An empty name gives the branch its number back.", name, func(name string) tea.Cmd {
		if err := m.bench.doc.NameBranch(id, name); err != nil {
			m.notify(err.Error(), true)
		}
		m.bench.syncFromSession()
		return nil
	}), "")
}

// askDelete asks whether to delete a step with all that was made after it: the one
// thing that undo does not take back.
func (m *Model) askDelete(id int) tea.Cmd {
	if m.waits(func() tea.Cmd { return m.askDelete(id) }) {
		return nil
	}
	b, count := m.bench, 0
	doomed := map[int]bool{id: true}
	for _, n := range b.tree { // a step stands behind the one it was made after
		if doomed[n.ID] = doomed[n.ID] || doomed[n.Parent]; doomed[n.ID] {
			count++
		}
	}
	text := "Step " + wording.Number(b.node(id).Position) + " of " + draw.Safe(b.node(id).Branch) + " (" + draw.Safe(b.node(id).Title) + ") is deleted"
	if count > 1 {
		text += " with " + wording.Counted(count-1, "step") + " made after it"
	}
	m.dialog = dialogs.NewConfirm("Delete this branch?", text+". Undo does not bring that back; the session file keeps its lines.", "delete", func() tea.Cmd {
		if err := b.doc.DeleteBranch(id); err != nil {
			m.notify(err.Error(), true)
		}
		b.syncFromSession()
		return nil
	})
	return nil
}

// openBranchExport opens the dialog that writes the steps up to one as a script.
func (m *Model) openBranchExport(id int) tea.Cmd {
	doc, err := m.bench.doc.Branch(id)
	if err != nil {
		return m.fail(err)
	}
	branch := m.bench.node(id).Branch
	return m.open(export.NewBranch(doc, branch, export.DefaultPath(doc, "-"+wording.FileWord(branch, "")+"-steps.jsonl")), "")
}
