package tui

// rect is a part of the screen in cells.
type rect struct{ x, y, width, height int }

func (r rect) contains(x, y int) bool {
	return x >= r.x && x < r.x+r.width && y >= r.y && y < r.y+r.height
}

// slot is the place of one pane.
type slot struct {
	pane string
	rect
}

// tab is one of the rooms of the workbench.
type tab int

const (
	tabOverview tab = iota
	tabKeys
	tabPRAM
	tabData
	tabCount
)

// name returns what stands in the header.
func (t tab) name() string { return [...]string{"Overview", "Keys", "PRAM", "Data"}[t] }

// panes returns the panes of a tab in the order of their numbers.
func (t tab) panes() []string {
	switch t {
	case tabKeys:
		return []string{"key-variables", "frequencies", "suppressions", "k-anonymity", "steps"}
	case tabPRAM:
		return []string{"pram-variables", "pram-matrix", "pram-frequencies", "pram-transitions"}
	case tabData:
		return []string{"data"}
	default:
		return []string{"key-variables", "frequencies", "k-anonymity", "records-at-risk", "risk", "steps"}
	}
}

// A screen smaller than this shows one pane at a time.
const (
	roomyWidth  = 100
	roomyHeight = 30
)

// layout places the panes of a tab in an area of the given size. alone names
// the pane that has the area to itself: the zoomed one, or the focused one on a
// small screen; "" where all have their place.
func layout(t tab, alone string, width, height int) []slot {
	whole := rect{0, 0, max(0, width), max(0, height)}
	if alone != "" {
		return []slot{{alone, whole}}
	}
	names := t.panes()
	switch t {
	case tabData:
		return []slot{{names[0], whole}}
	case tabKeys:
		return layoutKeys(names, whole)
	case tabPRAM:
		return layoutPRAM(names, whole)
	default:
		return layoutOverview(names, whole)
	}
}

// layoutOverview has three rows: key variables, frequencies and k-anonymity;
// records at risk and risk; steps.
func layoutOverview(names []string, r rect) []slot {
	steps := max(5, min(9, r.height/5))
	upper := (r.height - steps) / 2
	lower := r.height - steps - upper
	row := split(rect{r.x, r.y, r.width, upper}, 33, 30, 37)
	middle := split(rect{r.x, r.y + upper, r.width, lower}, 58, 42)
	return []slot{
		{names[0], row[0]}, {names[1], row[1]}, {names[2], row[2]},
		{names[3], middle[0]}, {names[4], middle[1]},
		{names[5], rect{r.x, r.y + upper + lower, r.width, steps}},
	}
}

// layoutKeys gives the frequencies the whole height in the middle.
func layoutKeys(names []string, r rect) []slot {
	columns := split(r, 38, 32, 30)
	left, right := columns[0], columns[2]
	variables := left.height * 3 / 5
	suppressions := right.height / 2
	return []slot{
		{names[0], rect{left.x, left.y, left.width, variables}},
		{names[1], columns[1]},
		{names[2], rect{right.x, right.y, right.width, suppressions}},
		{names[3], rect{right.x, right.y + suppressions, right.width, right.height - suppressions}},
		{names[4], rect{left.x, left.y + variables, left.width, left.height - variables}},
	}
}

// layoutPRAM has the variables and the matrix above, frequencies and transitions
// below.
func layoutPRAM(names []string, r rect) []slot {
	upper := (r.height + 1) / 2
	above := split(rect{r.x, r.y, r.width, upper}, 38, 62)
	below := split(rect{r.x, r.y + upper, r.width, r.height - upper}, 48, 52)
	return []slot{{names[0], above[0]}, {names[1], above[1]}, {names[2], below[0]}, {names[3], below[1]}}
}

// split cuts a rectangle into columns with widths in percent; the last one
// takes what is left.
func split(r rect, percents ...int) []rect {
	columns := make([]rect, len(percents))
	x := r.x
	for i, percent := range percents {
		width := r.width * percent / 100
		if i == len(percents)-1 {
			width = r.x + r.width - x
		}
		columns[i] = rect{x, r.y, width, r.height}
		x += width
	}
	return columns
}
