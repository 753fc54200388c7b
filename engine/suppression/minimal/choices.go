package minimal

import (
	"cmp"
	"math/bits"
	"slices"
)

// choice assigns count records of a key the set of missing variables, including those missing from the start.
type choice struct {
	key      uint32
	set      uint64
	count    int64
	hopeless uint64 // variables of set whose cells can never be restored
}

// choicesOf aggregates the bundles of a solution by key and set, in ascending order.
func choicesOf(in *instance, group []uint32) []choice {
	all := make([]choice, len(group))
	for b, g := range group {
		all[b] = choice{key: in.bundles[b].key, set: in.set[g], count: int64(in.bundles[b].weight)}
	}
	return gather(all)
}

// gather sorts choices by key and set, merges equal ones, and drops empty ones.
func gather(all []choice) []choice {
	slices.SortFunc(all, func(a, b choice) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(bits.OnesCount64(a.set), bits.OnesCount64(b.set)),
			cmp.Compare(a.set, b.set))
	})
	out := all[:0]
	for _, c := range all {
		switch last := len(out) - 1; {
		case c.count == 0:
		case last >= 0 && out[last].key == c.key && out[last].set == c.set:
			out[last].count += c.count
			out[last].hopeless |= c.hopeless
		default:
			out = append(out, c)
		}
	}
	return out
}

// withUntouched adds the records of p that are in no choice, with the variables that were missing from the start.
func withUntouched(p *Problem, missing []uint64, choices []choice) []choice {
	left := make([]int64, p.keys())
	for key, count := range p.Count {
		left[key] = int64(count)
	}
	for _, c := range choices {
		left[c.key] -= c.count
	}
	for key, count := range left {
		if count > 0 {
			choices = append(choices, choice{key: uint32(key), set: missing[key], count: count})
		}
	}
	return gather(choices)
}
