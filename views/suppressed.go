package views

// suppressedCells returns the number of cells of a variable that suppressions
// made missing.
func suppressedCells(s State, variable string) int {
	if column := s.Current.column(variable); column != nil {
		return column.SuppressedCount()
	}
	return 0
}
