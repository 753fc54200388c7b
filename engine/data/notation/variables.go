package notation

import "slices"

// Variables returns the names of the variables in the condition, as typed.
func (c Condition) Variables() []string { return variablesOf(c.root) }

func variablesOf(n node) (names []string) {
	switch n := n.(type) {
	case junction:
		for _, part := range n.parts {
			names = slices.Concat(names, variablesOf(part))
		}
	case negation:
		return variablesOf(n.part)
	case test:
		return []string{n.variable}
	}
	return names
}
