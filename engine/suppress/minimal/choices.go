package minimal

import (
	"cmp"
	"math/bits"
	"slices"
)

// choice says that a number of records of a key have the variables of set missing, from the start or newly.
type choice struct {
	key      uint32
	set      uint64
	count    int64
	hopeless uint64 // variables of set that cannot be given back, nor ever will
}

// choicesOf gathers the bundles of a solution by key and set, ascending.
func choicesOf(in *instance, group []uint32) []choice {
	all := make([]choice, len(group))
	for b, g := range group {
		all[b] = choice{key: in.bundles[b].key, set: in.set[g], count: int64(in.bundles[b].weight)}
	}
	return gather(all)
}

// gather sorts choices by key and set and joins equal ones; empty ones are dropped.
func gather(all []choice) []choice {
	slices.SortFunc(all, func(a, b choice) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(bits.OnesCount64(a.set), bits.OnesCount64(b.set)), cmp.Compare(a.set, b.set))
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

// withUntouched adds the records of p that are in no choice: those with nothing newly missing.
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

// census counts the records of each group in use: of those with the same missing variables and the same other values.
type census struct {
	keys  *packing
	slots []uint32 // open addressing: entry + 1
	set   []uint64
	first []uint32 // a key of the group
	size  []int64
}

// newCensus makes an empty census.
func newCensus(keys *packing) *census { return &census{keys: keys, slots: make([]uint32, 1024)} }

// find returns the entry of the group of key with the variables of set missing, and whether there is one.
func (c *census) find(key uint32, set uint64) (uint32, bool) {
	at := c.slots[c.slot(key, set)]
	return at - 1, at != 0
}

// enter returns the entry of a group, a new one without records if there is none.
func (c *census) enter(key uint32, set uint64) uint32 {
	slot := c.slot(key, set)
	if c.slots[slot] == 0 {
		c.set, c.first, c.size = append(c.set, set), append(c.first, key), append(c.size, 0)
		c.slots[slot] = uint32(len(c.set))
		if 2*len(c.set) > len(c.slots) {
			c.grow()
			return uint32(len(c.set) - 1)
		}
	}
	return c.slots[slot] - 1
}

// slot returns the slot of a group, or the empty one where it belongs.
func (c *census) slot(key uint32, set uint64) uint64 {
	kept := c.keys.keep(set)
	slot := c.hash(key, set, kept)
	for ; c.slots[slot] != 0; slot = (slot + 1) & uint64(len(c.slots)-1) {
		if at := c.slots[slot] - 1; c.set[at] == set && c.keys.agree(c.first[at], key, kept) {
			break
		}
	}
	return slot
}

// hash returns the first slot of a group.
func (c *census) hash(key uint32, set uint64, kept []uint64) uint64 {
	return mix(c.keys.fingerprint(key, kept)^mix(set)) & uint64(len(c.slots)-1)
}

// grow doubles the table.
func (c *census) grow() {
	c.slots = make([]uint32, 2*len(c.slots))
	for at, set := range c.set {
		slot := c.hash(c.first[at], set, c.keys.keep(set))
		for c.slots[slot] != 0 {
			slot = (slot + 1) & uint64(len(c.slots)-1)
		}
		c.slots[slot] = uint32(at + 1)
	}
}
