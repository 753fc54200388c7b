package pages

import (
	"cmp"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// valuesTable has one row per distinct value that matches the search.
func (p *Inspector) valuesTable(s views.State) draw.Table {
	f := p.found.Last()
	switch {
	case f.values == nil || f.placed == nil:
		return draw.Table{Instead: "counting the values …"}
	}
	weighted := p.weighted && f.weighted()
	whole, largest := f.Profile.Records-f.Profile.Missing, f.largest(weighted)
	counts, weights := 0, 1 // ranks: dropped first if there is no room for both
	if weighted {
		counts, weights = 1, 0
	}
	t := draw.Table{
		Columns: []draw.Column{{Head: "value", Least: 6, Most: 40}, {Kind: draw.Bars},
			{Head: "records", Kind: draw.Counts, Size: 5, Rank: counts},
			{Head: "%", Kind: draw.Percents, Size: 5, Rank: counts}},
		Rows: len(f.places),
		Row: func(row int) []draw.Cell {
			v := &f.values.All[f.places[row]]
			records, was := draw.Cell{Text: draw.Count(v.Records)}, f.original(f.places[row])
			if f.was != nil {
				records.Was = "0"
				if was != nil {
					records.Was = draw.Count(was.Records)
				}
			}
			cells := []draw.Cell{{Text: s.WithCode(p.Variable(s), cmp.Or(v.Label, "(empty text)"))},
				{Share: sizeOf(v, weighted) / max(largest, 1e-300), Had: sizeOf(was, weighted) / max(largest, 1e-300), Style: &s.Bar},
				records, {Share: float64(v.Records) / float64(whole)}}
			if f.weighted() {
				cells = append(cells, draw.Cell{Text: draw.Count(wording.Rounded(v.Weight)), Style: &s.Faint},
					draw.Cell{Share: v.Weight / f.values.Weight(), Style: &s.Faint})
			}
			return cells
		},
		None:   "no value contains " + p.Search,
		Banner: func(width int) string { return p.FilterBanner(s, "/", p.Search, width) },
		Open:   func(row int) draw.Action { return p.recordsOf(s, f.places[row]) },
	}
	if f.was != nil {
		t.Columns[2] = draw.Column{Head: "records", Kind: draw.Pairs, Rank: counts, Yields: true}
	}
	if f.Profile.Missing == f.Profile.Records {
		t.None = "no record has a value"
	}
	if f.weighted() {
		t.Columns = append(t.Columns, draw.Column{Head: "weighted", Kind: draw.Counts, Size: 8, Rank: weights},
			draw.Column{Head: "%", Kind: draw.Percents, Size: 5, Rank: weights})
	}
	return t
}

// recordsOf opens the records with a value.
func (p *Inspector) recordsOf(s views.State, value uint32) draw.Action {
	f := p.found.Last()
	return views.ShowRecords{Variable: p.Variable(s), Level: f.values.All[value].Code}
}

// sizeOf returns the weight of a value, or its number of records, 0 for nil.
func sizeOf(v *profile.Value, weighted bool) float64 {
	switch {
	case v == nil:
		return 0
	case weighted:
		return v.Weight
	}
	return float64(v.Records)
}

// largest returns the largest weight, or number of records, of a value, now or before.
func (f *inspected) largest(weighted bool) float64 {
	largest := 0.0
	for _, values := range []*profile.Values{f.values, f.before} {
		if values == nil {
			continue
		}
		for i := range values.All {
			largest = max(largest, sizeOf(&values.All[i], weighted))
		}
	}
	return largest
}

// extremesTable has the records with the lowest values, then those with the highest.
func (p *Inspector) extremesTable(s views.State) draw.Table {
	f := p.found.Last()
	switch {
	case f.outmost == nil:
		return draw.Table{Instead: "finding the extremes …"}
	}
	low, high := f.outmost.lowest, f.outmost.highest
	of := func(row int) profile.Extreme {
		if row < len(low) {
			return low[row]
		}
		return high[len(high)-1-(row-len(low))]
	}
	rank, first, last := "", "lowest", "highest"
	if f.content.Form == profile.Texts {
		rank, first, last = "length", "shortest", "longest"
	}
	kind := draw.Words
	if f.content.Form == profile.Numerals {
		kind = draw.Values
	}
	t := draw.Table{
		Columns: []draw.Column{{Size: 8, Rank: 2}, {Head: s.Row(), Kind: draw.Values, Size: 7},
			{Head: "value", Kind: kind, Least: 6, Most: 40}},
		Rows: len(low) + len(high),
		Row: func(row int) []draw.Cell {
			e := of(row)
			text, style := views.CellText(s, f.column, e.Row)
			end := first
			if row >= len(low) {
				end = last
			}
			cells := []draw.Cell{{Text: end, Style: &s.Faint}, {Text: draw.Count(e.Row + 1), Style: &s.Faint},
				{Text: text, Style: style}}
			if rank != "" {
				cells = append(cells, draw.Cell{Text: draw.FigureText(e.By)})
			}
			if a := s.Current.Assessment; a != nil && e.Row < a.Records {
				cells = append(cells, draw.Cell{Text: wording.Probability(a.Risk(e.Row)), Style: views.DangerStyle(s.Theme,
					a.Risk(e.Row))})
			}
			return cells
		},
		None: "no record has a value",
		Open: func(row int) draw.Action { return views.ShowRecord{Record: of(row).Row} },
	}
	if rank != "" {
		t.Columns = append(t.Columns, draw.Column{Head: rank, Kind: draw.Values, Size: 7})
	}
	if s.Current.Assessment != nil {
		t.Columns = append(t.Columns, draw.Column{Head: "risk", Kind: draw.Counts, Size: 6, Rank: 1})
	}
	return t
}

// crossTitle names the two variables and what the cells show.
func (p *Inspector) crossTitle() string {
	what := p.share.String()
	switch {
	case !p.weighted || !p.found.Last().weighted():
	case p.share == views.ShareNone:
		what = "weights"
	default:
		what += ", weighted"
	}
	return draw.Label(p.other) + ": " + what
}

// crossTable has one row per value, or bin, and one column per value of the other variable; missing is last in
// both.
func (p *Inspector) crossTable(s views.State) draw.Table {
	switch f := p.found.Last(); {
	case p.other == "":
		return draw.Table{Instead: "Press x and choose a variable for the cross table."}
	case f.crossed != p.other:
		return draw.Table{Instead: "counting …"}
	case f.cross == nil:
		return draw.Table{Instead: p.other + " is not in the file."}
	}
	c := newTally(p.found.Last().cross, p.weighted, p.share)
	return draw.Table{
		Columns: []draw.Column{{Head: p.Variable(s), Least: 8, Most: 22}, {Head: "all", Kind: draw.Counts, Size: 7}},
		Rows:    len(c.rows) + 1,
		Sideways: &draw.ColumnScroll{Columns: len(c.columns),
			Column: func(j int) draw.Column {
				label := crossLabel(c.Columns, c.columns[j])
				return draw.Column{Head: label, Kind: draw.Counts, Size: max(7, min(14, draw.Width(draw.Label(label)))), Least: 5}
			},
			Cell: func(row, j int) draw.Cell {
				if row == len(c.rows) {
					return draw.Cell{Text: c.text(-1, c.columns[j]), Style: &s.Strong}
				}
				cell := draw.Cell{Text: c.text(c.rows[row], c.columns[j])}
				if c.of(c.rows[row], c.columns[j]) == 0 {
					cell.Style = &s.Faint
				}
				return cell
			}},
		Row: func(row int) []draw.Cell {
			if row == len(c.rows) {
				return []draw.Cell{{Text: "all", Style: &s.Strong}, {Text: c.text(-1, -1), Style: &s.Strong}}
			}
			return []draw.Cell{{Text: crossLabel(c.Rows, c.rows[row])}, {Text: c.text(c.rows[row], -1), Style: &s.Strong}}
		},
	}
}

// tally is a cross table as shown: records, weights, or shares of them.
type tally struct {
	*profile.Cross
	weighted        bool
	share           views.ShareKind
	rows, columns   []int // those with records, missing last
	byRow, byColumn []float64
	all             float64
}

func newTally(cross *profile.Cross, weighted bool, share views.ShareKind) *tally {
	c := &tally{Cross: cross, weighted: weighted && cross.Weights != nil, share: share,
		rows: occurring(cross.Rows, cross.ByRow), columns: occurring(cross.Columns, cross.ByColumn),
		byRow: make([]float64, len(cross.ByRow)), byColumn: make([]float64, len(cross.ByColumn))}
	for i := range c.byRow {
		for j := range c.byColumn {
			n := c.of(i, j)
			c.byRow[i] += n
			c.byColumn[j] += n
			c.all += n
		}
	}
	return c
}

// of returns the records or weights of a cell; a negative index means all rows or columns.
func (c *tally) of(i, j int) float64 {
	switch {
	case i < 0 && j < 0:
		return c.all
	case i < 0:
		return c.byColumn[j]
	case j < 0:
		return c.byRow[i]
	case c.weighted:
		return c.Weights[i][j]
	}
	return float64(c.Records[i][j])
}

// text spells a cell.
func (c *tally) text(i, j int) string {
	whole := c.all
	switch c.share {
	case views.ShareNone:
		return draw.Count(wording.Rounded(c.of(i, j)))
	case views.ShareOfRow:
		whole = c.of(i, -1)
	case views.ShareOfColumn:
		whole = c.of(-1, j)
	case views.ShareOfAll, views.ShareKinds:
	}
	return strings.TrimSuffix(wording.Percent(c.of(i, j)/whole), " %")
}

// occurring returns the rows of a cross table that have records, missing last.
func occurring(labels []string, records []int) []int {
	var places []int
	for i := range labels {
		if records[i+1] > 0 {
			places = append(places, i+1)
		}
	}
	if records[0] > 0 {
		places = append(places, 0)
	}
	return places
}

func crossLabel(labels []string, place int) string {
	if place == 0 {
		return views.MissingLabel
	}
	return labels[place-1]
}
