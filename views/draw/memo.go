package draw

// Memo keeps what took a walk over keys or records to know while what it was made
// of is the same. Only the last is kept: versions of the data are large.
type Memo[K comparable, V any] struct {
	of   K
	made *V
}

// Look returns what belongs to of, which is made where it is not what was looked at
// last.
func (m *Memo[K, V]) Look(of K, make func() V) *V {
	if m.made == nil || m.of != of {
		made := make()
		m.of, m.made = of, &made
	}
	return m.made
}
