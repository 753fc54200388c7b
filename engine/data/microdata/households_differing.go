package microdata

// Differing returns the number of households in which two nonmissing values of the column differ: 0 for a variable
// that is constant within households. It takes O(records) time.
func (h *Households) Differing(column *Column) int {
	differ := differences(column)
	count := 0
	for household := range h.Len() {
		first := -1
		for place := h.start[household]; place < h.start[household+1]; place++ {
			record := h.at(place)
			if column.Missing(record) {
				continue
			}
			if first < 0 {
				first = record
			} else if differ(first, record) {
				count++
				break
			}
		}
	}
	return count
}

// PartlyMissing returns the number of households in which some members have a value of the column and others do
// not.
func (h *Households) PartlyMissing(column *Column) int {
	count := 0
	for household := range h.Len() {
		from, to := h.start[household], h.start[household+1]
		missing := column.Missing(h.at(from))
		for place := from + 1; place < to; place++ {
			if column.Missing(h.at(place)) != missing {
				count++
				break
			}
		}
	}
	return count
}

// differences returns a function that reports whether the cells of two records differ; neither may be missing.
// Numbers are compared by value, however spelled.
func differences(column *Column) func(a, b int) bool {
	if numbers := column.StoredAsNumbers(); numbers != nil {
		return func(a, b int) bool { return numbers.Values[a] != numbers.Values[b] }
	}
	codes := column.Categories().Codes
	return func(a, b int) bool { return codes.At(a) != codes.At(b) }
}
