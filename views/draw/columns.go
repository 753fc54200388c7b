package draw

// right reports whether a column and its heading are right-aligned.
func (c *Column) right() bool { return c.Kind != Words && c.Kind != Bars }

// arrange fits columns into a width, with a space between two columns. It sets Size to the width of each column, 0
// for a dropped one. Columns of the highest rank are dropped first until the least widths fit; then the widest
// columns are narrowed.
func arrange(fields []Column, width int) {
	for i := range fields {
		if fields[i].Least == 0 || fields[i].Least > fields[i].Size {
			fields[i].Least = fields[i].Size
		}
	}
	least := func(f Column) int { return f.Least }
	for taken(fields, least) > width && drop(fields) {
	}
	for i := range fields { // on the smallest screens words are shortened in favour of figures
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
			return // the line cuts the rest
		}
		fields[widest].Size--
	}
}

// spread distributes spare room: up to two cells more for every column but a right-aligned first one, starting on
// the right.
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

// taken returns the width of the visible columns with the spaces between them.
func taken(fields []Column, size func(Column) int) int {
	sum := -1
	for _, f := range fields {
		if f.Size > 0 {
			sum += size(f) + 1
		}
	}
	return max(0, sum)
}

// drop drops the last column of the highest rank and reports whether there was one.
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

// StaleMark marks figures that are being recomputed.
const StaleMark = "↻"

// Ending puts a sign at the end of a line, if it is long enough.
func Ending(text string, style *Style, sign string, width int) string {
	if width < 4 {
		return text
	}
	return Exactly(text, width-Width(sign), 1) + style.Render(sign)
}
