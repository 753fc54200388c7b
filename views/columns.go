package views

import "charm.land/lipgloss/v2"

// field is a column of a table: what stands above it and how wide it is.
type field struct {
	head  string
	right bool // numbers: on the right, and the head too
	size  int  // as wide as it would like to be
	least int  // it is dropped rather than made narrower; 0: size
	rank  int  // those of the highest rank are dropped first; 0: never

	style  *lipgloss.Style // of the heading; nil: as all
	before string          // stands before the heading in place of a blank
}

// arrange fits columns into a width, a blank between any two. It sets size to
// the width of each, 0 for one that is dropped: columns of the highest rank are
// dropped as long as the least widths do not fit; then the widest give way.
func arrange(fields []field, width int) {
	for i := range fields {
		if fields[i].least == 0 || fields[i].least > fields[i].size {
			fields[i].least = fields[i].size
		}
	}
	least := func(f field) int { return f.least }
	for taken(fields, least) > width && drop(fields) {
	}
	for i := range fields { // on the smallest screens words give way to figures
		if taken(fields, least) > width && !fields[i].right {
			fields[i].least = min(fields[i].least, 4)
		}
	}
	excess := taken(fields, func(f field) int { return f.size }) - width
	for ; excess > 0; excess-- {
		widest := -1
		for i, f := range fields {
			if f.size > f.least && (widest < 0 || f.size-f.least > fields[widest].size-fields[widest].least) {
				widest = i
			}
		}
		if widest < 0 {
			return // the line cuts what is left
		}
		fields[widest].size--
	}
}

// spread sets the columns further apart where there is room: up to two cells
// more for every column but the first, those on the right before the others.
func spread(fields []field, width int) {
	spare := width - taken(fields, func(f field) int { return f.size })
	for range 2 {
		for i := len(fields) - 1; i >= 0 && spare > 0; i-- {
			if fields[i].size > 0 && (i > 0 || !fields[i].right) {
				fields[i].size++
				spare--
			}
		}
	}
}

// taken returns the cells of the columns that are there and of the blanks
// between them.
func taken(fields []field, size func(field) int) int {
	sum := -1
	for _, f := range fields {
		if f.size > 0 {
			sum += size(f) + 1
		}
	}
	return max(0, sum)
}

// drop takes out the last column of the highest rank; false: all have to stay.
func drop(fields []field) bool {
	chosen := -1
	for i, f := range fields {
		if f.size > 0 && f.rank > 0 && (chosen < 0 || f.rank >= fields[chosen].rank) {
			chosen = i
		}
	}
	if chosen >= 0 {
		fields[chosen].size, fields[chosen].least = 0, 0
	}
	return chosen >= 0
}

// headings draws the names of the columns, with a mark at the end of the line
// while the figures below are being recalculated. indent cells stay free on
// the left.
func headings(s State, fields []field, indent, width int) string {
	l := newLine(width, nil)
	l.left(&s.Theme.Heading, "", indent)
	for i, f := range fields {
		if f.size == 0 {
			continue
		}
		if i > 0 && l.used > indent {
			l.left(&s.Theme.Heading, f.before, 1)
		}
		style := &s.Theme.Heading
		if f.style != nil {
			style = f.style
		}
		if f.right {
			l.right(style, f.head, f.size)
		} else {
			l.left(style, f.head, f.size)
		}
	}
	return marked(s, l)
}

// StaleMark stands where figures are being recalculated.
const StaleMark = "↻"

// marked ends a line of headings; while figures are being recalculated a mark
// stands at its end, where tables leave a cell free.
func marked(s State, l *line) string {
	if !s.Stale {
		return l.String()
	}
	return endingWith(l.String(), &s.Theme.Warning, StaleMark, l.width)
}

// endingWith puts a sign into the last cell of a line, where it is long enough.
func endingWith(text string, style *lipgloss.Style, sign string, width int) string {
	if width < 4 {
		return text
	}
	return Exactly(text, width-1, 1) + style.Render(sign)
}
