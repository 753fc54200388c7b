package views

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

// Nodes returns the tree; where only the steps of one branch are known, these.
func (s State) Nodes() []Node {
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

// At returns the number of the node where the session stands.
func (s State) At() int {
	at := 0
	for _, n := range s.Nodes() {
		if n.Stands {
			at = n.ID
		}
	}
	return at
}

// Path returns the numbers of the nodes of the current branch, the original data first:
// that of the step after so many.
func (s State) Path() []int {
	var path []int
	for _, n := range s.Nodes() {
		if n.ID == 0 || n.Current {
			path = append(path, n.ID)
		}
	}
	return path
}
