package views

// ShareKind is what the cells of a cross table are.
type ShareKind uint8

// The kinds of shares.
const (
	ShareNone  ShareKind = iota
	ShareOfRow           // percent of the row
	ShareOfColumn
	ShareOfAll
	ShareKinds // how many there are
)

// String names the kind for headings.
func (k ShareKind) String() string {
	return [...]string{"records", "% of the row", "% of the column", "% of all"}[k]
}

// Next is the kind that follows.
func (k ShareKind) Next() ShareKind { return (k + 1) % ShareKinds }
