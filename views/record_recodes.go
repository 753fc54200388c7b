package views

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/suggest"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// recodeLines is the table of the recodes of one variable that would protect a
// record, the one that loses least detail first; nothing where none does.
func recodeLines(s State, recodes []suggest.Protection, width int) []string {
	if len(recodes) == 0 {
		return nil
	}
	t := Table{
		Columns: []Column{
			{Head: "recode", Size: 8, Least: 8},
			{Head: "group", Size: 12, Least: 8},
			{Head: "f", Kind: Counts, Size: 7},
			{Head: "bits lost", Kind: Counts, Rank: 1},
		},
		Rows: len(recodes), Indent: 3, Close: true,
		Row: func(row int) []Cell {
			r, style := &recodes[row], &s.Theme.Low
			return []Cell{{Text: r.Variable, Style: style}, {Text: groupText(r.Recode.Levels), Style: style},
				{Text: wording.Frequency(r.Frequency), Style: style}, {Text: fmt.Sprintf("%.4f", r.Lost), Style: style}}
		},
	}
	return append(t.Lines(State{Theme: s.Theme}, nil, width, len(recodes)+1, false), "")
}
