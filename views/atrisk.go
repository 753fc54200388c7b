package views

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// AtRisk is the pane of the violators of the screen's k, the riskiest first.
type AtRisk struct {
	tablePane
	shown  memo[assessmentAt, violators]
	widths columnWidths
}

// NewAtRisk returns the pane of the violators.
func NewAtRisk() *AtRisk {
	p := &AtRisk{tablePane: tablePane{id: "records-at-risk", title: "Records at risk", enter: "why", risk: true}}
	p.content = p.table
	return p
}

// TitleFor says how many records violate which k.
func (p *AtRisk) TitleFor(s State) string {
	if s.Current.Assessment == nil {
		return p.Title()
	}
	text := fmt.Sprintf("%s · %s %s k = %d", p.Title(), Count(p.look(s, 0).violating), wording.Verb(p.look(s, 0).violating, "violate"), s.K)
	if p.look(s, 0).violating == 0 {
		text += ": the highest risks"
	}
	return text
}

// look returns the violators, at least up to a place where there are so many.
func (p *AtRisk) look(s State, place int) *violators {
	a := s.Current.Assessment
	if a == nil {
		return &violators{}
	}
	v := p.shown.look(assessmentAt{a, s.K}, func() violators { return violatorsAt(a, s.K) })
	if place >= len(v.records) && len(v.records) < v.count {
		// Eight times as many at each time: a walk over the file costs the same
		// for few and for many.
		limit := max(firstViolators, 8*len(v.records), place+1)
		v.records = a.RecordsAtRisk(limit, v.k)
	}
	return v
}

// table has one row per violator: number, key variables, fk, Fk and risk.
func (p *AtRisk) table(s State, width int) Table {
	a, count := s.Current.Assessment, p.look(s, 0).count
	switch {
	case len(s.keys()) == 0:
		return Table{Instead: "Records at risk are listed as soon as key variables are chosen."}
	case a == nil:
		return Table{Instead: s.waiting()}
	case count == 0:
		return Table{Instead: "The file has no records."}
	}
	number := max(6, Width(Count(a.Records)))
	t := Table{Columns: []Column{{Head: "record", Kind: Counts, Size: number, Most: number}}, Rows: count}
	var columns []*microdata.Column
	for _, name := range s.keys() {
		if column, ok := s.Current.Data.Column(name); ok {
			columns = append(columns, column)
		}
	}
	bare := s
	bare.Bare = true
	if keys := p.columns(s, columns); number+widthOf(keys)+figuresWidth <= width {
		t.Columns, bare = append(t.Columns, keys...), s
	} else { // there is room for codes alone
		t.Columns = append(t.Columns, p.columns(bare, columns)...)
		t.Status = func(width int) []string { return p.spelled(s, columns, width) }
	}
	t.Columns = append(t.Columns, Column{Head: "fk", Kind: Tenths}, Column{Head: "Fk", Kind: Tenths, Rank: 1}, Column{Head: "risk", Kind: Counts, Size: 6, Most: 6, Least: 5})
	if p.look(s, 0).violating == 0 {
		t.Above = func(width, height int) []string {
			if height < 8 {
				return nil
			}
			return indented(s.Theme.Low.Render, p.nobody(s), 1, width)
		}
	}
	t.Row = func(row int) []Cell { return p.row(bare, p.look(s, row).records[row], columns) }
	t.Choose = func(row int) Action { return SelectRecord{p.look(s, row).records[row]} }
	t.Open = func(row int) Action { return ShowRecord{p.look(s, row).records[row]} }
	return t
}

// spelled tells what the codes of the record under the cursor mean; nothing where none
// means anything.
func (p *AtRisk) spelled(s State, columns []*microdata.Column, width int) []string {
	if !slices.ContainsFunc(columns, func(column *microdata.Column) bool { return len(s.labelsOf(column)) > 0 }) {
		return nil
	}
	record := p.look(s, p.cursor.At).records[p.cursor.At]
	texts := make([]string, len(columns))
	for i, column := range columns {
		text, _ := cellText(s, column, record)
		texts[i] = shortened(text)
	}
	return []string{s.Theme.Faint.Render(Fit(" "+strings.Join(texts, ", "), width))}
}

// figuresWidth is about what fk, Fk and the risk take.
const figuresWidth = 28

// columns are those of the key variables.
func (p *AtRisk) columns(s State, columns []*microdata.Column) []Column {
	out := make([]Column, len(columns))
	for i, column := range columns {
		head := s.marked(column.Name())
		size := min(18, max(min(12, Width(Safe(head))), p.widths.of(column)))
		kind := Words
		if s.labelsOf(column) != nil {
			size = max(size, min(18, p.widths.labelled(s, column)))
		} else if column.Numeric() {
			kind = Counts
		}
		out[i] = Column{Head: head, Kind: kind, Size: size, Most: size, Least: 5, Rank: i + 2}
	}
	return out
}

func widthOf(columns []Column) int {
	width := 0
	for _, column := range columns {
		width += column.Size + 1
	}
	return width
}

// nobody says that there is no violator, and how many there are when blanks
// protect nobody else.
func (*AtRisk) nobody(s State) string {
	text := fmt.Sprintf("No record violates %d-anonymity under the rule %s.", s.K, s.Scenario.Rule)
	if v, ok := violatorsOf(s.Current.Assessment, s.K); ok && v.Conservative > 0 {
		text += fmt.Sprintf(" Under the conservative rule %s would, under the rule own category %s.", Count(v.Conservative), Count(v.OwnCategory))
	}
	return text
}

func (p *AtRisk) row(s State, record int, columns []*microdata.Column) []Cell {
	theme, a := s.Theme, s.Current.Assessment
	cells := []Cell{{Text: Count(record + 1)}}
	for _, column := range columns {
		text, style := cellText(s, column, record)
		if style == &theme.Changed {
			style = &theme.Plain // a recoded variable differs in every cell
		}
		cells = append(cells, Cell{Text: text, Style: s.Fresh(style)})
	}
	sample, population := a.Frequency(record)
	return append(cells, Cell{Text: wording.Frequency(sample)}, Cell{Text: wording.Frequency(population)},
		Cell{Text: wording.Probability(a.Risk(record)), Short: wording.ShortProbability(a.Risk(record)), Style: dangerStyle(theme, a.Risk(record))})
}

// Figures explains the risk of the record under the cursor.
func (p *AtRisk) Figures(s State) []Figure {
	if s.NotApplicable != "" {
		return inapplicableFigures(s)
	}
	v := p.look(s, p.cursor.At)
	if p.cursor.clamp(v.count); v.count == 0 {
		return nil
	}
	return recordFigures(s, v.records[p.cursor.At])
}
