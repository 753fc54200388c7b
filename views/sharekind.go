package views

// shareKind is what the cells of a cross table are.
type shareKind uint8

const (
	shareNone  shareKind = iota
	shareOfRow           // percent of the row
	shareOfColumn
	shareOfAll
	shareKinds
)

// String names the kind for headings.
func (k shareKind) String() string {
	return [...]string{"records", "% of the row", "% of the column", "% of all"}[k]
}

// next is the kind that follows.
func (k shareKind) next() shareKind { return (k + 1) % shareKinds }
