package draw

// right reports whether what stands in a column, and its heading, stand on the
// right.
func (c *Column) right() bool { return c.Kind != Words && c.Kind != Bars }

// arrange fits columns into a width, a blank between any two. It sets Size to
// the width of each, 0 for one that is dropped: columns of the highest rank are
// dropped as long as the least widths do not fit; then the widest give way.
func arrange(fields []Column, width int) {
	for i := range fields {
		if fields[i].Least == 0 || fields[i].Least > fields[i].Size {
			fields[i].Least = fields[i].Size
		}
	}
	least := func(f Column) int { return f.Least }
	for taken(fields, least) > width && drop(fields) {
	}
	for i := range fields { // on the smallest screens words give way to figures
		if taken(fields, least) > width && !fields[i].right() {
			fields[i].Least = min(fields[i].Least, 4)
		}
	}
	excess := taken(fields, func(f Column) int { return f.Size }) - width
	for ; excess > 0; excess-- {
		widest := -1
		for i, f := range fields {
			if f.Size > f.Least && (widest < 0 || f.Size-f.Least > fields[widest].Size-fields[widest].Least) {
				widest = i
			}
		}
		if widest < 0 {
			return // the line cuts what is left
		}
		fields[widest].Size--
	}
}

// spread sets the columns further apart where there is room: up to two cells
// more for every column but the first, those on the right before the others.
func spread(fields []Column, width int) {
	spare := width - taken(fields, func(f Column) int { return f.Size })
	for range 2 {
		for i := len(fields) - 1; i >= 0 && spare > 0; i-- {
			if fields[i].Size > 0 && (i > 0 || !fields[i].right()) {
				fields[i].Size++
				spare--
			}
		}
	}
}

// taken returns the cells of the columns that are there and of the blanks
// between them.
func taken(fields []Column, size func(Column) int) int {
	sum := -1
	for _, f := range fields {
		if f.Size > 0 {
			sum += size(f) + 1
		}
	}
	return max(0, sum)
}

// drop takes out the last column of the highest rank; false: all have to stay.
func drop(fields []Column) bool {
	chosen := -1
	for i, f := range fields {
		if f.Size > 0 && f.Rank > 0 && (chosen < 0 || f.Rank >= fields[chosen].Rank) {
			chosen = i
		}
	}
	if chosen >= 0 {
		fields[chosen].Size, fields[chosen].Least = 0, 0
	}
	return chosen >= 0
}

// StaleMark stands where figures are being recalculated.
const StaleMark = "↻"

// Ending puts a sign into the last cells of a line, where it is long enough.
func Ending(text string, style *Style, sign string, width int) string {
	if width < 4 {
		return text
	}
	return Exactly(text, width-Width(sign), 1) + style.Render(sign)
}
