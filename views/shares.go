package views

// ShareKind is the unit of the cells of a cross table.
type ShareKind uint8

// The kinds of shares.
const (
	ShareNone  ShareKind = iota
	ShareOfRow           // percent of the row
	ShareOfColumn
	ShareOfAll
	ShareKinds // number of kinds
)

// String returns the name of the kind for headings.
func (k ShareKind) String() string {
	return [...]string{"records", "% of the row", "% of the column", "% of all"}[k]
}

// Next returns the kind after k, cyclically.
func (k ShareKind) Next() ShareKind { return (k + 1) % ShareKinds }
