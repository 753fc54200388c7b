package microdata

// Masking says what becomes of the numbers of single records, of a variable whose records nobody holds.
type Masking interface {
	// Records returns consecutive records with what becomes of their numbers; before is how many stand before them.
	// drawn are the numbers that they draw by their keys; nil: they draw by their places.
	Records(column *Column, before int, drawn []uint64) (*Column, error)
	// Changed returns how many records have another number.
	Changed() int
	// Secret tells the numbers that records draw, together with their keys.
	Secret() string
	// Identity is the same for maskings that make the same of the same records.
	Identity() string
}

// masked is what a masked column comes from.
type masked struct {
	of *Column
	by Masking
}

// Masked returns the column of a grouped dataset after the numbers of every record became others by themselves: which
// values there are is not known before records are looked at, but for the missing ones. Rows are not counted by it.
func (c *Column) Masked(kind Kind, by Masking) *Column {
	made := &masked{c, by}
	alone := NewUncounted(c.name, kind, c.description, nil, []int{c.MissingCount()}, c.Len()).alone.copy()
	alone.masked, alone.origin = made, c.origin
	out := c.copy()
	out.numbers, out.ground, out.suppressed, out.households = nil, nil, nil, nil
	out.alone, out.masked = alone.finish(), made
	return out.uncounted(c.Len()).grounded(c.Source())
}

// Unmasked returns the column before the numbers of its records became others, and by what they did, in turn; the
// column itself where they did not.
func (c *Column) Unmasked() (before *Column, by []Masking) {
	if c.masked == nil {
		return c, nil
	}
	before, by = c.masked.of.Unmasked()
	return before, append(by, c.masked.by)
}
