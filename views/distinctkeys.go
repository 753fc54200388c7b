package views

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// DistinctKeys is the pane of the distinct keys: what each has on the key
// variables, its records, frequencies and risks. Its cursor is one of cells, so
// that the table can be sorted by any column.
type DistinctKeys struct {
	tablePane
	by     sorting
	filter string
	err    error
	found  foundKeys
	widths columnWidths
}

var _ Seeker = (*DistinctKeys)(nil)

// NewDistinctKeys returns the pane of the distinct keys, the riskiest first.
func NewDistinctKeys() *DistinctKeys {
	p := &DistinctKeys{tablePane: tablePane{id: "distinct-keys", title: "Distinct keys", enter: "records", risk: true},
		by: sorting{{figureMark + "risk", true}}}
	p.content, p.acts, p.heard, p.move = p.table, p.keys, p.taken, keyCells()
	return p
}

// The columns of figures; those of the key variables follow.
const (
	keyRecords = iota
	keySample
	keyPopulation
	keyRisk
	keyHouseholds // only with households
)

// keyFigures are what the columns of figures are called.
var keyFigures = [...]string{keyRecords: "records", keySample: "fk", keyPopulation: "Fk", keyRisk: "risk", keyHouseholds: "household"}

// columnID names a column for sorting: a figure, or a key variable; "" where there is
// none.
func (p *DistinctKeys) columnID(s State, column int) string {
	switch place := column - p.figureColumns(s); {
	case place < 0:
		return figureMark + keyFigures[column]
	case place < len(s.keys()):
		return s.keys()[place]
	}
	return ""
}

// TitleFor counts the distinct keys and says how many records each has on average.
func (p *DistinctKeys) TitleFor(s State) string {
	a := s.Current.Assessment
	if a == nil {
		return p.Title()
	}
	of, count := a.Table().Keys(), Count(a.Table().Keys())
	if p.filter != "" && p.found.ready {
		count = Count(len(p.found.keys)) + " of " + count
	}
	return p.Title() + " · " + count + " · " + meanSize(a.Records, of) + " records each on average"
}

// meanSize spells how many records a distinct key has on average.
func meanSize(records, keys int) string {
	return fmt.Sprintf("%.2f", float64(records)/float64(max(1, keys)))
}

func (p *DistinctKeys) keys() []act {
	keys := []act{
		{bind("s", "sort", "s"), func(_ tea.KeyPressMsg, s State) Action { return p.resort(s, false) }},
		{bind("a", "then by", "a"), func(_ tea.KeyPressMsg, s State) Action { return p.resort(s, true) }},
		{bind("/", "filter", "/"), does(func() { p.err = nil; p.typed.begin(p.filter, keyEnter("take it"), keyEscape()) })},
	}
	if p.filter != "" {
		keys = append(keys, act{bind("", "", "esc"), does(func() { p.filter, p.err = "", nil })})
	}
	return keys
}

// resort sorts by the column under the cursor, alone or where the others are alike;
// the other way round where that is so already. Of frequencies the rare come first, of
// risks the high.
func (p *DistinctKeys) resort(s State, also bool) Action {
	if s.Current.Assessment == nil {
		return Handled{}
	}
	column := sortedColumn{id: p.columnID(s, p.cursor.Column)}
	column.down = column.id == figureMark+keyFigures[keyRisk] || column.id == figureMark+keyFigures[keyHouseholds]
	switch at := p.by.at(column.id); {
	case at >= 0 && (also || len(p.by) == 1):
		p.by = slices.Clone(p.by)
		p.by[at].down = !p.by[at].down
	case also:
		p.by = append(slices.Clip(p.by), column)
	default:
		p.by = sorting{column}
	}
	p.cursor.At = 0
	return Handled{}
}

// taken takes a filter that was typed. What makes no sense stays open, with the
// reason beside it.
func (p *DistinctKeys) taken(s State, end typedEnd) Action {
	p.err = nil
	if end != typedTaken {
		return Handled{}
	}
	text := strings.TrimSpace(p.typed.Text())
	if text != "" {
		filter, err := notation.ParseCondition(text)
		if err == nil {
			_, err = filter.Bind(keyScope(s))
		}
		if p.err = err; err != nil {
			p.typed.active = true
			return Handled{}
		}
	}
	p.filter, p.cursor.At = text, 0
	return Handled{}
}

// HandleKey also makes the key variable under the cursor the selected one.
func (p *DistinctKeys) HandleKey(msg tea.KeyPressMsg, s State) Action {
	action := p.tablePane.HandleKey(msg, s)
	if _, moved := action.(Handled); moved && !p.typed.active && s.Current.Assessment != nil {
		if p.cursor.Column >= p.figureColumns(s) {
			if name := p.columnID(s, p.cursor.Column); name != "" && name != s.Selected.Variable {
				return SelectVariable{name}
			}
		}
	}
	return action
}

// figureColumns returns the number of columns of figures.
func (p *DistinctKeys) figureColumns(s State) int {
	if s.Current.Assessment.HouseholdIndex() != nil {
		return keyHouseholds + 1
	}
	return keyHouseholds
}

