package notation

import "slices"

// Variables returns the names that the condition asks about, as they were typed.
func (c Condition) Variables() []string { return variablesOf(c.root) }

func variablesOf(n node) (names []string) {
	switch n := n.(type) {
	case several:
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
