package views

// Node is a node in the tree of all applied steps: a step, or the original data if ID is 0.
type Node struct {
	Step
	ID, Parent int    // the parent of the original data is -1
	Position   int    // number of steps from the original
	Branch     string // name of its branch
	Named      bool   // the user chose this name
	Opens      bool   // it is the first step of its branch
	Current    bool   // it is on the current branch
	Stands     bool   // it is applied, not undone
}

// Nodes returns the tree, or only the steps of the current branch if no tree is known.
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

// At returns the ID of the current node.
func (s State) At() int {
	at := 0
	for _, n := range s.Nodes() {
		if n.Stands {
			at = n.ID
		}
	}
	return at
}

// Path returns the IDs of the nodes of the current branch, the original data first: Path()[n] is the node after n
// steps.
func (s State) Path() []int {
	var path []int
	for _, n := range s.Nodes() {
		if n.ID == 0 || n.Current {
			path = append(path, n.ID)
		}
	}
	return path
}