// table has one row per distinct key.
func (p *DistinctKeys) table(s State, _ int) Table {
	a := s.Current.Assessment
	switch {
	case len(s.keys()) == 0:
		return Table{Instead: "Distinct keys are listed as soon as key variables are chosen."}
	case a == nil:
		return Table{Instead: s.waiting()}
	}
	columns := keyColumns(s)
	if columns == nil {
		return Table{Instead: "counting …"}
	}
	figures, rows := p.figureColumns(s), p.rows(s)
	number := max(3, Width(Count(rows)))
	key := func(row int) uint32 { return p.key(s, row) }
	return Table{
		Columns: []Column{{Head: "", Kind: Values, Size: number, Most: number}},
		Sideways: &Sideways{Columns: figures + len(columns),
			Column: func(i int) Column { return p.column(s, i, figures, columns) },
			Cell:   func(row, i int) Cell { return p.cell(s, key(row), i, figures, columns) }},
		Rows:   rows,
		Row:    func(row int) []Cell { return []Cell{{Text: Count(row + 1), Style: &s.Theme.Faint}} },
		None:   "no key meets " + p.filter,
		Status: func(width int) []string { return p.status(s, width) },
		Open:   func(row int) Action { return ShowMatching{keyCondition(a.Table(), columns, key(row))} },
	}
}

// column is a figure or a key variable; that by which the table is sorted has an
// arrow.
func (p *DistinctKeys) column(s State, i, figures int, columns []*microdata.Column) Column {
	var c Column
	if i < figures {
		c = Column{Head: keyFigures[i], Kind: Counts, Size: [...]int{7, 6, 8, 6, 9}[i]}
	} else {
		column := columns[i-figures]
		head := s.marked(column.Name())
		c = Column{Head: head, Size: max(p.widths.labelled(s, column), min(widest, Width(Safe(head)))), Least: 3}
		if column.Numeric() && s.labelsOf(column) == nil {
			c.Kind = Values
		}
	}
	if mark := p.by.mark(p.columnID(s, i)); mark != "" {
		c.Head += mark
		c.Size = max(c.Size, Width(Safe(shortened(c.Head))))
	}
	c.Size++
	return c
}

// cell is what a key has in a column.
func (p *DistinctKeys) cell(s State, key uint32, i, figures int, columns []*microdata.Column) Cell {
	theme, a := s.Theme, s.Current.Assessment
	if i >= figures {
		place := i - figures
		code := a.Table().Codes(place)[key]
		if levels := columns[place].Categories().Levels; code > 0 && int(code) <= len(levels) {
			return Cell{Text: s.WithCodeLabel(columns[place], levels[code-1].Label), Style: s.Fresh(&theme.Plain)}
		}
		return Cell{Text: missingSign, Style: &theme.Faint}
	}
	f, style := a.KeyFrequencies(), &theme.Plain
	switch i {
	case keyRecords:
		return Cell{Text: Count(int(a.Table().Counts()[key]))}
	case keySample:
		if f.Violates(int(key), s.K) {
			style = &theme.High
		}
		return Cell{Text: wording.Frequency(f.Sample[key]), Style: style}
	case keyPopulation:
		text := wording.Frequency(f.Population[key])
		if p.found.tenths && f.Population[key] < 1000 && !strings.Contains(text, ".") {
			text += ".0" // the points stand below each other
		}
		return Cell{Text: text}
	case keyRisk:
		return Cell{Text: wording.Probability(a.KeyRisks()[key]), Style: dangerStyle(theme, a.KeyRisks()[key])}
	}
	if p.found.of != a || !p.found.ready {
		return Cell{Text: "…", Style: &theme.Faint}
	}
	risk := p.found.households[key]
	return Cell{Text: wording.Probability(risk), Style: dangerStyle(theme, risk)}
}

// status shows the filter while it is typed, with what is wrong with it.
func (p *DistinctKeys) status(s State, width int) []string {
	theme := s.Theme
	switch {
	case p.err != nil:
		return []string{p.typed.draw(theme, "filter: ", width), theme.Error.Render(Fit(" "+p.err.Error(), width))}
	case p.typed.active && p.typed.Text() == "":
		text := p.typed.draw(theme, "filter: ", min(width, 11))
		return []string{text + theme.Faint.Render(Fit("  "+Safe(shortened(s.keys()[0]))+" missing · fk = 1 and risk > .05", width-Width(text)))}
	case p.typed.active:
		return []string{p.typed.draw(theme, "filter: ", width)}
	case p.filter != "":
		return []string{theme.Warning.Render(Fit(" only with "+p.filter+" · esc shows all", width))}
	}
	return nil
}

// Figures explains the risk of the key under the cursor and the sizes of the keys.
func (p *DistinctKeys) Figures(s State) []Figure {
	a := s.Current.Assessment
	if a == nil || s.NotApplicable != "" {
		return inapplicableFigures(s)
	}
	var sizes []Figure
	if e := s.Current.Figures.Find("keysizes"); e != nil {
		sizes = explained(s.Original.Figures, e, func(*measure.Value) bool { return true })
	}
	if p.found.of != a || !p.found.ready || p.rows(s) == 0 {
		return sizes
	}
	p.cursor.clamp(p.rows(s))
	return append(recordFigures(s, int(p.found.first[p.key(s, p.cursor.At)])), sizes...)
}

// keyColumns returns the key variables as they are; nil where one is not in the
// file.
func keyColumns(s State) []*microdata.Column {
	columns := make([]*microdata.Column, len(s.keys()))
	for i, name := range s.keys() {
		columns[i] = s.Current.column(name)
	}
	if slices.Contains(columns, nil) {
		return nil
	}
	return columns
}
