package publish

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Explanation says why a cell is published or suppressed.
type Explanation struct {
	Codes []string
	Cell  tabular.Cell
	Rules []string // what each rule finds, with its figures
	// Revealing are equations from which the cell follows, if it is suppressed and can be recalculated: none can be left
	// out. The first cell of each is the sum of the others.
	Revealing [][]int32
}

// Explain explains a cell.
func (t *Table) Explain(cell int) Explanation {
	e := Explanation{Codes: t.Codes(cell), Cell: t.Cells[cell], Revealing: t.Revealing(cell)}
	for _, rule := range t.Rules {
		e.Rules = append(e.Rules, rule.Explain(&t.Cells[cell]))
	}
	return e
}

// Revealing returns equations from which a suppressed cell follows; own are cells that the intruder knows besides. It
// returns nil if the cell does not follow.
func (t *Table) Revealing(cell int, own ...int) [][]int32 {
	hidden := func(c int32) bool { return t.Suppressed(int(c)) && !slices.Contains(own, int(c)) }
	reveal := func(these []int) bool {
		var e tabular.Equations
		for _, i := range these {
			e.Append(t.equations.At(i)...)
		}
		return audit.Solve(&e, hidden).Exact(cell)
	}
	if !hidden(int32(cell)) || len(own) == 0 && !t.known().Exact(cell) {
		return nil
	}
	these, found := t.around(cell, hidden, reveal)
	if !found {
		return nil
	}
	var equations [][]int32
	for _, i := range fewest(these, reveal) {
		equations = append(equations, t.equations.At(i))
	}
	return equations
}

// around returns equations near a suppressed cell that satisfy a condition; found is false if all of them do not.
func (t *Table) around(cell int, hidden func(int32) bool, satisfy func(these []int) bool) (these []int, found bool) {
	of := map[int32][]int{}
	for i := range t.equations.Len() {
		for _, c := range t.equations.At(i) {
			if hidden(c) {
				of[c] = append(of[c], i)
			}
		}
	}
	taken, next := map[int]bool{}, []int32{int32(cell)}
	seen := map[int32]bool{int32(cell): true}
	for len(next) > 0 {
		var further []int32
		for _, c := range next {
			for _, i := range of[c] {
				if taken[i] {
					continue
				}
				taken[i], these = true, append(these, i)
				for _, other := range t.equations.At(i) {
					if hidden(other) && !seen[other] {
						seen[other], further = true, append(further, other)
					}
				}
			}
		}
		if satisfy(these) {
			return these, true
		}
		next = further
	}
	return nil, false
}

// fewest leaves out what is not needed to satisfy a condition: of what is left, nothing can be left out.
func fewest(these []int, satisfy func(these []int) bool) []int {
	for size := (len(these) + 1) / 2; size > 0; size /= 2 {
		for from := 0; from < len(these); {
			without := slices.Delete(slices.Clone(these), from, min(from+size, len(these)))
			if satisfy(without) {
				these = without
			} else {
				from += size
			}
		}
	}
	return these
}

// WhyOpen says why a sensitive cell is open: that it is published, or the equations that reveal it.
func (t *Table) WhyOpen(cell int) string {
	if !t.Suppressed(cell) {
		return fmt.Sprintf("Cell %v is sensitive, and published.", t.Codes(cell))
	}
	var sums []string
	for _, e := range t.Revealing(cell) {
		sums = append(sums, t.Equation(e))
	}
	return fmt.Sprintf("Cell %v follows from %s (* suppressed): %s.", t.Codes(cell), wording.Counted(len(sums), "sum"), strings.Join(sums, "; "))
}

// Equation writes an equation without values: "[Total A] = [R1 A] + [R2 A]*", where * marks suppressed cells.
func (t *Table) Equation(cells []int32) string {
	var text strings.Builder
	for i, cell := range cells {
		switch i {
		case 0:
		case 1:
			text.WriteString(" = ")
		default:
			text.WriteString(" + ")
		}
		text.WriteString("[" + strings.Join(t.Codes(int(cell)), " ") + "]")
		if t.Suppressed(int(cell)) {
			text.WriteString("*")
		}
	}
	return text.String()
}
