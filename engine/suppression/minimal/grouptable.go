package minimal

import "math/bits"

// groupTable numbers the groups that keys form when the variables of one set are missing. It is a hash table with
// open addressing.
type groupTable struct {
	keys  *packing
	set   uint64
	kept  []uint64 // mask of the bits of the other variables
	slots []uint32 // group + 1
	shift int
	codes []uint64 // per group: the fingerprint of its keys
	first []uint32 // per group: its first key
}

// reset empties the table and makes room for n groups with the variables of set missing.
func (t *groupTable) reset(set uint64, n int) {
	size := 1 << bits.Len(uint(2*n))
	if cap(t.slots) < size {
		t.slots, t.codes, t.first = make([]uint32, size), make([]uint64, 0, n), make([]uint32, 0, n)
	}
	t.slots = t.slots[:size]
	clear(t.slots)
	t.shift = 64 - bits.TrailingZeros(uint(size))
	t.set, t.kept, t.codes, t.first = set, t.keys.keep(set), t.codes[:0], t.first[:0]
}

// compact returns a copy that uses only the space its groups need.
func (t *groupTable) compact() *groupTable {
	out := &groupTable{keys: t.keys}
	out.reset(t.set, len(t.codes))
	for _, key := range t.first {
		out.enter(key)
	}
	return out
}

// code returns the fingerprint of a key's group.
func (t *groupTable) code(key uint32) uint64 { return t.keys.fingerprint(key, t.kept) }

// find returns the group of a key with the given fingerprint, or unassigned.
func (t *groupTable) find(code uint64, key uint32) uint32 { return t.slots[t.slot(code, key)] - 1 }

// enter returns the group of a key and adds the group if necessary.
func (t *groupTable) enter(key uint32) uint32 {
	code := t.code(key)
	slot := t.slot(code, key)
	if t.slots[slot] == 0 {
		t.codes, t.first = append(t.codes, code), append(t.first, key)
		t.slots[slot] = uint32(len(t.codes))
	}
	return t.slots[slot] - 1
}

// slot returns the slot of a key's group, or the empty slot for it.
func (t *groupTable) slot(code uint64, key uint32) uint64 {
	mask := uint64(len(t.slots) - 1)
	slot := (code * 0x9e3779b97f4a7c15) >> t.shift
	for {
		g := t.slots[slot]
		if g == 0 || t.codes[g-1] == code && (t.keys.words == 1 || t.keys.agree(t.first[g-1], key, t.kept)) {
			return slot
		}
		slot = (slot + 1) & mask
	}
}

// census counts the records of each used group. A group is a set of missing variables with the values on the
// others.
type census struct {
	keys  *packing
	slots []uint32 // entry + 1
	code  []uint64 // per entry: fingerprint of the set and the other values
	set   []uint64
	key   []uint32 // a key of the group
	size  []int64

	suppressed uint64   // last set looked up
	kept       []uint64 // its mask, as in groupTable
}

// newCensus makes an empty census.
func newCensus(keys *packing) *census {
	return &census{keys: keys, slots: make([]uint32, 64), kept: keys.keep(0)}
}

// look returns the fingerprint of the group of key with the variables of set missing, and the slot of its entry,
// or the empty slot for it.
func (c *census) look(key uint32, set uint64) (code uint64, slot int) {
	if set != c.suppressed {
		c.suppressed, c.kept = set, c.keys.keep(set)
	}
	code = mix(c.keys.fingerprint(key, c.kept) ^ mix(set))
	slot = int(code & uint64(len(c.slots)-1))
	for {
		at := c.slots[slot]
		if at == 0 || c.code[at-1] == code && c.set[at-1] == set && c.keys.agree(c.key[at-1], key, c.kept) {
			return code, slot
		}
		slot = (slot + 1) & (len(c.slots) - 1)
	}
}

// find returns the entry of a group, and whether it exists.
func (c *census) find(key uint32, set uint64) (uint32, bool) {
	_, slot := c.look(key, set)
	return c.slots[slot] - 1, c.slots[slot] != 0
}

// enter returns the entry of a group. It adds one without records if none exists.
func (c *census) enter(key uint32, set uint64) uint32 {
	code, slot := c.look(key, set)
	if at := c.slots[slot]; at != 0 {
		return at - 1
	}
	c.code, c.set, c.key, c.size = append(c.code, code), append(c.set, set), append(c.key, key), append(c.size, 0)
	c.slots[slot] = uint32(len(c.set))
	if 2*len(c.set) > len(c.slots) {
		c.widen()
	}
	return uint32(len(c.set) - 1)
}

// widen doubles the number of slots.
func (c *census) widen() {
	c.slots = make([]uint32, 2*len(c.slots))
	for at, code := range c.code {
		slot := int(code & uint64(len(c.slots)-1))
		for c.slots[slot] != 0 {
			slot = (slot + 1) & (len(c.slots) - 1)
		}
		c.slots[slot] = uint32(at + 1)
	}
}
