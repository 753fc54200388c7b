package draw

import (
	"strings"
)

// CutPicture is a distribution with thresholds: a bar for each class, and lines at the thresholds. Bars beyond a
// threshold have another colour.
type CutPicture struct {
	Head, Unit string // of the classes and of the counts
	Bars       []CutBar
	Total      int // the total for percentages; 0: no percentages
	Danger     bool
	Words      bool // labels are words, not numbers
}

// CutBar is a class of a distribution.
type CutBar struct {
	Label  string // upper end of the class
	Count  int
	Beyond bool   // the class is beyond a threshold
	Cut    string // threshold before the bar; "": none
	Under  string // threshold after the last bar; "": none
}

// Lines draws the picture in at most height lines of width cells, or returns nil if it does not fit.
func (p *CutPicture) Lines(theme *Theme, width, height int) []string {
	type row struct {
		bar int
		cut string
	}
	var rows []row
	largest := 1
	for i, bar := range p.Bars {
		if bar.Cut != "" {
			rows = append(rows, row{cut: bar.Cut})
		}
		rows = append(rows, row{bar: i})
		if bar.Under != "" {
			rows = append(rows, row{cut: bar.Under})
		}
		largest = max(largest, bar.Count)
	}
	if len(p.Bars) == 0 || len(rows) > height {
		return nil
	}
	head, unit, share := p.Head, p.Unit, "%"
	if len(rows) == height { // no line is left for headings
		head, unit, share = "", "", ""
	}
	beyond := &theme.Changed
	if p.Danger {
		beyond = &theme.High
	}
	labels := Column{Head: head, Kind: Values, Most: max(8, width/3)}
	if p.Words {
		labels.Kind = Words
	}
	t := Table{
		Columns: []Column{labels, {Kind: Bars}, {Head: unit, Kind: Counts, Size: 9}},
		Rows:    len(rows), Close: true,
		Row: func(i int) []Cell {
			if cut := rows[i].cut; cut != "" {
				return []Cell{{Text: "─ " + cut + " " + strings.Repeat("─", max(0, width-Width(cut)-6)), Style: &theme.Strong}}
			}
			bar := &p.Bars[rows[i].bar]
			style := &theme.Bar
			if bar.Beyond {
				style = beyond
			}
			cells := []Cell{{Text: bar.Label}, {Share: float64(bar.Count) / float64(largest), Style: style},
				{Text: Count(bar.Count)}}
			if p.Total > 0 {
				cells = append(cells, Cell{Share: float64(bar.Count) / float64(p.Total), Style: &theme.Faint})
			}
			return cells
		},
	}
	if p.Total > 0 {
		t.Columns = append(t.Columns, Column{Head: share, Kind: Percents, Size: 6, Rank: 1})
	}
	return t.Lines(Look{Theme: theme}, nil, width, height, false)
}
