package publish

import (
	"bytes"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// ReadLevels reads the levels of a variable: a hierarchy with a line per code, as tau-Argus (.hrc) and sdcTable write it,
// in which the number of leading @ is the depth, 0 for all codes of a variable without a hierarchy; or a table of levels,
// see hierarchy.Read. Errors wrap tabular.ErrTree or hierarchy.ErrTable.
func ReadLevels(variable string, text []byte) ([][]string, error) {
	const mark, byteOrder, between = "@", "\ufeff", ",;\t"
	text = bytes.TrimPrefix(text, []byte(byteOrder))
	marked := bytes.Contains(append([]byte("\n"), text...), []byte("\n"+mark))
	oneCode := len(bytes.TrimSpace(text)) > 0 && !bytes.ContainsAny(text, between) // on each line
	if !utf8.Valid(text) || !marked && !oneCode {
		return hierarchy.Read(text)
	}
	tree, err := tabular.ReadLevels(variable, string(text), mark)
	if err != nil {
		return nil, err
	}
	return leavesOf(tree), nil
}

// leavesOf returns the leaves of a tree with the nodes above them, the finer first. A leaf that is higher than others is
// repeated in its finer levels.
func leavesOf(tree *tabular.Tree) (levels [][]string) {
	deepest := 0
	for _, node := range tree.Nodes {
		deepest = max(deepest, node.Depth)
	}
	for at, node := range tree.Nodes {
		if !tree.Leaf(at) {
			continue
		}
		var path []string
		for range deepest - node.Depth {
			path = append(path, node.Code)
		}
		for ; at > 0; at = tree.Nodes[at].Parent {
			path = append(path, tree.Nodes[at].Code)
		}
		levels = append(levels, path)
	}
	return levels
}
