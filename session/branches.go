package session

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Node is a node in the tree of all steps: the data after a step, or the original data if ID is 0.
type Node struct {
	ID       int // in order of creation; it never changes
	Parent   int // the step it follows; -1 for the original data
	Position int // number of steps from the original
	Step     Step
	Branch   int    // number of the branch, from 1
	Name     string // name of the branch; "": none
	Opens    bool   // it is the first step of its branch
	Current  bool   // it is on the current branch: applied, or can be redone
	Stands   bool   // it is applied to the current data

	// NotApplicable is the reason why k-anonymity and risk do not apply, or ""; see Session.NotApplicable.
	NotApplicable string
}

// Called returns the name of the node's branch, by default "branch 2".
func (n *Node) Called() string {
	if n.Name != "" {
		return n.Name
	}
	return fmt.Sprintf("branch %d", max(1, n.Branch))
}

// Nodes returns the tree: the original data first, every step after its parent, without deleted branches.
func (s *Session) Nodes() []Node {
	t := &s.tree
	all, branches := make([]Node, len(t.nodes)), 0
	for id := range t.nodes {
		one := &t.nodes[id]
		all[id] = Node{ID: id, Parent: -1, Branch: 1}
		if id == 0 {
			continue
		}
		above := &all[one.parent]
		all[id] = Node{ID: id, Parent: one.parent, Position: above.Position + 1, Step: one.Step, Branch: above.Branch,
			Name: above.Name, Opens: one.opens, NotApplicable: risk.NotApplicable(s.scenario, one.origins)}
		if one.opens {
			branches++
			all[id].Branch, all[id].Name = branches, one.name
		}
	}
	all[0].Current, all[0].Stands = true, true
	for i, id := range t.branch() {
		all[id].Current, all[id].Stands = true, i < t.position()
	}
	var there []Node
	for id := range all {
		if !t.gone(id) {
			there = append(there, all[id])
		}
	}
	return there
}

// Node returns the ID of the current node.
func (s *Session) Node() int { return s.tree.at }

// PrepareNode returns the job of a move to a node of the tree. Run without Commit gives the data there; Fitted
// gives the scenario as far as it fits them.
func (s *Session) PrepareNode(id int) (Job, error) {
	if err := s.tree.find(id); err != nil {
		return Job{}, err
	}
	return s.job(id, changeMove), nil
}

// PrepareUndo returns the job that undoes the last change: a step, a change of the scenarios, the deletion of a
// branch, or the change or removal of a step, after which its old branch is the current one again.
func (s *Session) PrepareUndo() (Job, error) { return s.prepareInHistory(-1, "no step to undo") }

// PrepareRedo returns the job that redoes what was undone.
func (s *Session) PrepareRedo() (Job, error) { return s.prepareInHistory(1, "no undone step") }

// CanUndo reports whether there is something to undo.
func (s *Session) CanUndo() bool { _, ok := s.tree.inHistory(-1); return ok }

// CanRedo reports whether there is something to redo.
func (s *Session) CanRedo() bool { _, ok := s.tree.inHistory(1); return ok }

func (s *Session) prepareInHistory(by int, none string) (Job, error) {
	to, ok := s.tree.inHistory(by)
	if !ok {
		return Job{}, fmt.Errorf("%w: there is %s", ErrPosition, none)
	}
	job := s.job(to.node, changeMove)
	if to.scenarios != s.tree.scenarios || to.deleted != s.tree.deleted {
		job.history, job.scenarios = by, to.scenarios != s.tree.scenarios
	}
	return job, nil
}

// NameBranch names the branch of a step; "" removes the name. The change is written to the journal first.
func (s *Session) NameBranch(id int, name string) error {
	if err := s.tree.find(id); err != nil {
		return err
	}
	return s.do(&branchLine{Branch: plainBranch(name), Node: s.tree.opening(id), At: now()})
}

// plainBranch returns a name on one line, without surrounding spaces.
func plainBranch(name string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, name))
}

// DeleteBranch deletes an undone step and all steps that follow it. It can be undone. The error wraps ErrPosition
// if there is no such step or it is applied.
func (s *Session) DeleteBranch(id int) error {
	err := s.do(&deleteLine{Change: changeDelete, Node: id, Undo: true, At: now()})
	if err == nil {
		s.version++
	}
	return err
}

// Branch returns a document with the steps to a node, under the scenario of the last of them, for the script of a
// branch. It has no data.
func (s *Session) Branch(id int) (Document, error) {
	if err := s.tree.find(id); err != nil {
		return Document{}, err
	}
	d := s.Document()
	if d.Data, d.Steps = nil, s.tree.steps(s.tree.path(id)); id != s.tree.at && len(d.Steps) > 0 {
		d.Scenario = d.Steps[len(d.Steps)-1].Scenario()
		d.putInForce()
	}
	return d, nil
}
