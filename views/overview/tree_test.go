package overview

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/views"
)

// Branches are in lanes next to the current one: a line for each branch that passes, a dot for the step, filled if
// it is applied.
func TestLanesOfBranches(t *testing.T) {
	nodes := []views.Node{{Parent: -1, Current: true, Stands: true}}
	add := func(parent int, opens, current, stands bool) {
		nodes = append(nodes, views.Node{ID: len(nodes), Parent: parent, Position: nodes[parent].Position + 1, Opens: opens,
			Current: current, Stands: stands})
	}
	add(0, true, true, true)    // 1
	add(1, false, false, false) // 2, then 3 after it, and 4 next to 3
	add(2, false, false, false)
	add(2, true, false, false)
	add(1, true, true, true) // 5, and 6, which is undone
	add(5, false, true, false)
	add(0, true, false, false) // 7
	var lines []string
	for _, row := range treeRows(nodes) {
		lines = append(lines, fmt.Sprintf("%s %d", row.lanes, row.node.ID))
	}
	want := []string{"○ 6", "● 5", "│ ○ 3", "│ ├─○ 4", "├─○ 2", "● 1", "├─○ 7", "● 0"}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("the lanes are\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}
