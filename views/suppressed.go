package views

// SuppressedCells returns the number of cells of a variable that suppressions
// made missing.
func SuppressedCells(s State, variable string) int {
	if column := s.Current.Column(variable); column != nil {
		return column.SuppressedCount()
	}
	return 0
}
