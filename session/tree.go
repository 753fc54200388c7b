package session

import (
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// tree has all steps that were ever applied: the parent of a step is the one before it. Nodes are numbered from 1
// in the order of the journal's lines; node 0 is the original data.
type tree struct {
	nodes   []node   // by ID
	at      int      // the current node
	history []moment // the states that undo and redo go through, the original first
	place   int      // index of the current state in history

	scenarios *scenarioSet // the current ones
	deleted   *deletion    // the last deletion that is not undone; nil: none
}

// moment is a state of the session: its node, scenarios, and deletions.
type moment struct {
	node      int
	scenarios *scenarioSet
	deleted   *deletion
}

// deletion is a node that was deleted with all that follow it.
type deletion struct {
	node   int
	before *deletion // nil: none
}

// node is a step in the tree.
type node struct {
	Step   // meaningless for node 0
	parent int
	depth  int    // number of steps from the original
	child  int    // the child visited last, where the branch continues; 0: none
	opens  bool   // it starts a branch, because an older step has the same parent
	grown  bool   // a step follows it, or did
	name   string // name of the branch that it starts; "": none
}

func newTree() tree {
	set := newScenarioSet()
	return tree{nodes: make([]node, 1), history: []moment{{node: 0, scenarios: set}}, scenarios: set}
}

// clone returns a copy that can grow independently.
func (t *tree) clone() tree {
	out := *t
	out.nodes, out.history = slices.Clone(t.nodes), slices.Clone(t.history)
	return out
}

// path returns the IDs of the steps from the original to a node.
func (t *tree) path(id int) []int { return t.between(0, id) }

// between returns the IDs of the steps after from, up to id.
func (t *tree) between(from, id int) []int {
	path := make([]int, t.nodes[id].depth-t.nodes[from].depth)
	for i := len(path) - 1; i >= 0; i-- {
		path[i], id = id, t.nodes[id].parent
	}
	return path
}

// branch returns the path to the current node and on to the end of the branch, which can be redone.
func (t *tree) branch() []int {
	path := t.path(t.at)
	for id := t.nodes[t.at].child; id > 0 && !t.gone(id); id = t.nodes[id].child {
		path = append(path, id)
	}
	return path
}

// position returns the number of applied steps.
func (t *tree) position() int { return t.nodes[t.at].depth }

// nodeAt returns the node of a position on the current branch.
func (t *tree) nodeAt(position int) (int, error) {
	branch := t.branch()
	switch {
	case position < 0 || position > len(branch):
		return 0, fmt.Errorf("%w: %d; there are %s", ErrPosition, position, wording.Counted(len(branch), "step"))
	case position == 0:
		return 0, nil
	}
	return branch[position-1], nil
}

// find returns an error that wraps ErrPosition if there is no such node.
func (t *tree) find(id int) error {
	if id < 0 || id >= len(t.nodes) || t.gone(id) {
		return fmt.Errorf("%w: the tree has no step %d", ErrPosition, id)
	}
	return nil
}

// steps returns the steps of nodes.
func (t *tree) steps(ids []int) []Step {
	var steps []Step
	for _, id := range ids {
		steps = append(steps, t.nodes[id].Step)
	}
	return steps
}

// addChild adds a step after a node.
func (t *tree) addChild(parent int, step Step) int {
	above := &t.nodes[parent]
	added := node{Step: step, parent: parent, depth: above.depth + 1, opens: parent == 0 || above.grown}
	above.grown = true
	t.nodes = append(t.nodes, added)
	return len(t.nodes) - 1
}

// grow adds steps after a node on the path and goes to the last of them; steps that followed the node stay on
// another branch. One undo reverts that.
func (t *tree) grow(from int, steps []Step) {
	tip := from
	for _, step := range steps {
		tip = t.addChild(tip, step)
	}
	t.visit(tip)
	t.nodes[tip].child = 0
	t.record()
}

// here returns the current state.
func (t *tree) here() moment { return moment{t.at, t.scenarios, t.deleted} }

// record adds the current state to the history, unless it is the last one.
func (t *tree) record() {
	if here := t.here(); here != t.history[t.place] {
		if t.place+1 < len(t.history) { // others may share the rest
			t.history = slices.Clone(t.history[:t.place+1])
		}
		t.history = append(t.history, here)
		t.place++
	}
}

// setScenarios replaces the scenarios of the session. The first ones set for untouched data cannot be undone.
func (t *tree) setScenarios(set *scenarioSet) {
	first := len(t.history) == 1 && t.scenarios.untouched()
	if t.scenarios = set; first {
		t.history[0].scenarios = set
		return
	}
	t.record()
}

// visit goes to a node and makes its branch the current one.
func (t *tree) visit(id int) {
	before := t.at // up to this node its branch is the current one
	for t.at = id; id > 0 && id != before; id = t.nodes[id].parent {
		t.nodes[t.nodes[id].parent].child = id
	}
}

// move goes to a node. If the node is adjacent in the history, undo and redo continue there, otherwise they follow
// the branch.
func (t *tree) move(id int) {
	t.visit(id)
	here := t.here()
	switch {
	case t.place > 0 && t.history[t.place-1] == here:
		t.place--
	case t.place+1 < len(t.history) && t.history[t.place+1] == here:
		t.place++
	default:
		t.historyOfBranch()
	}
}

// moveInHistory undoes or redoes, including scenarios and deletions.
func (t *tree) moveInHistory(by int) {
	t.place += by
	to := t.history[t.place]
	t.scenarios, t.deleted = to.scenarios, to.deleted
	t.visit(to.node)
}

// historyOfBranch makes undo and redo follow the current branch.
func (t *tree) historyOfBranch() {
	t.history, t.place = []moment{{0, t.scenarios, t.deleted}}, t.position()
	for _, id := range t.branch() {
		t.history = append(t.history, moment{id, t.scenarios, t.deleted})
	}
}

// inHistory returns the state that undo, by -1, or redo, by 1, leads to; ok is false if there is none.
func (t *tree) inHistory(by int) (to moment, ok bool) {
	place := t.place + by
	if place < 0 || place >= len(t.history) {
		return moment{}, false
	}
	return t.history[place], true
}

// below reports whether a node is another one or follows it.
func (t *tree) below(id, other int) bool {
	for ; id > other; id = t.nodes[id].parent { // a step has a larger number than its parent
	}
	return id == other
}

// gone reports whether a node was deleted.
func (t *tree) gone(id int) bool {
	for d := t.deleted; d != nil; d = d.before {
		if t.below(id, d.node) {
			return true
		}
	}
	return false
}

// remove deletes a node and all that follow it; it can be undone unless it is final.
func (t *tree) remove(id int, final bool) error {
	if err := t.find(id); err != nil {
		return err
	}
	if t.below(t.at, id) {
		return fmt.Errorf("%w: the step is applied; go to another branch first", ErrPosition)
	}
	t.deleted = &deletion{id, t.deleted}
	for i := range t.nodes {
		if t.below(i, id) {
			t.nodes[i].data = nil
		}
	}
	if !final {
		t.record()
	} else if slices.ContainsFunc(t.history, func(to moment) bool { return t.gone(to.node) }) {
		t.historyOfBranch()
	} else {
		for i := range t.history {
			t.history[i].deleted = t.deleted
		}
	}
	return nil
}

// opening returns the node that starts the branch of a step, 0 for the original data.
func (t *tree) opening(id int) int {
	for id > 0 && !t.nodes[id].opens {
		id = t.nodes[id].parent
	}
	return id
}

// distances returns the number of steps between each node and the current one.
func (t *tree) distances() []int {
	away := make([]int, len(t.nodes))
	for i := range away {
		away[i] = -1
	}
	for id := t.at; ; id = t.nodes[id].parent {
		away[id] = t.nodes[t.at].depth - t.nodes[id].depth
		if id == 0 {
			break
		}
	}
	for id := range away { // parents come first
		if away[id] < 0 {
			away[id] = away[t.nodes[id].parent] + 1
		}
	}
	return away
}
